#include "octavo/refinement/refinement.h"

#include "octavo/base/free_room.h"
#include "octavo/refinement/field_rules.h"
#include "octavo/refinement/shape_rules.h"

namespace octavo {
namespace {

// Strictness has to grow by this factor for rules about shapes, which thin solids depend on, to lose a level.
constexpr double strictness_of_shapes = 512;

// A region wants the level that the map has where it is, and where what will be in it at the end of the step is now.
template <int Dim, class Real>
struct Upstream {
  LevelMapView<Dim> map;
  const RefinementSubject<Dim, Real>& subject;
  MeshView<Dim> mesh;

  int operator()(const Leaf<Dim>& region) const {
    const int here = map(region);
    if (here > region.level || subject.dt <= 0) return here;
    const Vec<Dim> u =
        sample<Vec<Dim, Real>>(mesh, subject.velocity, region.center).template cast<double>();
    Leaf<Dim> before = region;
    before.center -= u * subject.dt;
    return map(before);
  }
};

}  // namespace

template <int Dim, class Real>
void Refinement<Dim, Real>::map_fields(const Octree<Dim>& tree,
                                       const RefinementSubject<Dim, Real>& subject) {
  const FieldRules<Dim, Real> rules = field_rules(subject);
  map_.build(tree, [&](LeafId leaf) {
    const double weight = rules.weight(leaf);
    WantedLevels all = rules.seen(leaf);
    for (std::size_t r = 0; r < parameters_.rules.size(); ++r)
      all = rules.wanted(r, leaf, weight, all);

    // A leaf sees too little of itself to know which of its parts are worth more than one level.
    const int most = rules.mesh.tree.level(leaf) + 1;
    return WantedLevels::from(std::min<int>(all.refine, most), std::min<int>(all.keep, most));
  });
}

// Each rule looks at one of these fields.
template <int Dim, class Real>
std::vector<View<const Real>> Refinement<Dim, Real>::fields_of(
    const RefinementSubject<Dim, Real>& subject) const {
  std::vector<View<const Real>> fields;
  for (const RefinementRule<Dim>& rule : parameters_.rules) {
    fields.push_back(looks_at_field(rule.by) ? subject.field(rule.field) : View<const Real>{});
    if (looks_at_field(rule.by) && fields.back().size() == 0)
      throw InputError("refinement by {} looks at the field '{}', which is not there",
                       name(rule.by), rule.field);
  }
  return fields;
}

template <int Dim, class Real>
FieldRules<Dim, Real> Refinement<Dim, Real>::field_rules(
    const RefinementSubject<Dim, Real>& subject) const {
  return {parameters_, subject, view_, subject.mesh.view(), fields_of(subject), strictness_, keep_};
}

template <int Dim, class Real>
ShapeRules<Dim, Real> Refinement<Dim, Real>::shape_rules(
    const RefinementSubject<Dim, Real>& subject) const {
  const int coarser = static_cast<int>(std::log(strictness_) / std::log(strictness_of_shapes));
  return {parameters_, posed_sources(sources_, subject.time, subject.dt), subject, coarser};
}

// This collects the leaves that are wanted now, unless these are more than `most_new` above those that there are.
template <int Dim, class Real>
bool Refinement<Dim, Real>::adapt_leaves(const Octree<Dim>& tree,
                                         const RefinementSubject<Dim, Real>& subject,
                                         std::size_t most_new, Buffer<Key<Dim>>& keys) {
  map_fields(tree, subject);
  const ShapeRules<Dim, Real> shapes = shape_rules(subject);
  const int most = parameters_.max_level, least = parameters_.min_level;

  // Whether the view allows what is wanted is asked only if it is finer than what is there.
  auto wanted_by = [&](const LevelMapView<Dim>& map, double slack) {
    return [&, slack,
            fields = Upstream<Dim, Real>{map, subject, subject.mesh.view()}](Leaf<Dim> region) {
      if (region.level < least) return least;
      const Leaf<Dim> itself = region;
      region.reach += parameters_.margin * region.size;
      const int by_field = fields(region);
      const int level =
          std::clamp(by_field > region.level ? by_field : shapes(region), least, most);
      if (level <= region.level || !view_.limits()) return level;
      const int allowed = std::min(level, view_.finest_allowed(itself, slack).level);
      return allowed > region.level ? allowed : std::max(least, shapes.always(region));
    };
  };
  AdaptOptions options{parameters_.hysteresis, parameters_.grading, most};
  options.one_level = parameters_.view.one_level_per_step && subject.dt > 0;
  options.most_new = most_new;
  return adapted_leaves(tree, wanted_by(map_.to_refine(), view_.refine),
                        wanted_by(map_.to_keep(), view_.keep), options, keys);
}

// The result is false if they are so many more than the bound that they were not even counted.
template <int Dim, class Real>
bool Refinement<Dim, Real>::collect(const Octree<Dim>& tree,
                                    const RefinementSubject<Dim, Real>& subject,
                                    Buffer<Key<Dim>>& keys) {
  if (parameters_.max_leaves > 0)
    return adapt_leaves(tree, subject, most_fill * parameters_.max_leaves, keys);
  collect_within_memory(tree, subject, keys);
  return true;
}

// How much memory is free is asked only if it matters.
template <int Dim, class Real>
void Refinement<Dim, Real>::collect_within_memory(const Octree<Dim>& tree,
                                                  const RefinementSubject<Dim, Real>& subject,
                                                  Buffer<Key<Dim>>& keys) {
  constexpr std::size_t few = 1'000'000;
  if (adapt_leaves(tree, subject, few, keys)) return;
  const double bytes =
      static_cast<double>(available_memory()) + static_cast<double>(BufferMemory::now());
  const double most = std::min(bytes / least_bytes_per_leaf<Dim>, std::ldexp(1.0, 32 - Dim));
  const double most_new = most - static_cast<double>(tree.leaf_count());
  if (most_new > few && adapt_leaves(tree, subject, static_cast<std::size_t>(most_new), keys))
    return;
  const std::string sentence = fmt::format(
      "refinement asks for more than {:.3g} leaves, which do not fit into {} of memory; a smaller "
      "grid.max_level or "
      "a grid.max_leaves makes them fewer",
      most, bytes_text(bytes));
  if (subject.dt > 0) throw SimulationError("{}", sentence);
  throw InputError("{}", sentence);
}

template <int Dim, class Real>
void Refinement<Dim, Real>::next_leaves(const Octree<Dim>& tree,
                                        const RefinementSubject<Dim, Real>& subject,
                                        Buffer<Key<Dim>>& keys) {
  keep_ = 0;
  view_.look(subject.time + subject.dt, subject.mesh, subject.visibility, subject.obstacles);
  const double before = strictness_;
  if (subject.dt > 0 && fill(tree.leaf_count()) < least_fill)
    strictness_ = std::max(1.0, before / small_step);
  auto fits = [&] { return collect(tree, subject, keys) && fill(keys.size()) <= 1; };
  if (fits()) return;

  // It fell too soon: what was strict enough until now may still be.
  if (strictness_ < before) {
    strictness_ = before;
    if (fits()) return;
  }
  tighten(tree, subject, keys);
}

// This finds a strictness with which the bound holds and not much of it is left unused; the more tries it has
// taken, the less is asked for. The number of leaves is taken for a power of the strictness: that of -0.7 at
// first, which errs on the side of too few, then that which the tries show. The next try lies between the last
// that was too low and the last that was too high. Nothing is kept meanwhile that would not be refined again.
template <int Dim, class Real>
void Refinement<Dim, Real>::tighten(const Octree<Dim>& tree,
                                    const RefinementSubject<Dim, Real>& subject,
                                    Buffer<Key<Dim>>& keys) {
  const double small = std::log(small_step);  // of logarithms of strictness
  const double most =
      std::max(70.0, std::log(strictness_of_shapes) * (parameters_.max_level + 0.5));
  const double goal = std::log(0.5 * (1 + least_fill));
  keep_ = 1;

  // These are logarithms of a strictness and of what it fills, if leaves were counted.
  struct Try {
    double strictness, fill;
    bool counted = true;
  };
  auto attempt = [&](double strictness) {
    strictness_ = std::exp(strictness);
    const bool counted = collect(tree, subject, keys);
    return Try{strictness, std::log(counted ? fill(keys.size()) : most_fill), counted};
  };

  Try low = attempt(std::log(strictness_)), high{most, 0};
  if (low.fill <= 0) return;
  double slope = -0.7, enough = std::log(least_fill);
  Try now = low;
  while (now.fill > 0 || now.fill < enough) {
    if (high.strictness - low.strictness <= small) break;
    double next = low.strictness + std::max((goal - low.fill) / slope, small);
    if (next >= high.strictness) next = 0.5 * (low.strictness + high.strictness);
    now = attempt(next);
    if (now.counted) {
      slope = std::min((now.fill - low.fill) / (now.strictness - low.strictness), -0.05);
      enough -= 0.05;
    }
    (now.fill <= 0 ? high : low) = now;
  }
  if (now.fill > 0 && !attempt(high.strictness).counted) collect_within_memory(tree, subject, keys);
}

// What is there at the beginning may be anywhere; beyond so many leaves it is too much for all.
template <int Dim>
int first_level(const RefinementParameters<Dim>& parameters, const Domain<Dim>& domain) {
  constexpr double most_leaves = 300'000;
  int level = parameters.min_level;
  while (level < parameters.max_level &&
         domain.root_count() * std::pow(2.0, Dim * (level + 1)) < most_leaves)
    ++level;
  return level;
}

template int first_level(const RefinementParameters<2>&, const Domain<2>&);
template int first_level(const RefinementParameters<3>&, const Domain<3>&);

template class Refinement<2, float>;
template class Refinement<3, float>;
template class Refinement<2, double>;
template class Refinement<3, double>;

}  // namespace octavo
