"""Every header of src/octavo that uses a name of the standard library includes what declares it, itself or by way of
the project's headers that it includes.

    python3 standard_includes.py [--self-test]
"""

import functools
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"

# Where names are declared, as far as the project uses them: the first is what a message names. What nearly every
# header has, such as std::size_t, is in several.
DECLARED = {
    "algorithm": "all_of any_of none_of clamp max min min_element max_element copy copy_n count count_if equal fill fill_n "
                 "find find_if is_sorted lower_bound upper_bound merge nth_element partition remove remove_if replace reverse "
                 "rotate sort stable_sort swap_ranges transform unique next_permutation binary_search",
    "array": "array",
    "atomic": "atomic",
    "bit": "popcount countr_zero countl_zero bit_cast bit_width has_single_bit bit_ceil bit_floor",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "abs sqrt cbrt exp exp2 log log2 log10 pow sin cos tan asin acos atan atan2 hypot floor ceil round lround llround "
             "trunc isfinite isnan isinf signbit copysign fmod remainder ldexp frexp ilogb nextafter fma",
    "condition_variable": "condition_variable",
    "cstring": "memcpy memcmp memset memmove strlen",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream fstream",
    "functional": "function plus multiplies less greater reference_wrapper invoke",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter make_move_iterator ostream_iterator",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "unique_ptr shared_ptr weak_ptr make_unique make_shared",
    "mutex": "mutex lock_guard unique_lock scoped_lock once_flag call_once",
    "numbers": "numbers",
    "numeric": "accumulate iota inner_product partial_sum reduce gcd lcm midpoint",
    "optional": "optional nullopt make_optional",
    "ostream": "ostream",
    "queue": "queue priority_queue",
    "set": "set multiset",
    "span": "span",
    "sstream": "ostringstream istringstream stringstream",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range",
    "string": "string to_string stod stoi getline",
    "string_view": "string_view",
    "thread": "thread this_thread",
    "tuple": "tuple tie make_tuple",
    "typeindex": "type_index",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "move forward pair make_pair swap exchange declval as_const index_sequence make_index_sequence",
    "variant": "variant visit get_if holds_alternative monostate",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in DECLARED.items() for name in names.split()}

# Headers that have the names of others, by the standard or because they could not do without.
ALSO = {
    "algorithm": {"utility"},
    "array": {"initializer_list", "utility"},
    "filesystem": {"string", "string_view", "memory"},
    "fmt/core.h": {"string", "string_view"},
    "fmt/format.h": {"string", "string_view", "memory", "vector", "limits"},
    "functional": {"utility", "memory"},
    "iosfwd": {"ostream"},
    "map": {"utility", "initializer_list"},
    "memory": {"utility"},
    "optional": {"utility"},
    "string": {"string_view", "initializer_list", "utility"},
    "tuple": {"utility"},
    "unordered_map": {"utility"},
    "variant": {"utility"},
    "vector": {"initializer_list", "utility"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
NAME = re.compile(r"\bstd::(\w+)")


def missing(text, included):
    """The standard headers, each with a name, that a header with this text should include beside those it has."""
    has = set(included)
    for header in included:
        has |= ALSO.get(header, set())
    wanted = {}
    for name in NAME.findall(COMMENT.sub("", text)):
        header = HEADER_OF.get(name)
        if header is not None and header not in has:
            wanted.setdefault(header, name)
    return wanted


@functools.lru_cache(maxsize=None)
def reached(path):
    """All standard and foreign headers that a header of the project includes, itself or by others of the project."""
    found = set()
    for kind, name in INCLUDE.findall(path.read_text()):
        found |= reached(SOURCE / name) if kind == '"' else {name}
    return frozenset(found)


def self_test():
    assert missing("std::vector<int> v;", {"map"}) == {"vector": "vector"}
    assert missing("std::vector<int> v; // std::map", {"vector"}) == {}
    assert missing("std::pair<int, int> p; std::string_view s;", {"string"}) == {}
    assert missing("double x = std::sqrt(2); x = std::exp(x);", {"vector"}) == {"cmath": "sqrt"}


def main():
    self_test()
    if "--self-test" in sys.argv:
        return 0
    headers = sorted((SOURCE / "octavo").rglob("*.h"))
    assert len(headers) > 100
    wrong = [
        f"{header.relative_to(SOURCE.parent)} uses std::{name} and has no <{wanted}>"
        for header in headers
        for wanted, name in sorted(missing(header.read_text(), reached(header)).items())
    ]
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
