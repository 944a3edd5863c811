#include "pressure_cases.h"

#include "octavo/base/random.h"
#include "octavo/operators/divergence.h"
#include "octavo/solvers/components.h"

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

Shape sphere(Vec3d center, double radius) {
  return [=](const Vec3d& x, double) { return length(x - center) - radius; };
}

// Three plates as thick as a finest cell, each with a gap at one end, alternately.
double plates(const Vec3d& x, double h) {
  double distance = 1;
  for (int k = 0; k < 3; ++k) {
    const double z = (std::floor((0.2 + 0.27 * k) / h) + 0.5) * h;
    const double beyond_end = k % 2 == 1 ? x[0] - 0.7 : 0.3 - x[0];
    distance = std::min(distance, std::max(std::abs(x[2] - z) - 0.5 * h, beyond_end));
  }
  return distance;
}

double lattice_of_spheres(Vec3d x, double) {
  for (int a = 0; a < 3; ++a) x[a] = 6 * x[a] - std::floor(6 * x[a]) - 0.5;
  return (length(x) - 0.3) / 6;
}

double above_waves(const Vec3d& x) {
  return x[2] - 0.5637 - 0.02 * std::sin(9 * x[0]) * std::cos(7 * x[1]);
}
double pool(const Vec3d& x, double) { return above_waves(x); }
double sheet(const Vec3d& x, double h) { return std::abs(above_waves(x)) - 1.3 * h; }

}  // namespace

std::vector<PressureCase> pressure_cases() {
  const Shape ball = sphere({0.5, 0.5, 0.4}, 0.22), drop = sphere({0.5, 0.5, 0.5}, 0.3);
  const Shape bead = sphere({0.5, 0.005, 0.005}, 0.003);
  const Domain<3> tube{.root_size = 0.01, .roots = {100, 1, 1}};
  return {
      {.name = "closed", .tree = around(ball)},
      {.name = "open", .tree = around(ball), .open_walls = true},
      {.name = "sphere", .tree = around(ball), .solid = ball},
      {.name = "plates", .tree = around(plates), .solid = plates, .voxels = true},
      {.name = "spheres",
       .tree = around(lattice_of_spheres, {.width = 0.9}),
       .solid = lattice_of_spheres},
      {.name = "pool", .tree = around(pool, {.width = 1.5}), .liquid = pool},
      {.name = "drop", .tree = around(drop, {.width = 1.5}), .liquid = drop},
      {.name = "sheet", .tree = around(sheet, {.width = 1.5}), .liquid = sheet},
      {.name = "jump8", .tree = random_jumps},
      {.name = "long",
       .tree = around(bead, {.coarsest = 0, .depth = 4, .domain = tube}),
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

// Voxels: nothing passes a face of a leaf whose centre is in the solid. Otherwise the part of the
// face that is outside, of four by four points.
void PressureProblem::set_open_area(const PressureCase& c, double h) {
  const MeshView<3> m = mesh_.view();
  auto is_free = [&](LeafId leaf) {
    return leaf.is_none() || c.solid(m.tree.center(leaf), h) >= 0;
  };
  auto open_part = [&](FaceId face) {
    const Vec3d center = m.center(face);
    const int u = (m.axis(face) + 1) % 3, v = (m.axis(face) + 2) % 3;
    int outside = 0;
    for (int i = 0; i < 16; ++i) {
      Vec3d x = center;
      x[u] += m.size(face) * ((i % 4 + 0.5) / 4 - 0.5);
      x[v] += m.size(face) * ((i / 4 + 0.5) / 4 - 0.5);
      outside += c.solid(x, h) >= 0 ? 1 : 0;
    }
    return static_cast<float>(outside) / 16;
  };
  open_area_.resize(m.face_count());
  const View<float> open = open_area_.view();
  parallel_for("open area", open.size(), [&](std::size_t i) {
    const auto [low, high] = m.face_leaf[i];
    open[i] = !c.voxels ? open_part(FaceId(i)) : is_free(low) && is_free(high) ? 1.0f : 0.0f;
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
    const Vec3d x = m.center(face);
    const int a = m.axis(face);
    const double smooth = std::sin(3 * x[0] + a) * std::cos(2 * x[1] + a) + std::sin(2.5 * x[2]);
    u[i] = static_cast<float>(smooth + 0.1 * (random.uniform(i) - 0.5));
  });
  return velocity;
}

void PressureProblem::set_inflow() {
  const MeshView<3> m = mesh_.view();
  const FaceField<float> u = velocity();
  PressureMatrix<3, float> matrix;
  matrix.build(mesh_, boundary_, PressureScheme{});
  Buffer<double> of_places(matrix.vector_size());
  std::fill(of_places.begin(), of_places.end(), 0.0);
  const View<double> in = of_places.view();
  const auto leaves = matrix.view();
  parallel_for("inflow", m.leaf_count(), [&](std::size_t i) {
    const PlaceId place = leaves.families.place(LeafId(i));
    if (leaves.is_leaf(place)) in[place] = -outflow(m, boundary_, u.view(), LeafId(i));
  });
  ClosedComponents<3, float> components;
  components.build(matrix);
  components.remove_mean_inflow(in);
  inflow_.resize(m.leaf_count());
  for (std::size_t i = 0; i < inflow_.size(); ++i)
    inflow_[i] = in[leaves.families.place(LeafId(i))];
}

}  // namespace octavo::bench
