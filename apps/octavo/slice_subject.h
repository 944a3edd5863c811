#pragma once

// `octavo slice` draws this from either kind of file: an octree, fields by name, and the obstacles of the
// scene that it belongs to.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "octavo/draw/leaf_colors.h"
#include "octavo/io/htg_read.h"
#include "octavo/mesh/nodal_velocity.h"
#include "octavo/output/checkpoint_grid.h"
#include "octavo/pictures/plane_picture.h"
#include "octavo/scene/build.h"
#include "octavo/scene/problems.h"
#include "octavo/scene/scene_file.h"
#include "slice_files.h"

namespace octavo {

template <int Dim>
class SliceSubject {
 public:
  SliceSubject(HtgGrid<Dim> grid, const SliceFile& file) : file_(file), grid_(std::move(grid)) {}
  SliceSubject(CheckpointGrid<Dim> grid, const SliceFile& file)
      : file_(file), up_(grid.up_axis), time_(grid.time), checkpoint_(std::move(grid)) {
    for (int a = 0; a < Dim; ++a)
      velocity_names_.push_back(
          fmt::format("velocity_{}", axis_names[static_cast<std::size_t>(a)]));
  }

  const Octree<Dim>& tree() const { return checkpoint_ ? checkpoint_->grid.tree() : grid_->tree; }
  int up() const { return up_; }

  // It sets the values of a field, on leaves or nodes.
  void set_values(const std::string& name, FieldColors<Dim>& field) {
    if (grid_) {
      const auto found = grid_->fields.find(name);
      if (found == grid_->fields.end()) no_such_field(name, names_of(grid_->fields), file_.path);
      field.leaves = std::as_const(found->second).view();
      return;
    }
    field.mesh = checkpoint_->grid.mesh().view();
    const auto* column = checkpoint_->fields.find(name);
    if (const auto* leaves = column ? column->template as<LeafField<float>>() : nullptr)
      field.leaves = std::as_const(*leaves).view();
    else if (const auto* nodes = column ? column->template as<NodeField<float>>() : nullptr)
      field.nodes = std::as_const(*nodes).view();
    else
      field.nodes = velocity_component(name).view();
  }

  // Obstacles are where they are at the time of the frame, as the scene of the run has them.
  void add_obstacles(LeafPicture<Dim>& picture) {
    if (file_.scene.empty()) return;
    try {
      const SceneFile read = read_scene(file_.scene, {}, SceneUse::pictures);
      const auto* scene = std::get_if<Scene<Dim>>(&read.scene);
      if (scene == nullptr || !(domain_of(*scene).box().hi == tree().domain().box().hi)) return;
      up_ = static_cast<int>(scene->up);
      if (grid_ && file_.frame) time_ = *file_.frame / scene->output.fps;
      picture.solid_distance = obstacle_distance(*scene, *read.files, time_);
    } catch (const InputError& e) {  // something that the scene needs may be gone
      fmt::print(stderr, "octavo: obstacles are not drawn: {}\n", e.what());
    }
  }

 private:
  const NodeField<float>& velocity_component(const std::string& name) {
    const auto axis = std::find(velocity_names_.begin(), velocity_names_.end(), name);
    if (axis == velocity_names_.end()) {
      std::vector<std::string> names;
      for (const auto& c : checkpoint_->fields.columns())
        if (c.info.shape == FieldShape::number) names.push_back(c.info.name);
      names.insert(names.end(), velocity_names_.begin(), velocity_names_.end());
      no_such_field(name, names, file_.path);
    }
    const Mesh<Dim>& mesh = checkpoint_->grid.mesh();
    const auto& faces = *checkpoint_->fields.find("velocity")->template as<FaceField<float>>();
    const NodeField<Vec<Dim, float>> all = nodal_velocity(mesh, faces);
    component_.resize(mesh);
    for (std::size_t i = 0; i < all.size(); ++i)
      component_[NodeId(i)] = all[NodeId(i)][static_cast<int>(axis - velocity_names_.begin())];
    return component_;
  }

  [[noreturn]] static void no_such_field(const std::string& field, std::vector<std::string> names,
                                         const std::filesystem::path& path) {
    names.insert(names.begin(), "level");
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw InputError("there is no field '{}' in '{}'; there are {}{}", field, path.string(), list,
                     did_you_mean(field, names));
  }

  template <class Fields>
  static std::vector<std::string> names_of(const Fields& fields) {
    std::vector<std::string> names;
    for (const auto& [name, values] : fields) names.push_back(name);
    return names;
  }

  SliceFile file_;
  int up_ = Dim - 1;
  double time_ = 0;  // s
  std::optional<HtgGrid<Dim>> grid_;
  std::optional<CheckpointGrid<Dim>> checkpoint_;
  std::vector<std::string> velocity_names_;
  NodeField<float> component_;
};

}  // namespace octavo
