#include "octavo/pressure/cut_row_groups.h"

#include <cmath>
#include <numeric>

namespace octavo {
namespace {

// So many partners of a seed are tried, the best first.
constexpr std::size_t most_partners = 8;
// A group is good if sum m d is at least this part of sum V m^2.
constexpr double least_part = 0.01;

struct Partner {
  CutRow row;
  double strength;   // m d
  bool of_cut_seed;  // then it is measured by the level set, as the seed is
};

// Calls f(leaf) for the liquid leaves of a row.
template <int Dim, class Real, class F>
void for_each_wet_leaf(const PressureFaces<Dim, Real>& faces, const CutRow& row, F&& f) {
  if (row.large_is_wet) f(LeavesBySize<Dim>(faces.mesh, row.first).large);
  for_each_open_face(faces, row.faces(), [&](FaceId, const LeavesBySize<Dim>& leaves, double) {
    if (faces.is_liquid(leaves.small)) f(leaves.small);
  });
}

// These are the rows of other directions that share a liquid leaf with a row, in the order of their faces.
template <int Dim, class Real>
std::vector<FaceRange> rows_beside(const PressureFaces<Dim, Real>& faces, const CutRow& seed) {
  struct OpenFace {
    FaceId large, face;  // the first face of the large face, and the face itself
  };
  std::vector<OpenFace> open;
  for_each_wet_leaf(faces, seed, [&](LeafId leaf) {
    for (int side = 0; side < side_count<Dim>; ++side) {
      if (side / 2 == faces.mesh.axis(seed.first)) continue;
      for (const FaceId face : faces.mesh.faces(leaf, side)) {
        if (!faces.is_passage(face)) continue;
        const LeavesBySize<Dim> leaves(faces.mesh, face);
        const int toward = 2 * (side / 2) + (leaves.large_is_high ? 0 : 1);
        open.push_back({faces.mesh.first_face(leaves.large, toward), face});
      }
    }
  });
  std::sort(open.begin(), open.end(), [](const OpenFace& p, const OpenFace& q) {
    return p.large != q.large ? p.large < q.large : p.face < q.face;
  });

  std::vector<FaceRange> rows;
  bool is_whole = false;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const bool is_new = i == 0 || open[i].large != open[i - 1].large;
    if (is_new) {
      const FaceRange range = faces.large_face_from(open[i].large);
      is_whole = faces.is_whole(range);
      if (is_whole) rows.push_back(range);
    }
    if (!is_whole && (is_new || open[i].face != open[i - 1].face))
      rows.push_back({open[i].face, FaceId(open[i].face.value + 1)});
  }
  return rows;
}

// The best partners of a seed are those of the largest m d; of equal ones the first.
template <int Dim, class Real>
std::vector<Partner> partners_of(const RowJudge<Dim, Real>& judge, const CutRow& seed) {
  std::vector<Partner> found;
  for (const FaceRange& range : rows_beside(judge.faces(), seed)) {
    RowMeasure r = judge.measure(range);
    if (seed.is_cut && !r.is_cut()) r = judge.measure_by_level_set(range);
    const double strength = r.slope * r.moment;
    const bool is_good = strength > 0 && std::isfinite(strength);
    if (is_good && !(r.is_cut() && judge.is_degenerate(r)))
      found.push_back({CutRow(range, r, r.is_cut() ? r.weight() : 1), strength, seed.is_cut});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Partner& p, const Partner& q) { return p.strength > q.strength; });
  if (found.size() > most_partners) found.resize(most_partners);
  return found;
}

// Seeds and the partners they have so far, among them other seeds, are joined into groups; what is bad about a group is
// found, and mended: its seeds take their next best partners, or the worst of them gives up.
class Coupling {
 public:
  Coupling(const CutRowsView& rows, const std::vector<std::uint32_t>& seeds,
           const std::vector<std::vector<Partner>>& partners);

  CutRowGroups solve();

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Sums {
    double moment = 0, volume = 0;  // of m d, and of V m^2
    bool may_grow = false;
    std::uint32_t worst = none;  // of the seeds that ask for partners

    bool is_good() const { return moment > 0 && moment >= least_part * volume; }
  };
  std::uint32_t first_of_group(std::uint32_t i) {
    while (group_[i] != i) i = group_[i] = group_[group_[i]];
    return i;
  }
  void join(std::uint32_t p, std::uint32_t q) {
    p = first_of_group(p);
    q = first_of_group(q);
    group_[std::max(p, q)] = std::min(p, q);
  }
  const CutRow& row(std::uint32_t i) const {
    return i < seeds_.size() ? rows_.row[seeds_[i]] : node_[i - seeds_.size()].row;
  }
  bool asks(std::size_t seed) const { return taken_[seed] > 0; }
  void join_all();
  bool mend();
  CutRowGroups result();

  const CutRowsView& rows_;
  const std::vector<std::uint32_t>& seeds_;
  std::vector<Partner> node_;  // all partners that are no seeds, in the order of their faces
  // Rows have numbers here: seeds first, then nodes.
  std::vector<std::vector<std::uint32_t>> partner_of_seed_;
  std::vector<std::size_t> taken_;    // of each seed: so many of its partners
  std::vector<std::uint32_t> group_;  // of each row; it is a forest
  std::vector<bool> is_used_;         // of each row
};

