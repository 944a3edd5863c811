#include <algorithm>
#include <vector>

#include "octavo/base/random.h"
#include "octavo/surface/leaf_level_set.h"
#include "octavo/surface/marker_particles.h"

namespace octavo {
namespace {

// What becomes of the particles of a leaf.
struct LeafPlan {
  bool in_band = false;
  int escaped = 0, kept = 0, added = 0;  // `kept` beside the escaped ones

  std::int32_t total() const { return escaped + kept + added; }
};

template <int Dim, class Real>
class Seeding {
 public:
  Seeding(const MeshView<Dim>& mesh, View<const Real> phi, const MarkerRules& rules, int deepest,
          const SolidNodes<Dim>& solid)
      : mesh_(mesh), phi_(phi), rules_(rules), deepest_(deepest), solid_(solid) {}

  LeafLevelSet<Dim, Real> in_leaf(LeafId leaf) const { return {mesh_, phi_, leaf}; }

  // Leaves of the band keep particles that are not deeper on their side than the band is wide.
  bool may_stay(const LeafLevelSet<Dim, Real>& level_set, const MarkerParticle<Dim>& p,
                bool in_band) const {
    const double depth = static_cast<double>(p.sign()) * level_set.value(p.local);
    return in_band && depth <= rules_.band * level_set.size;
  }

  LeafPlan plan(LeafId leaf, const MarkerParticle<Dim>* first,
                const MarkerParticle<Dim>* last) const {
    const LeafLevelSet<Dim, Real> level_set = in_leaf(leaf);
    LeafPlan plan;
    plan.in_band = is_in_band(leaf, level_set);
    int staying = 0;
    for (; first != last; ++first) {
      if (first->is_escaped(level_set.value(first->local)))
        ++plan.escaped;
      else if (may_stay(level_set, *first, plan.in_band))
        ++staying;
    }
    plan.kept = std::min(staying, rules_.particles_per_leaf);
    if (plan.in_band)
      plan.added = std::max(0, rules_.particles_per_leaf - plan.kept - plan.escaped);
    return plan;
  }

 private:
  bool is_in_band(LeafId leaf, const LeafLevelSet<Dim, Real>& level_set) const {
    if (!(level_set.nearest() < rules_.band * level_set.size)) return false;
    if (rules_.finest_only && mesh_.tree.level(leaf) < deepest_) return false;
    return !solid_.cuts(leaf) || !is_in_solid(leaf);
  }
  bool is_in_solid(LeafId leaf) const {
    for (int c = 0; c < child_count<Dim>; ++c)
      if (solid_.inside[mesh_.node(leaf, c)] == 0) return false;
    return true;
  }

  MeshView<Dim> mesh_;
  View<const Real> phi_;
  MarkerRules rules_;
  int deepest_;
  SolidNodes<Dim> solid_;
};

// The particles that stay in a leaf: all that have escaped, and of the others those that tell most about the surface.
// Equals are told apart by their order.
template <int Dim, class Real>
class Keeper {
 public:
  explicit Keeper(const Seeding<Dim, Real>& seeding) : seeding_(seeding) {}

  MarkerParticle<Dim>* keep(LeafId leaf, const LeafPlan& plan, const MarkerParticle<Dim>* first,
                            const MarkerParticle<Dim>* last, MarkerParticle<Dim>* out) {
    const LeafLevelSet<Dim, Real> level_set = seeding_.in_leaf(leaf);
    scores_.clear();
    for (const MarkerParticle<Dim>* p = first; p != last; ++p) {
      const double phi = level_set.value(p->local);
      if (p->is_escaped(phi))
        *out++ = *p;
      else if (seeding_.may_stay(level_set, *p, plan.in_band))
        scores_.push_back(
            {static_cast<double>(p->sign()) * phi - static_cast<double>(p->radius()), p - first});
    }
    const auto kept = scores_.begin() + plan.kept;
    if (kept != scores_.end()) std::nth_element(scores_.begin(), kept, scores_.end());
    for (auto s = scores_.begin(); s != kept; ++s) *out++ = first[s->second];
    return out;
  }

 private:
  const Seeding<Dim, Real>& seeding_;
  std::vector<std::pair<double, std::ptrdiff_t>> scores_;
};

// A Sower makes new particles, for one thread.
template <int Dim, class Real>
class Sower {
 public:
  Sower(const MeshView<Dim>& mesh, View<const Real> phi, const MarkerRules& rules,
        std::uint32_t step, const SolidNodes<Dim>& solid)
      : mesh_(mesh), phi_(phi), rules_(rules), step_(step), solid_(solid), locator_(mesh.tree) {}

  // This is the number `index` of the new particles of a leaf, and the leaf in which it ends up: none if it cannot be
  // brought into the band.
  LeafId sow(LeafId leaf, std::uint32_t index, MarkerParticle<Dim>& out) {
    const std::uint64_t key = mesh_.tree.leaf_key[leaf].bits;
    const PhiloxCounter noise = philox(
        {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), step_, index},
        {static_cast<std::uint32_t>(rules_.seed), static_cast<std::uint32_t>(rules_.seed >> 32)});
    LeafPoint<Dim, float> at{leaf, {}};
    for (int a = 0; a < Dim; ++a) at.local[a] = uniform(noise[static_cast<std::size_t>(a)]);
    const LeafLevelSet<Dim, Real> level_set(mesh_, phi_, leaf);
    const double phi = level_set.value(at.local), sign = phi < 0 ? -1 : 1,
                 depth = sign * phi / level_set.size;
    double at_depth = phi;
    if (depth < rules_.least_radius || depth > rules_.band) {
      const double goal = goal_depth(depth, static_cast<double>(uniform(noise[3])));
      if (!attract(at, sign, goal * level_set.size, at_depth)) return LeafId::none();
    }
    const double h = mesh_.tree.size(at.leaf),
                 radius = std::clamp(sign * at_depth, rules_.least_radius * h,
                                     rules_.largest_radius * h);
    out = {at.local, static_cast<float>(sign * radius)};
    return is_in_solid(at) ? LeafId::none() : at.leaf;
  }

