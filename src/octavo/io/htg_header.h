#pragma once

// The XML part of a grid file (.htg) stands first and says what is in the file, and where.
//
//   const HtgHeader header = htg_header(bytes);          // the file, or enough of its beginning
//   const HtgArray& level = header.cells.front();

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/base/vec.h"

namespace octavo {

struct HtgArray {
  std::string name, type;
  std::uint64_t count = 0;   // of values
  std::uint64_t offset = 0;  // of its size in bytes, which the values follow, from where data begin
};

struct HtgHeader {
  Vec<3, int> points{};  // corners of root cells along each axis
  std::vector<HtgArray> grid, trees, cells;
  std::size_t data = 0;  // where data begin in the file
};

// The header has to be within so many bytes.
inline constexpr std::size_t htg_header_bytes = std::size_t{1} << 20;

// Throws InputError, about "it", unless it is one that write_htg makes.
HtgHeader htg_header(std::string_view file);

}  // namespace octavo
