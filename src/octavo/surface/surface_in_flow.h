#pragma once

// A surface is carried along a velocity that is given as a function of the point, on an octree that is fine about it
// and coarse elsewhere. This serves tests of trackers, and shows what a simulation does for one.
//
//   SurfaceInFlow<3, float, ParticleLevelSet<3>> run(domain, {.coarsest = 2, .finest = 6}, tracker);
//   run.start(distance);
//   TrackerReport r = run.step([&](const Vec3d& x) { return velocity(x); }, dt);

#include "octavo/adapt/adapt.h"
#include "octavo/surface/surface_tracker.h"

namespace octavo {

struct SurfaceLevels {
  int coarsest = 2, finest = 6;
  double band = 3;  // finest leaves to each side of the surface
};

// The finest level is wanted within the band about where the surface will be after dt: a point of the next mesh is near
// the surface if where it comes from is near it now. A region may be stretched on its way by a factor. Beyond open
// walls is air, so that the surface also is where liquid touches them.
template <int Dim, class Real, class Obstacles>
struct SurfaceBand {
  const Characteristics<Dim, Real, Obstacles>& paths;
  View<const Real> phi;  // nodes of paths.from
  SurfaceLevels levels;
  double stretch = 1.2;

  int operator()(const Leaf<Dim>& leaf) const {
    auto tracer = paths.tracer();
    const Vec<Dim> from = tracer.back(leaf.center, tracer.velocity(leaf.center), paths.dt);
    const LeafPoint<Dim, Real> at = tracer.locate_end(from);
    const auto inside =
        static_cast<double>(sample_in_leaf<Real>(paths.from, phi, at.leaf, at.local));
    const double near = levels.band * paths.from.tree.domain.size(levels.finest) +
                        stretch * diagonal<Dim>(leaf.reach);
    return std::abs(std::max(inside, beyond_open_walls(from))) <= near ? levels.finest
                                                                       : levels.coarsest;
  }

 private:
  double beyond_open_walls(const Vec<Dim>& x) const {
    const OpenWalls<Dim>& walls = paths.walls;
    double beyond = -HUGE_VAL;
    std::size_t side = 0;
    for (int a = 0; a < Dim; ++a, side += 2) {
      if (walls.open[side]) beyond = std::max(beyond, walls.box.lo[a] - x[a]);
      if (walls.open[side + 1]) beyond = std::max(beyond, x[a] - walls.box.hi[a]);
    }
    return beyond;
  }
};

template <int Dim, class Real, class Tracker>
class SurfaceInFlow {
 public:
  SurfaceInFlow(const Domain<Dim>& domain, const SurfaceLevels& levels, const Tracker& tracker)
      : levels_(levels), tracker_(tracker), grid_(Octree<Dim>(domain)) {
    if (levels.coarsest < 0 || levels.coarsest > levels.finest || levels.finest > max_level)
      throw InputError("leaves cannot have levels from {} to {}", levels.coarsest, levels.finest);
  }

  // distance(point) may not change by more than 1 per metre.
  template <class Distance>
  void start(const Distance& distance) {
    const SurfaceLevels levels = levels_;
    const double band = levels.band * grid_.tree().domain().size(levels.finest);
    grid_ =
        Grid<Dim>(Octree<Dim>::build(grid_.tree().domain(), [=, &distance](const Leaf<Dim>& leaf) {
          const bool near = std::abs(distance(leaf.center)) <= band + diagonal<Dim>(leaf.reach);
          return leaf.level < (near ? levels.finest : levels.coarsest);
        }));
    tracker_.start(grid_.mesh(), distance);
  }

  // This goes on from what a tracker has saved, on these leaves.
  void restore(View<const Key<Dim>> leaves, const std::vector<SavedArray>& arrays,
               const std::vector<SavedNumber>& numbers) {
    Buffer<Key<Dim>> keys(leaves.size());
    std::copy(leaves.begin(), leaves.end(), keys.begin());
    grid_ = Grid<Dim>(Octree<Dim>(grid_.tree().domain(), std::move(keys)));
    tracker_.restore(grid_.mesh(), arrays, numbers);
  }

  // The velocity is that of nodes during all of the step; walls are closed unless said otherwise.
  template <class Velocity>
  TrackerReport step(const Velocity& velocity, double dt) {
    sample(velocity);
    const Characteristics<Dim, Real> paths{mesh().view(),
                                           std::as_const(nodal_).view(),
                                           dt,
                                           {grid_.tree().domain().box(), open_walls},
                                           {}};
    const SurfaceBand<Dim, Real, NothingInTheWay<Dim>> wanted{
        paths, tracker_.signed_distance().view(), levels_};
    adapted_leaves(grid_.tree(), wanted, wanted, {.hysteresis = 0}, grid_.spare_keys());
    TrackerReport report;
    grid_.replace([&](const Mesh<Dim>& from, const Mesh<Dim>& to) {
      const Transfer<Dim> transfer(from, to);
      report = tracker_.advance(paths, {from, to, transfer.origin()});
    });
    return report;
  }

  // This is how many of the finest leaves the velocity passes in a second, at most, along all axes together, where such
  // leaves are.
  template <class Velocity>
  double leaves_passed(const Velocity& velocity) const {
    const OctreeView<Dim> tree = mesh().tree().view();
    const double h = tree.domain.size(levels_.finest);
    return parallel_max("leaves passed", tree.leaf_count(), 0.0,
                        [=, this, &velocity](std::size_t i) {
                          if (tree.level(LeafId(i)) < levels_.finest) return 0.0;
                          const Vec<Dim> u = velocity(tree.center(LeafId(i)));
                          double sum = 0;
                          for (int a = 0; a < Dim; ++a) sum += std::abs(u[a]);
                          return sum / h;
                        });
  }

  const Mesh<Dim>& mesh() const { return grid_.mesh(); }
  const Tracker& tracker() const { return tracker_; }
  Tracker& tracker() { return tracker_; }

  std::array<bool, static_cast<std::size_t>(side_count<Dim>)> open_walls{};

 private:
  template <class Velocity>
  void sample(const Velocity& velocity) {
    nodal_.resize(mesh());
    const MeshView<Dim> m = mesh().view();
    const View<Vec<Dim, Real>> u = nodal_.view();
    parallel_for("given velocity", u.size(), [=, &velocity](std::size_t i) {
      u[i] = velocity(m.position(NodeId(i))).template cast<Real>();
    });
    constrain(mesh(), nodal_);
  }

  SurfaceLevels levels_;
  Tracker tracker_;
  Grid<Dim> grid_;
  NodeField<Vec<Dim, Real>> nodal_;
};

}  // namespace octavo
