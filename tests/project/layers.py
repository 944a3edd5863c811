#!/usr/bin/env python3
"""Checks that the includes under src/octavo follow the layers.

src/octavo/CMakeLists.txt says which layers there are and what each links to. A file may include
headers of its own layer and of those its layer links to, directly or through others. Whatever
breaks a rule is printed as one sentence, and the exit code is 1.

    layers.py [ROOT]      check the project at ROOT (default: the one this file is part of)
    layers.py --self-test check small made-up projects, each with one breach, and see that it is found
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE_SUFFIXES = {".h", ".cpp", ".in"}
OUTSIDE = {"apps", "tests", "bench"}
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(.*)$", re.MULTILINE)
SPELLING = re.compile(r'(["<])([^">]+)[">]')


class Layer:
    def __init__(self, name, arguments):
        """Sorts the arguments of octavo_layer(NAME SOURCES ... APART ... LINKS ... PRIVATE_LINKS ...)."""
        self.name, self.sources, self.links = name, [], []
        lists = {"SOURCES": self.sources, "APART": self.sources, "LINKS": self.links, "PRIVATE_LINKS": self.links}
        current = []
        for word in arguments:
            if word in lists:
                current = lists[word]
            else:
                current.append(word)
        self.links = [w.removeprefix("octavo::") for w in self.links if w.startswith("octavo::")]


def read_layers(cmake_file):
    text = re.sub(r"#.*", "", cmake_file.read_text())
    calls = (c.replace('"', "").split() for c in re.findall(r"\boctavo_layer\s*\(([^)]*)\)", text))
    return {name: Layer(name, arguments) for name, *arguments in calls}


def reachable(layers, name):
    """All layers that `name` links to, directly or through others."""
    seen, waiting = set(), [name]
    while waiting:
        for link in layers[waiting.pop()].links:
            if link in layers and link not in seen:
                seen.add(link)
                waiting.append(link)
    return seen


def check_graph(layers):
    for layer in layers.values():
        for link in layer.links:
            if link not in layers:
                yield f"Layer {layer.name} links to octavo::{link}, which is not a layer."
    in_cycle = [name for name in layers if name in reachable(layers, name)]
    if in_cycle:
        yield f"These layers link to each other in a circle: {', '.join(sorted(in_cycle))}."


def check_folders(source, layers):
    folders = {file.relative_to(source).parts[0] for file in source.rglob("*/*") if file.is_file()}
    for name in sorted(folders - layers.keys()):
        yield f"Folder src/octavo/{name} is not a layer in src/octavo/CMakeLists.txt."
    for name in sorted(layers.keys() - folders):
        yield f"Layer {name} has no folder src/octavo/{name}."
    for file in sorted(source.iterdir()):
        if file.is_file() and file.suffix in SOURCE_SUFFIXES:
            yield f"File src/octavo/{file.name} is in no layer's folder."


def check_sources(source, layers):
    """Every .cpp belongs to the layer whose folder it lies in."""
    for layer in layers.values():
        for listed in layer.sources:
            if not listed.startswith("${") and Path(listed).parts[0] != layer.name:
                yield f"Layer {layer.name} compiles {listed}, which is in another folder."
        for file in sorted((source / layer.name).rglob("*.cpp")):
            if file.relative_to(source).as_posix() not in layer.sources:
                yield f"{file.relative_to(source)} is not among the SOURCES of layer {layer.name}."


def check_include(source, rest, layers, allowed):
    """What is wrong with one include, given all that follows the word include; None if nothing."""
    match = SPELLING.match(rest)
    if not match:
        return f"includes {rest.strip()}, which cannot be checked"
    quote, path = match.groups()
    parts = Path(path).parts
    if OUTSIDE & set(parts[:-1]) and parts[0] in OUTSIDE | {"..", "."}:
        return f"includes {path}, but src must not know apps, tests or bench"
    if parts[0] != "octavo":
        if quote == '"':
            return (f'includes {match[0]}; our own headers are spelt "octavo/layer/file.h", '
                    "those of others <file.h>")
        return None
    if quote != '"' or len(parts) < 3 or ".." in parts:
        return f'includes {match[0]}; our own headers are spelt "octavo/layer/file.h"'
    if parts[1] not in layers:
        return f"includes {path}, but {parts[1]} is not a layer"
    if parts[1] not in allowed:
        return f"includes {path}, but its layer does not link to octavo::{parts[1]}"
    header = source.parent / path
    if not header.is_file() and not header.with_name(header.name + ".in").is_file():
        return f"includes {path}, which does not exist"
    return None


def check_includes(source, layers):
    for name in layers:
        allowed = reachable(layers, name) | {name}
        for file in sorted((source / name).rglob("*")):
            if file.suffix not in SOURCE_SUFFIXES:
                continue
            text = file.read_text()
            for match in INCLUDE.finditer(text):
                wrong = check_include(source, match[1], layers, allowed)
                if wrong:
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"src/octavo/{file.relative_to(source)}:{line} {wrong}."


def check(root):
    """All breaches in the project at `root`, as sentences."""
    source = root / "src" / "octavo"
    layers = read_layers(source / "CMakeLists.txt")
    if not layers:
        return ["src/octavo/CMakeLists.txt names no layers."]
    return [*check_graph(layers), *check_folders(source, layers), *check_sources(source, layers),
            *check_includes(source, layers)]


# A project without a breach: c may include b and a, b may include a.
GOOD = {
    "CMakeLists.txt": "# octavo_layer(ghost) in a comment is nothing\n"
                      "octavo_layer(a SOURCES a/a.cpp ${CMAKE_CURRENT_BINARY_DIR}/made.cpp\n"
                      "  LINKS fmt::fmt)\n"
                      "octavo_layer(b SOURCES b/b.cpp LINKS octavo::a)  # trailing\n"
                      "octavo_layer(c SOURCES c/c.cpp APART c/deep/c.cpp PRIVATE_LINKS octavo::b PNG::PNG)\n",
    "a/a.h": "#pragma once\n#include <vector>\n#include <a.h>  // not ours\n",
    "a/a.cpp": '#include "octavo/a/a.h"\n// #include "octavo/c/c.h"\n',
    "a/made.cpp.in": '#include "octavo/a/a.h"\n',
    "a/config.h.in": "#pragma once\n",
    "b/b.h": '#include "octavo/a/a.h"\n#include "octavo/a/config.h"\n',
    "b/b.cpp": '#include "octavo/b/b.h"\n',
    "c/c.h": '#include "octavo/a/a.h"\n',
    "c/c.cpp": '#include "octavo/c/c.h"\n',
    "c/deep/c.cpp": '  #  include "octavo/c/c.h"\n#include "octavo/b/b.h"\n',
}

# What to change in it (None: remove the file), and what must then be said.
BREACHES = [
    ({"a/a.h": '#include "octavo/b/b.h"\n'}, "a/a.h:1 includes octavo/b/b.h, but its layer does not link"),
    ({"a/made.cpp.in": '\n#include "octavo/c/c.h"\n'}, "a/made.cpp.in:2 includes octavo/c/c.h, but its"),
    ({"b/b.h": '#include "octavo/d/d.h"\n'}, "d is not a layer"),
    ({"b/b.h": '#include "octavo/a/no.h"\n'}, "octavo/a/no.h, which does not exist"),
    ({"b/b.cpp": '#include "b.h"\n'}, 'includes "b.h"; our own'),
    ({"b/b.cpp": '#include "../a/a.h"\n'}, 'includes "../a/a.h"; our own'),
    ({"b/b.cpp": '#include "a/a.h"\n'}, 'includes "a/a.h"; our own'),
    ({"b/b.cpp": "#include <octavo/b/b.h>\n"}, "includes <octavo/b/b.h>; our own"),
    ({"b/b.cpp": '#include "octavo/b/../c/c.h"\n'}, "octavo/b/../c/c.h\"; our own"),
    ({"b/b.cpp": "#include HEADER\n"}, "HEADER, which cannot be checked"),
    ({"b/b.cpp": '#include "tests/support/help.h"\n'}, "must not know apps, tests or bench"),
    ({"b/b.cpp": '#include "../../../apps/octavo/main.h"\n'}, "must not know apps, tests or bench"),
    ({"b/b.cpp": "#include <bench/clock.h>\n"}, "must not know apps, tests or bench"),
    ({"d/d.h": ""}, "Folder src/octavo/d is not a layer"),
    ({"c/c.h": None, "c/c.cpp": None, "c/deep/c.cpp": None}, "Layer c has no folder"),
    ({"d/deep/d.h": ""}, "Folder src/octavo/d is not a layer"),
    ({"stray.h": ""}, "stray.h is in no layer's folder"),
    ({"b/more.cpp": ""}, "b/more.cpp is not among the SOURCES of layer b"),
    ({"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("b/b.cpp", "b/b.cpp a/a.cpp")},
     "Layer b compiles a/a.cpp"),
    ({"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("fmt::fmt", "octavo::c")},
     "link to each other in a circle: a, b, c"),
    ({"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("fmt::fmt", "octavo::z")},
     "Layer a links to octavo::z, which is not a layer"),
    ({"CMakeLists.txt": "\n"}, "names no layers"),
]


def make_project(root, files):
    for name, text in files.items():
        if text is not None:
            file = root / "src" / "octavo" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


def self_test():
    failures = 0
    for change, expected in [({}, None), *BREACHES]:
        with tempfile.TemporaryDirectory() as folder:
            make_project(Path(folder), GOOD | change)
            run = subprocess.run([sys.executable, __file__, folder], capture_output=True, text=True)
        said = run.stderr.splitlines()
        good = (run.returncode == 0 and not said) if expected is None else (
            run.returncode == 1 and len(said) == 1 and expected in said[0])
        failures += not good
        print("ok:" if good else f"NOT FOUND ({expected}):", *said or ["nothing to complain about"])
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    breaches = check(root)
    for sentence in breaches:
        print(sentence, file=sys.stderr)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
