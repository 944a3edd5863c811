#include "pressure_cases.h"

#include "octavo/base/random.h"
#include "octavo/operators/divergence.h"
#include "octavo/pressure/components.h"
#include "support/pressure_shapes.h"

namespace octavo::bench {
namespace {

// Refined to `level` within `width` cells of the surface, and everywhere to a coarsest level that
// is fixed, or so many levels above the finest.
struct Band {
  double width = 1;
  int coarsest = 2, depth = max_level;
  Domain<3> domain{};

  Octree<3> tree(const Shape& shape, int level) const {
    const int least = std::max(coarsest, level - depth);
    const double h = domain.size(level);
    return Octree<3>::build(domain, [&](const Leaf<3>& leaf) {
      if (leaf.level < least) return true;
      return leaf.level < level && std::abs(shape(leaf.center, h)) < width * leaf.size;
    });
  }
};

auto around(Shape shape, Band band = {}) {
  return [=](int level, double) { return band.tree(shape, level); };
}

// Cells of one size, some of which, at random, are cut into 8^3: jumps of 8:1 without anything in
// between. The share of those is what makes the number of leaves the wanted one.
Octree<3> random_jumps(int level, double leaves) {
  const int coarse = std::max(level - 3, 1);
  const double share = std::clamp((leaves / std::pow(8.0, coarse) - 1) / 511, 0.05, 0.4);
  return Octree<3>::build({}, [=](const Leaf<3>& leaf) {
    if (leaf.level != coarse) return leaf.level < coarse + 3;
    std::uint64_t key = 0;
    for (int a = 0; a < 3; ++a)
      key = key << max_level | static_cast<std::uint64_t>(leaf.center[a] * root_lattice);
    return Random(3).uniform(key) < share;
  });
}

}  // namespace

std::vector<PressureCase> pressure_cases() {
  using namespace shapes;
  return {
      {.name = "closed", .tree = around(ball)},
      {.name = "open", .tree = around(ball), .open_walls = true},
      {.name = "sphere", .tree = around(ball), .solid = ball},
      {.name = "plates", .tree = around(plates), .solid = plates, .voxels = true},
      {.name = "spheres", .tree = around(many_balls, {.width = 0.9}), .solid = many_balls},
      {.name = "pool", .tree = around(pool, {.width = 1.5}), .liquid = pool},
      {.name = "drop", .tree = around(drop, {.width = 1.5}), .liquid = drop},
      {.name = "sheet", .tree = around(sheet, {.width = 1.5}), .liquid = sheet},
      {.name = "jump8", .tree = random_jumps},
      {.name = "long",
       .tree = around(bead, {.coarsest = 0, .depth = 4, .domain = tube()}),
       .solid = bead},
  };
}

namespace {

// A level more makes about four times as many leaves, or as many times as the last level did;
// the next tree is built only if it promises to be nearer.
Octree<3> nearest_tree(const PressureCase& c, double leaves) {
  int level = 3;
  Octree<3> tree = c.tree(level, leaves);
  for (double growth = 4;;) {
    const auto count = static_cast<double>(tree.leaf_count());
    if (level == max_level || count * count * growth > leaves * leaves) return tree;
    Octree<3> next = c.tree(++level, leaves);
    growth = static_cast<double>(next.leaf_count()) / count;
    if (growth * count * count > leaves * leaves) return tree;
    tree = std::move(next);
  }
}

}  // namespace

PressureProblem::PressureProblem(const PressureCase& c, double leaves)
    : tree_(nearest_tree(c, leaves)), mesh_(tree_) {
  set_boundary(c);
  set_inflow();
}

void PressureProblem::set_boundary(const PressureCase& c) {
  const MeshView<3> m = mesh_.view();
  const double h = m.tree.domain.size(tree_.deepest_level());
  if (c.open_walls) boundary_.wall.fill(Wall::open);
  if (c.liquid) {
    level_set_.resize(m.leaf_count());
    const View<float> phi = level_set_.view();
    parallel_for("level set", phi.size(), [&](std::size_t i) {
      phi[i] = static_cast<float>(c.liquid(m.tree.center(LeafId(i)), h));
    });
    boundary_.level_set = phi;
  }
  if (c.solid) set_open_area(c, h);
}

void PressureProblem::set_open_area(const PressureCase& c, double h) {
  const MeshView<3> m = mesh_.view();
  const auto solid = [&](const Vec3d& x) { return c.solid(x, h); };
  open_area_.resize(m.face_count());
  const View<float> open = open_area_.view();
  parallel_for("open area", open.size(), [&](std::size_t i) {
    open[i] = static_cast<float>(c.voxels ? shapes::open_voxel_face(m, FaceId(i), solid)
                                          : shapes::open_part(m, FaceId(i), solid));
  });
  boundary_.open_area = open;
}

// Smooth, with noise of a tenth; nothing passes closed walls.
FaceField<float> PressureProblem::velocity() const {
  const MeshView<3> m = mesh_.view();
  const bool open_walls = boundary_.wall[0] == Wall::open;
  FaceField<float> velocity(mesh_);
  const View<float> u = velocity.view();
  const Random random(7);
  parallel_for("velocity", u.size(), [=](std::size_t i) {
    const FaceId face(i);
    if (m.is_wall(face) && !open_walls) return;
    const double smooth = shapes::stirring(m.center(face), m.axis(face));
    u[i] = static_cast<float>(smooth + 0.1 * (random.uniform(i) - 0.5));
  });
  return velocity;
}

void PressureProblem::set_inflow() {
  const MeshView<3> m = mesh_.view();
  const FaceField<float> u = velocity();
  PressureMatrix<3, float> matrix;
  matrix.build(mesh_, boundary_, scheme);
  Buffer<double> of_places(matrix.vector_size());
  std::fill(of_places.begin(), of_places.end(), 0.0);
  const View<double> in = of_places.view();
  const auto leaves = matrix.view();
  parallel_for("inflow", m.leaf_count(), [&](std::size_t i) {
    const LevelCellId level_cell = leaves.sibling_blocks.level_cell(LeafId(i));
    if (leaves.is_leaf(level_cell)) in[level_cell] = -outflow(m, boundary_, u.view(), LeafId(i));
  });
  ClosedComponents<3, float> components;
  components.build(matrix);
  components.remove_mean_inflow(in);
  inflow_.resize(m.leaf_count());
  for (std::size_t i = 0; i < inflow_.size(); ++i)
    inflow_[i] = in[leaves.sibling_blocks.level_cell(LeafId(i))];
}

}  // namespace octavo::bench
