// A leaf is as fine as it is
//   - because the view allows no more, although a rule asks for it: pixels, outside, hidden;
//   - because a rule asks for it, there or within the margin around it: the first of those that ask for most;
//   - because nothing may be coarser: the coarsest level;
//   - because it is kept: by hysteresis, by grading, or since its siblings are needed.

#include "octavo/refinement/refinement_reasons.h"

#include <map>

#include "octavo/refinement/field_rules.h"
#include "octavo/refinement/shape_rules.h"

namespace octavo {
namespace {

// These are the names of rules; a number tells those of one kind apart.
template <int Dim>
std::vector<std::string> names_of(const RefinementParameters<Dim>& p) {
  std::map<RefineBy, int> many, used;
  for (const RefinementRule<Dim>& rule : p.rules) ++many[rule.by];
  std::vector<std::string> names;
  for (const RefinementRule<Dim>& rule : p.rules) {
    std::string text(name(rule.by));
    if (many[rule.by] > 1) text += fmt::format(" ({})", ++used[rule.by]);
    names.push_back(std::move(text));
  }
  for (std::size_t i = 0; i < p.criteria.size(); ++i)
    names.push_back(fmt::format("criterion {}", i + 1));
  return names;
}

// This is the first of those levels that are the finest for a leaf; it is zero if there are none.
struct FinestAsked {
  std::size_t index = 0;
  int level = 0;
};
FinestAsked finest_asked(const std::vector<AskedLevels>& asked, std::size_t leaf,
                         bool always_only) {
  FinestAsked best;
  for (std::size_t c = 0; c < asked.size(); ++c)
    if (asked[c].level[leaf] > best.level && (asked[c].always || !always_only))
      best = {c, asked[c].level[leaf]};
  return best;
}

}  // namespace

// Like the octree itself, rules about fields are asked through a map, and all of them with the margin.
template <int Dim, class Real>
std::vector<AskedLevels> Refinement<Dim, Real>::asked_levels(
    const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject) {
  const FieldRules<Dim, Real> fields = field_rules(subject);
  const ShapeRules<Dim, Real> shapes = shape_rules(subject);
  const OctreeView<Dim> leaves = tree.view();
  std::vector<AskedLevels> asked;
  auto region_of = [&](LeafId leaf) {
    Leaf<Dim> region = leaves.domain.leaf(leaves.leaf_key[leaf]);
    region.level -= 1;  // a map is asked for what is finer than this
    region.reach += parameters_.margin * region.size;
    return region;
  };
  auto ask = [&](std::string name, auto&& wants) {
    AskedLevels all{std::move(name), Buffer<std::int8_t>(leaves.leaf_count())};
    parallel_for("reasons", all.level.size(), [&](std::size_t i) {
      all.level[i] = static_cast<std::int8_t>(std::min(wants(LeafId(i)), parameters_.max_level));
    });
    asked.push_back(std::move(all));
  };
  auto ask_field = [&](std::string name, auto&& wants) {
    map_.build(tree, wants);
    ask(std::move(name), [&, map = map_.to_keep()](LeafId leaf) { return map(region_of(leaf)); });
  };
  const std::vector<std::string> names = names_of(parameters_);
  for (std::size_t r = 0; r < parameters_.rules.size(); ++r) {
    const RefinementRule<Dim>& rule = parameters_.rules[r];
    if (is_about_shapes(rule.by))
      ask(names[asked.size()], [&](LeafId leaf) { return shapes.wanted(rule, region_of(leaf)); });
    else
      ask_field(names[asked.size()],
                [&](LeafId leaf) { return fields.wanted(r, leaf, fields.weight(leaf)); });
    asked.back().always = rule.always;
  }
  for (const auto& criterion : parameters_.criteria)
    ask(names[asked.size()],
        [&](LeafId leaf) { return shapes.wanted(criterion, region_of(leaf)); });
  if (view_.asks())
    ask_field("view: smoke that is seen", [&](LeafId leaf) { return fields.seen(leaf); });
  return asked;
}

template <int Dim, class Real>
RefinementReasons Refinement<Dim, Real>::reasons(const Octree<Dim>& tree,
                                                 const RefinementSubject<Dim, Real>& subject) {
  keep_ = 0;
  view_.look(subject.time, subject.mesh, subject.visibility, subject.obstacles);
  const std::vector<AskedLevels> asked = asked_levels(tree, subject);
  const OctreeView<Dim> leaves = tree.view();
  RefinementReasons why;
  for (const AskedLevels& a : asked) why.criteria.push_back({a.name});
  const std::size_t coarsest = asked.size(), kept = coarsest + 1, first_limit = kept + 1;
  why.criteria.push_back({"coarsest level"});
  why.criteria.push_back({"kept: hysteresis, siblings, grading"});
  if (view_.limits())
    for (const char* limit : {"view: pixels", "view: outside of the picture", "view: hidden"})
      why.criteria.push_back({limit});

  auto reason = [&](LeafId leaf) {
    const int level = leaves.level(leaf);
    const FinestAsked best = finest_asked(asked, leaf, false),
                      always = finest_asked(asked, leaf, true);
    const AllowedLevel allowed =
        view_.finest_allowed(leaves.domain.leaf(leaves.leaf_key[leaf]), view_.refine);
    const bool limited = allowed.by != ViewLimit::none;
    if (limited && allowed.level < level && always.level >= level) return always.index;
    if (limited && allowed.level <= level && best.level > level)
      return first_limit + static_cast<std::size_t>(allowed.by) - 1;
    if (level <= parameters_.min_level) return coarsest;
    return best.level >= level ? best.index : kept;
  };
  why.leaf.resize(leaves.leaf_count());
  parallel_for("reasons", why.leaf.size(),
               [&](std::size_t i) { why.leaf[i] = static_cast<std::uint8_t>(reason(LeafId(i))); });
  for (std::size_t i = 0; i < why.leaf.size(); ++i) {
    ++why.criteria[why.leaf[i]].set;
    const int level = leaves.level(LeafId(i));
    for (std::size_t c = 0; c < asked.size(); ++c)
      if (asked[c].level[i] >= level && level > parameters_.min_level) ++why.criteria[c].asked;
  }
  for (std::size_t c = coarsest; c < why.criteria.size(); ++c)
    why.criteria[c].asked = why.criteria[c].set;
  return why;
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                           \
  template RefinementReasons Refinement<Dim, Real>::reasons(const Octree<Dim>&, \
                                                            const RefinementSubject<Dim, Real>&);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
