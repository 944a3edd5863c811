#include "octavo/pressure/cut_rows.h"

#include <cmath>

#include "octavo/pressure/cut_row_groups.h"

namespace octavo {

template <int Dim, class Real>
RowJudge<Dim, Real>::RowJudge(const PressureFaces<Dim, Real>& faces) : faces_(faces) {
  const Vec<Dim>& gravity = faces.boundary.gravity;
  const double strength = length(gravity);
  has_height_ = faces.boundary.has_solids() && strength > 0;
  if (has_height_) up_ = gravity * (-1 / strength);
}

template <int Dim, class Real>
RowMeasure RowJudge<Dim, Real>::measure_by_level_set(const FaceRange& row) const {
  return measure_row(faces_, row, [this](LeafId leaf) {
    return static_cast<double>(faces_.boundary.level_set[leaf]);
  });
}

template <int Dim, class Real>
RowMeasure RowJudge<Dim, Real>::measure_by_height(const FaceRange& row) const {
  const OctreeView<Dim>& tree = faces_.mesh.tree;
  const Vec<Dim> origin = tree.center(LeavesBySize<Dim>(faces_.mesh, row.first).large);
  return measure_row(faces_, row,
                     [&](LeafId leaf) { return dot(up_, tree.center(leaf) - origin); });
}

template <int Dim, class Real>
RowMeasure RowJudge<Dim, Real>::measure(const FaceRange& row) const {
  const RowMeasure r = measure_by_level_set(row);
  return has_height_ && !r.is_cut() ? measure_by_height(row) : r;
}

template <int Dim, class Real>
bool RowJudge<Dim, Real>::is_degenerate(const RowMeasure& r) const {
  return !(r.weight() > 0 && r.weight() <= largest_weight);  // what is not a number is
}

template <int Dim, class Real>
bool RowJudge<Dim, Real>::is_seed(const RowMeasure& r) const {
  if (!r.is_cut())
    return has_height_ && r.wet_leaves > 0 &&
           !(std::abs(r.slope - r.moment / r.volume) <= rounding);
  if (is_degenerate(r)) return true;
  return !r.is_even && !(r.weight() >= least_even_weight && r.weight() <= largest_even_weight);
}

template <int Dim, class Real>
void CutRows<Dim, Real>::build(const PressureFaces<Dim, Real>& faces) {
  row_.resize(0);
  group_.resize(0);
  member_.resize(0);
  listed_ = 0;
  counts_ = {};
  if (faces.has_cut_rows()) list_rows(faces);
}

namespace {

// A stretch of faces has these rows, which are cut or seeds.
struct Listed {
  std::vector<CutRow> rows;
  std::vector<std::uint32_t> seeds;  // indices of them
  CutRowCounts counts;
};

// Calls f(row) for the rows of the large face that begins here, if the surface or a solid may have to do with them.
template <int Dim, class Real, class F>
void for_each_doubtful_row(const PressureFaces<Dim, Real>& faces, FaceId first, F&& f) {
  const FaceRange range = faces.large_face_from(first);
  const bool even = range.size() == 1 || !faces.boundary.has_solids();
  if (even && !faces.is_cut(range)) return;
  if (range.size() == 1 || faces.is_whole(range)) return f(range);
  for (const FaceId face : range) f(FaceRange{face, FaceId(face.value + 1)});
}

template <int Dim, class Real>
void list_row(const RowJudge<Dim, Real>& judge, SurfaceRows kind, const FaceRange& range,
              Listed& out) {
  const RowMeasure r = judge.measure(range);
  const bool seed = kind == SurfaceRows::secant && judge.is_seed(r);
  if (!r.is_cut() && !seed) return;
  const bool bad = r.is_cut() && judge.is_degenerate(r);
  double weight = 1;
  if (r.is_cut()) {
    ++out.counts.cut;
    if (range.size() > 1) ++out.counts.large;
    if (bad) ++out.counts.degenerate;
    if (!bad) out.counts.largest_weight = std::max(out.counts.largest_weight, r.weight());
    if (!seed) weight = bad ? 0 : r.weight();
    weight = std::max(weight, CutRows<Dim, Real>::least_weight);
  }
  if (seed) out.seeds.push_back(static_cast<std::uint32_t>(out.rows.size()));
  out.rows.emplace_back(range, r, weight);
}

CutRowCounts operator+(const CutRowCounts& p, const CutRowCounts& q) {
  return {p.cut + q.cut, p.large + q.large, p.degenerate + q.degenerate,
          p.without_partner + q.without_partner, std::max(p.largest_weight, q.largest_weight)};
}

}  // namespace

template <int Dim, class Real>
void CutRows<Dim, Real>::list_rows(const PressureFaces<Dim, Real>& faces) {
  const RowJudge<Dim, Real> judge(faces);
  const std::size_t n = faces.mesh.owned_faces;
  std::vector<Listed> listed(block_count(n));
  parallel_blocks("list cut rows", n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (faces.begins_large_face(FaceId(i)))
        for_each_doubtful_row(faces, FaceId(i), [&](const FaceRange& range) {
          list_row(judge, faces.scheme.surface_rows, range, listed[b]);
        });
  });
  std::vector<std::vector<CutRow>> rows;
  std::vector<std::uint32_t> seeds;
  for (Listed& part : listed) {
    for (const std::uint32_t seed : part.seeds)
      seeds.push_back(static_cast<std::uint32_t>(listed_) + seed);
    listed_ += part.rows.size();
    rows.push_back(std::move(part.rows));
    counts_ = counts_ + part.counts;
  }
  concatenate("join cut rows", rows, row_);
  if (!seeds.empty()) couple(judge, seeds);
}

