#pragma once

// The identifier of a .vdb file is a digest of everything else in it.
//
// It is a UUID of version 8 (the kind of which the standard says nothing else), at a fixed place of the
// header. Ours begin with the same eight digits; those of other programs begin so by chance once in 4 * 10^9
// files.

#include <cstddef>
#include <string>
#include <string_view>

namespace octavo {

inline constexpr std::size_t vdb_tag_begin = 21, vdb_tag_size = 36;

// It is the tag that belongs to a file, whichever it has.
std::string vdb_tag(std::string_view file);

// It tells whether the tag in the first bytes of a file looks like one of ours.
bool has_our_mark(std::string_view beginning);

// It tells whether the file has a tag of ours, and whether it is the right one.
enum class VdbTagCheck { foreign, right, wrong };
VdbTagCheck check_vdb_tag(std::string_view file);

}  // namespace octavo