Coupling::Coupling(const CutRowsView& rows, const std::vector<std::uint32_t>& seeds,
                   const std::vector<std::vector<Partner>>& partners)
    : rows_(rows), seeds_(seeds) {
  auto first_of_seed = [&](std::uint32_t k) { return rows_.row[k].first; };
  auto seed_with = [&](FaceId first) {
    const auto at =
        std::lower_bound(seeds_.begin(), seeds_.end(), first,
                         [&](std::uint32_t k, FaceId wanted) { return first_of_seed(k) < wanted; });
    const bool is_one = at != seeds_.end() && first_of_seed(*at) == first;
    return is_one ? static_cast<std::uint32_t>(at - seeds_.begin()) : none;
  };
  for (const auto& of_seed : partners)
    for (const Partner& p : of_seed)
      if (seed_with(p.row.first) == none) node_.push_back(p);
  std::stable_sort(node_.begin(), node_.end(), [](const Partner& p, const Partner& q) {
    return p.row.first != q.row.first ? p.row.first < q.row.first : p.of_cut_seed > q.of_cut_seed;
  });
  auto is_same = [](const Partner& p, const Partner& q) { return p.row.first == q.row.first; };
  node_.erase(std::unique(node_.begin(), node_.end(), is_same), node_.end());

  for (const auto& of_seed : partners) {
    taken_.push_back(of_seed.empty() ? 0 : 1);
    std::vector<std::uint32_t>& numbers = partner_of_seed_.emplace_back();
    for (const Partner& p : of_seed) {
      const auto at =
          std::lower_bound(node_.begin(), node_.end(), p.row.first,
                           [](const Partner& q, FaceId first) { return q.row.first < first; });
      const std::uint32_t seed = seed_with(p.row.first);
      numbers.push_back(seed != none ? seed
                                     : static_cast<std::uint32_t>(seeds_.size()) +
                                           static_cast<std::uint32_t>(at - node_.begin()));
    }
  }
}

CutRowGroups Coupling::solve() {
  do join_all();
  while (mend());
  return result();
}

void Coupling::join_all() {
  group_.resize(seeds_.size() + node_.size());
  std::iota(group_.begin(), group_.end(), 0u);
  is_used_.assign(group_.size(), false);
  for (std::uint32_t s = 0; s < seeds_.size(); ++s)
    for (std::size_t k = 0; k < taken_[s]; ++k) {
      const std::uint32_t partner = partner_of_seed_[s][k];
      is_used_[s] = is_used_[partner] = true;
      join(s, partner);
    }
}

bool Coupling::mend() {
  std::vector<Sums> sums(group_.size());
  auto moment = [&](std::uint32_t i) { return row(i).slope * row(i).moment; };
  for (std::uint32_t i = 0; i < group_.size(); ++i) {
    if (!is_used_[i]) continue;
    Sums& s = sums[first_of_group(i)];
    s.moment += moment(i);
    s.volume += row(i).volume * row(i).slope * row(i).slope;
    if (i >= seeds_.size() || !asks(i)) continue;
    s.may_grow = s.may_grow || taken_[i] < partner_of_seed_[i].size();
    if (s.worst == none || moment(i) < moment(s.worst)) s.worst = i;
  }

  bool changed = false;
  for (std::uint32_t i = 0; i < seeds_.size(); ++i) {
    if (!asks(i)) continue;
    const Sums& s = sums[first_of_group(i)];
    if (s.is_good()) continue;
    if (s.may_grow && taken_[i] < partner_of_seed_[i].size()) ++taken_[i];
    if (!s.may_grow && s.worst == i) taken_[i] = 0;
    changed = true;
  }
  return changed;
}

CutRowGroups Coupling::result() {
  CutRowGroups out;
  std::vector<std::vector<std::uint32_t>> members(group_.size());
  for (std::uint32_t i = 0; i < group_.size(); ++i) {
    const bool is_seed = i < seeds_.size();
    if (!is_used_[i]) {
      if (is_seed) out.alone.push_back(seeds_[i]);
      continue;
    }
    const CutRow* listed = rows_.find(row(i).first);
    auto index = static_cast<std::uint32_t>(rows_.row.size() + out.partners.size());
    if (listed != nullptr)
      index = static_cast<std::uint32_t>(listed - rows_.row.begin());
    else
      out.partners.push_back(row(i));
    members[first_of_group(i)].push_back(index);
  }
  out.group.push_back(0);
  for (const auto& of_group : members) {
    if (of_group.empty()) continue;
    out.member.insert(out.member.end(), of_group.begin(), of_group.end());
    out.group.push_back(static_cast<std::uint32_t>(out.member.size()));
  }
  return out;
}

}  // namespace

template <int Dim, class Real>
CutRowGroups group_rows(const RowJudge<Dim, Real>& judge, const CutRowsView& rows,
                        const std::vector<std::uint32_t>& seeds) {
  std::vector<std::vector<Partner>> partners(seeds.size());
  parallel_blocks(
      "find partners", seeds.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s)
          partners[s] = partners_of(judge, rows.row[seeds[s]]);
      },
      std::size_t{64});
  return Coupling(rows, seeds, partners).solve();
}

template CutRowGroups group_rows(const RowJudge<2, float>&, const CutRowsView&,
                                 const std::vector<std::uint32_t>&);
template CutRowGroups group_rows(const RowJudge<3, float>&, const CutRowsView&,
                                 const std::vector<std::uint32_t>&);
template CutRowGroups group_rows(const RowJudge<2, double>&, const CutRowsView&,
                                 const std::vector<std::uint32_t>&);
template CutRowGroups group_rows(const RowJudge<3, double>&, const CutRowsView&,
                                 const std::vector<std::uint32_t>&);

}  // namespace octavo