// The rows that are alone need a weight of their own, the others what their group gives them.
template <int Dim, class Real>
void CutRows<Dim, Real>::couple(const RowJudge<Dim, Real>& judge,
                                const std::vector<std::uint32_t>& seeds) {
  const CutRowGroups groups = group_rows(judge, view(), seeds);
  keep(groups.member, member_);
  keep(groups.group, group_);
  counts_.without_partner = groups.alone.size();
  for (const std::uint32_t k : groups.alone) {
    CutRow& row = row_[k];
    const double weight = row.volume * row.slope / row.moment;
    const bool is_fair = weight >= 0.2 && weight <= 5;
    row.start = (is_fair ? weight : row.is_cut ? lonely_weight : 1) / row.volume;
    row.inverse_mass = row.start;
  }
  if (!groups.partners.empty()) {
    const std::vector<CutRow> own(row_.begin(), row_.end());
    concatenate("add partners", std::vector{own, groups.partners}, row_);
  }
  const CutRowsView rows = view();
  const View<CutRow> row = row_.view();
  parallel_for("diagonal of groups", rows.group.size() - 1, [=](std::size_t g) {
    const View<const std::uint32_t> members = rows.members(g);
    double dd = 0, md = 0;
    bool is_cut = false;
    for (const std::uint32_t k : members) {
      is_cut = is_cut || row[k].is_cut;
      dd += row[k].start * row[k].moment * row[k].moment;
      md += row[k].slope * row[k].moment;
    }
    for (const std::uint32_t k : members) {
      CutRow& r = row[k];
      const double xd = r.start * r.moment;
      r.group = static_cast<std::uint32_t>(g);
      r.meets_surface = is_cut;
      r.inverse_mass = r.start - xd * xd / dd + r.slope * r.slope / md;
    }
  });
}

template <int Dim, class Real>
double CutRows<Dim, Real>::squared_norm(const PressureFaces<Dim, Real>& faces,
                                        View<const Real> velocity) const {
  const CutRowsView rows = view();
  const double uncut =
      parallel_sum("norm of uncut rows", faces.mesh.owned_faces, [=](std::size_t i) {
        const FaceLink l = faces.link(FaceId(i));
        if (l.kind != FaceLink::pair && l.kind != FaceLink::surface) return 0.0;
        if (!rows.empty() && rows.find(FaceId(i)) != nullptr) return 0.0;
        const auto u = static_cast<double>(velocity[i]);
        return l.area * l.distance * u * u;
      });
  auto speed = [=](const CutRow& row) {
    for (const FaceId face : row.faces())
      if (faces.is_passage(face)) return static_cast<double>(velocity[face]);
    return 0.0;
  };
  const double alone = parallel_sum("norm of cut rows", rows.row.size(), [=](std::size_t k) {
    const CutRow& row = rows.row[k];
    const double u = speed(row);
    return row.group == CutRow::no_group ? u * u / row.inverse_mass : 0.0;
  });
  // The inverse of the secant update is that of Broyden, Fletcher, Goldfarb and Shanno.
  const std::size_t groups = rows.group.size() > 0 ? rows.group.size() - 1 : 0;
  const double coupled = parallel_sum("norm of groups", groups, [=](std::size_t g) {
    double du = 0, md = 0, sum = 0;
    for (const std::uint32_t k : rows.members(g)) {
      du += rows.row[k].moment * speed(rows.row[k]);
      md += rows.row[k].slope * rows.row[k].moment;
    }
    for (const std::uint32_t k : rows.members(g)) {
      const double rest = speed(rows.row[k]) - rows.row[k].slope * (du / md);
      sum += rest * rest / rows.row[k].start;
    }
    return sum + du * du / md;
  });
  return uncut + alone + coupled;
}

template class RowJudge<2, float>;
template class RowJudge<3, float>;
template class RowJudge<2, double>;
template class RowJudge<3, double>;
template class CutRows<2, float>;
template class CutRows<3, float>;
template class CutRows<2, double>;
template class CutRows<3, double>;

}  // namespace octavo
