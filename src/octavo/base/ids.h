#pragma once

// Index types have names. A LeafId cannot be passed where a FaceId is asked for; it converts to a plain
// number for arithmetic, but a plain number becomes an id only when spelt out.

#include <cstdint>

namespace octavo {

template <class Tag>
struct Id {
  static constexpr std::uint32_t none_value = 0xffffffffu, elsewhere_value = none_value - 1;

  std::uint32_t value = none_value;

  constexpr Id() = default;
  template <class Integer>
  constexpr explicit Id(Integer i) : value(static_cast<std::uint32_t>(i)) {}

  // There is nothing, or there is something, but not in this part of the whole: no value is known of it.
  static constexpr Id none() { return Id(); }
  static constexpr Id elsewhere() { return Id(elsewhere_value); }
  constexpr bool is_none() const { return value == none_value; }
  constexpr bool is_elsewhere() const { return value == elsewhere_value; }
  constexpr bool is_here() const { return value < elsewhere_value; }
  constexpr operator std::uint32_t() const { return value; }
};

using LeafId = Id<struct LeafTag>;
using FaceId = Id<struct FaceTag>;
using NodeId = Id<struct NodeTag>;
using BranchId = Id<struct BranchTag>;  // a cell that has children

}  // namespace octavo
