#pragma once

// This is what a picture of leaves shows, and the colour of every point of it. Slices, cutaways and whatever
// else shows leaves share it.
//
//   LeafPicture<3> picture{tree.view()};                     // levels
//   picture.field = {.title = "density", .nodes = density.view(), .mesh = mesh.view()};
//   const LeafColors<3> colors(picture, {});
//   const Color color = colors(leaf, {0.5, 0.5, 0.5});       // in its middle

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "octavo/draw/legend.h"
#include "octavo/mesh/interpolate.h"

namespace octavo {

// It is a field and its colours. Values are one for each leaf, or one for each node of the mesh; between
// nodes they are multilinear.
template <int Dim>
struct FieldColors {
  std::string title{};  // above the legend: name and unit
  View<const float> leaves{}, nodes{};
  MeshView<Dim> mesh{};  // for nodes only
  ColorMap map = ColorMap::viridis;
  std::optional<Vec2d> range = {};  // of values; else from the lowest to the highest
  Color liquid = water_color;       // of the map for liquids
};

// This is what leaves are told apart by, other than numbers: which of the names each has.
struct LeafCategories {
  std::string title;
  std::vector<std::string> names;
  View<const std::uint8_t> leaves;
};

template <int Dim>
struct LeafPicture {
  OctreeView<Dim> tree;
  std::optional<FieldColors<Dim>> field = {};  // else colours tell levels
  std::function<double(const Vec<Dim>&)> solid_distance =
      {};                                         // m, negative inside; called by many threads
  std::optional<LeafCategories> categories = {};  // instead of a field
};

// These levels get the first and the last colour; -1 takes those of the tree. Fix them to compare the frames
// of a run.
struct ShownLevels {
  int min = -1, max = -1;

  // Throws InputError if they make no sense.
  void check() const;
};

template <int Dim>
class LeafColors {
 public:
  LeafColors(const LeafPicture<Dim>& picture, const ShownLevels& levels);

  // It tells whether there is one colour for each leaf.
  bool flat() const { return !std::holds_alternative<ColorScale>(legend_.colors); }
  const Legend& legend() const { return legend_; }

  // It is the colour at a place in a leaf, 0..1 along each axis.
  Color operator()(LeafId leaf, const Vec<Dim>& local) const {
    if (const auto* levels = std::get_if<LevelRange>(&legend_.colors))
      return levels->color(tree_.level(leaf));
    if (categories_.size() > 0) return Categories::color(categories_[leaf]);
    return std::get<ColorScale>(legend_.colors)(value(leaf, local));
  }

  // The colour has a line of leaves in front of it, which is light where it is dark; lines are fainter on
  // fields.
  Color lined(const Color& color, float strength) const {
    const float part = flat() ? strength : 0.5f * strength;
    const bool dark = lightness(color) < (flat() ? 0.2f : 0.45f);
    return dark ? mix(color, {1, 1, 1}, 0.75f * part) : mix(color, {0, 0, 0}, part);
  }

 private:
  double value(LeafId leaf, const Vec<Dim>& local) const {
    if (leaves_.size() > 0) return static_cast<double>(leaves_[leaf]);
    return multilinear<Dim>(local, [&](int c) {
      return static_cast<double>(
          nodes_[leaf_node_[std::size_t{leaf} * child_count<Dim> + static_cast<std::size_t>(c)]]);
    });
  }

  OctreeView<Dim> tree_;
  View<const float> leaves_, nodes_;
  View<const NodeId> leaf_node_;
  View<const std::uint8_t> categories_;
  Legend legend_;
};

// It throws InputError unless a cut across an axis is in the box; `what` it is: "a slice".
void require_inside(const Box<3>& box, int axis, double position, std::string_view what);

// A solid is in front whose surface is so many pixels away, negative inside: it is grey with a darker edge.
Color with_solid(const Color& color, double pixels);

extern template class LeafColors<2>;
extern template class LeafColors<3>;

}  // namespace octavo
