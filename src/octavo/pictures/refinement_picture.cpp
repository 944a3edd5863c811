#include "octavo/pictures/refinement_picture.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "octavo/draw/cutaway.h"
#include "octavo/draw/montage.h"
#include "octavo/draw/slice.h"
#include "octavo/scene/cameras.h"

namespace octavo {
namespace {

template <int Dim>
LeafPicture<Dim> leaves_by_reason(const Octree<Dim>& tree, const RefinementReasons& why) {
  LeafCategories categories{"set by", {}, why.leaf.view()};
  for (const auto& c : why.criteria) categories.names.push_back(c.name);
  LeafPicture<Dim> picture{tree.view()};
  picture.categories = std::move(categories);
  return picture;
}

// It is the middle, along an axis, of the leaves in front of the camera, all of which count the same, so that it is
// where they are fine.
double middle_of_leaves(const Octree<3>& tree, const Camera& camera, int axis) {
  const OctreeView<3> leaves = tree.view();
  const Vec3d ahead = camera.target - camera.position;
  const Vec2d sums = parallel_reduce(
      "middle of leaves", leaves.leaf_count(), Vec2d{0, 0},
      [&](std::size_t i) {
        const Vec3d p = leaves.center(LeafId(i));
        return dot(p - camera.position, ahead) > 0 ? Vec2d{p[axis], 1} : Vec2d{0, 0};
      },
      [](const Vec2d& p, const Vec2d& q) { return p + q; });
  return sums[1] > 0 ? sums[0] / sums[1] : tree.domain().box().center()[axis];
}

Image picture_of(const Scene<3>& scene, const Octree<3>& tree, const LeafPicture<3>& leaves,
                 double time) {
  Camera camera = camera_path(scene).at(time);
  const Vec3d view = camera.target - camera.position;
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(view[a]) > std::abs(view[axis])) axis = a;
  constexpr int least = 720;  // pixels across, for leaves and words to be seen
  const double scale = std::max(1.0, static_cast<double>(least) / camera.resolution[0]);
  for (int a = 0; a < 2; ++a)
    camera.resolution[a] =
        std::max(16, static_cast<int>(std::lround(camera.resolution[a] * scale)));
  CutawayOptions cut{.cut = CutPart::half, .axis = axis, .legend = false};
  cut.position = tree.domain().box().center();
  (*cut.position)[axis] = middle_of_leaves(tree, camera, axis);
  const int up = static_cast<int>(scene.up);
  const SliceOptions slice{.axis = up,
                           .position = middle_of_leaves(tree, camera, up),
                           .size = std::max(camera.resolution[0], camera.resolution[1])};
  return sheet({draw_cutaway(leaves, camera, cut), draw_slice(leaves, slice)},
               {fmt::format("from the camera, cut at {} = {:.3g} m",
                            axis_names[static_cast<std::size_t>(axis)], (*cut.position)[axis]),
                fmt::format("cut at {} = {:.3g} m", axis_names[static_cast<std::size_t>(up)],
                            *slice.position)},
               {.columns = 2, .width = 2400});
}

}  // namespace

template <int Dim>
Image refinement_picture(const Scene<Dim>& scene, const Octree<Dim>& tree,
                         const RefinementReasons& why, double time) {
  const LeafPicture<Dim> leaves = leaves_by_reason(tree, why);
  if constexpr (Dim == 2)
    return draw_slice(leaves, {});
  else
    return picture_of(scene, tree, leaves, time);
}

std::string refinement_table(const RefinementReasons& why) {
  std::string text = fmt::format("{:<40}{:>14}{:>14}\n", "criterion", "asks for", "leaves set");
  std::size_t all = 0;
  for (const auto& c : why.criteria) {
    text += fmt::format("{:<40}{:>14}{:>14}\n", c.name, c.asked, c.set);
    all += c.set;
  }
  return text + fmt::format("{:<40}{:>14}{:>14}\n", "all", "", all);
}

nlohmann::ordered_json json_of(const RefinementReasons& why) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& c : why.criteria)
    list.push_back({{"criterion", c.name}, {"asked", c.asked}, {"set", c.set}});
  return list;
}

template Image refinement_picture(const Scene<2>&, const Octree<2>&, const RefinementReasons&,
                                  double);
template Image refinement_picture(const Scene<3>&, const Octree<3>&, const RefinementReasons&,
                                  double);

}  // namespace octavo