 private:
  Vec<Dim> place(const LeafPoint<Dim, float>& at) const {
    return mesh_.tree.domain.position(mesh_.tree.lo(at.leaf)) +
           at.local.template cast<double>() * mesh_.tree.size(at.leaf);
  }
  bool is_in_solid(const LeafPoint<Dim, float>& at) const {
    return solid_.cuts(at.leaf) && solid_.distance(solid_.obstacles, place(at)) <
                                       marker_solid_gap * mesh_.tree.size(at.leaf);
  }

  static float uniform(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24F; }

  // A new particle that has to move moves by about a leaf at most, so that no leaf loses its own.
  double goal_depth(double depth, double random) const {
    if (depth < rules_.least_radius)
      return rules_.least_radius + random * std::min(rules_.largest_radius, rules_.band) -
             random * rules_.least_radius;
    return rules_.band - random * std::min(1.0, rules_.band - rules_.least_radius);
  }

  bool attract(LeafPoint<Dim, float>& at, double sign, double goal, double& phi_there) {
    const LeafLevelSet<Dim, Real> level_set(mesh_, phi_, at.leaf);
    const Vec<Dim> gradient = level_set.gradient(at.local);
    const double steepness = length(gradient);
    if (!(steepness > 0)) return false;
    const Box<Dim> box = mesh_.tree.domain.box();
    const Vec<Dim> x = place(at);
    const Vec<Dim> way = gradient * ((sign * goal - level_set.value(at.local)) / steepness);
    double lambda = 1;
    for (int n = 0; n < rules_.most_tries; ++n, lambda /= 2) {
      const Vec<Dim> y = x + way * lambda;
      if (!box.contains(y)) continue;
      at = locator_.template locate<float>(y);
      const LeafLevelSet<Dim, Real> there(mesh_, phi_, at.leaf);
      phi_there = there.value(at.local);
      const double depth = sign * phi_there / there.size;
      if (depth >= rules_.least_radius && depth <= rules_.band) return true;
    }
    return false;
  }

  const MeshView<Dim>& mesh_;
  View<const Real> phi_;
  const MarkerRules& rules_;
  std::uint32_t step_;
  const SolidNodes<Dim>& solid_;
  Locator<Dim> locator_;
};

}  // namespace

template <int Dim>
template <class Real>
MarkerReseeding MarkerParticles<Dim>::reseed(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                                             std::uint32_t step, const SolidNodes<Dim>& solid) {
  OCTAVO_CHECK(phi.belongs_to(mesh));
  const std::size_t leaves = mesh.leaf_count(), before = size();
  if (before == 0) {
    leaf_begin_.resize(leaves + 1);
    std::fill(leaf_begin_.begin(), leaf_begin_.end(), 0);
  }
  OCTAVO_CHECK(leaf_begin_.size() == leaves + 1);
  const MeshView<Dim> m = mesh.view();
  const View<const MarkerParticle<Dim>> old = particles();
  const View<const std::int32_t> begin = leaf_begin();
  const Seeding<Dim, Real> seeding(m, phi.view(), rules_, mesh.tree().deepest_level(), solid);
  auto plan_of = [&, old, begin](std::size_t l) {
    return seeding.plan(LeafId(l), old.begin() + begin[l], old.begin() + begin[l + 1]);
  };
  cursor_.resize(leaves);
  const View<std::int32_t> place = cursor_.view();
  const std::size_t stay = parallel_reduce(
      "plan markers", leaves, std::size_t{0},
      [&, place](std::size_t l) {
        const LeafPlan plan = plan_of(l);
        place[l] = plan.total();
        return static_cast<std::size_t>(plan.escaped + plan.kept);
      },
      std::plus<>());
  make_room(exclusive_scan("number markers", place));
  const View<MarkerParticle<Dim>> next = moved_.view();
  const View<LeafId> leaf_of = leaf_of_.view();
  const View<const Real> value = phi.view();
  parallel_blocks(
      "sow markers", leaves,
      [&](std::size_t, std::size_t first, std::size_t last) {
        Keeper<Dim, Real> keeper(seeding);
        Sower<Dim, Real> sower(m, value, rules_, step, solid);
        for (std::size_t l = first; l < last; ++l) {
          const LeafPlan plan = plan_of(l);
          if (plan.total() == 0) continue;
          MarkerParticle<Dim>* const out = next.begin() + place[l];
          MarkerParticle<Dim>* const added =
              keeper.keep(LeafId(l), plan, old.begin() + begin[l], old.begin() + begin[l + 1], out);
          LeafId* leaf = leaf_of.begin() + place[l];
          std::fill_n(leaf, added - out, LeafId(l));
          leaf += added - out;
          for (int i = 0; i < plan.added; ++i)
            leaf[i] = sower.sow(LeafId(l), static_cast<std::uint32_t>(i), added[i]);
        }
      },
      std::size_t{256});
  sort_into_leaves(leaves);
  return {.added = size() - stay, .deleted = before - stay};
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                                             \
  template MarkerReseeding MarkerParticles<Dim>::reseed(const Mesh<Dim>&, const NodeField<Real>&, \
                                                        std::uint32_t, const SolidNodes<Dim>&);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
