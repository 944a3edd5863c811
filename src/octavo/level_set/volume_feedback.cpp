#include "octavo/level_set/volume_feedback.h"

#include "octavo/base/checks.h"

namespace octavo {

void VolumeFeedback::begin(std::span<const Body> bodies) {
  accounts_.clear();
  for (const Body& body : bodies) accounts_.push_back({.booked = body.volume});
}

namespace {

// This is how much of a body was of a former one.
struct Overlap {
  BodyId now, was;
  double volume;
};

// Overlaps are added up in runs of leaves, block after block, so that threads do not matter.
std::vector<Overlap> find_overlaps(View<const BodyId> now, View<const BodyId> was,
                                   View<const double> volume) {
  std::vector<std::vector<Overlap>> runs(block_count(now.size()));
  parallel_blocks("compare bodies", now.size(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    std::vector<Overlap>& here = runs[block];
                    for (std::size_t i = begin; i < end; ++i) {
                      if (now[i].is_none() || was[i].is_none()) continue;
                      if (here.empty() || here.back().now != now[i] || here.back().was != was[i])
                        here.push_back({now[i], was[i], 0.0});
                      here.back().volume += volume[i];
                    }
                  });
  std::vector<Overlap> all, merged;
  for (const auto& block : runs) all.insert(all.end(), block.begin(), block.end());
  std::stable_sort(all.begin(), all.end(), [](const Overlap& p, const Overlap& q) {
    return p.now != q.now ? p.now < q.now : p.was < q.was;
  });
  for (const Overlap& o : all) {
    if (merged.empty() || merged.back().now != o.now || merged.back().was != o.was)
      merged.push_back(o);
    else
      merged.back().volume += o.volume;
  }
  return merged;
}

}  // namespace

VolumeChange VolumeFeedback::follow(std::span<const Body> bodies,
                                    const LeafField<BodyId>& of_leaves,
                                    const LeafField<BodyId>& was,
                                    const LeafField<double>& in_leaves) {
  OCTAVO_CHECK(of_leaves.size() == was.size() && of_leaves.size() == in_leaves.size());
  const std::vector<Overlap> overlaps =
      find_overlaps(of_leaves.view(), was.view(), in_leaves.view());
  std::vector<double> left(accounts_.size(), 0.0), found(bodies.size(), 0.0);
  for (const Overlap& o : overlaps) {
    OCTAVO_CHECK(o.was < left.size() && o.now < found.size());
    left[o.was] += o.volume;
    found[o.now] += o.volume;
  }

  std::vector<VolumeAccount> next(bodies.size());
  for (const Overlap& o : overlaps) {
    const VolumeAccount& before = accounts_[o.was];
    next[o.now].booked += before.booked * (o.volume / left[o.was]);
    next[o.now].integral += before.integral * (o.volume / found[o.now]);
  }
  VolumeChange change;
  for (std::size_t n = 0; n < left.size(); ++n)
    if (!(left[n] > 0)) change.lost += accounts_[n].booked;
  for (std::size_t m = 0; m < found.size(); ++m)
    if (!(found[m] > 0)) {
      next[m].booked = bodies[m].volume;
      change.appeared += bodies[m].volume;
    }
  accounts_ = std::move(next);
  return change;
}

double VolumeFeedback::limit(const Body& body, double dt) const {
  if (body.is_sealed()) return 0;
  double limit = parameters_.largest_rate / share(body);
  if (!body.touches_open_wall)
    limit = std::min(limit,
                     parameters_.leaf_part * body.open_size * body.open_area / (body.volume * dt));
  return limit;
}

// The logarithm is a number here, because the C library's last digit differs from machine to machine.
constexpr double log_10 = 2.302585092994046;

void VolumeFeedback::control(std::span<const Body> bodies, double dt) {
  check_positive("a time step", dt);
  OCTAVO_CHECK(bodies.size() == accounts_.size());
  const double kp = std::min(log_10 / parameters_.response_time, 0.5 / dt), ki = kp * kp / 16;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    VolumeAccount& account = accounts_[b];
    const double most = limit(bodies[b], dt);
    account.divergence = 0;
    account.limited = !(most > 0) || !(account.booked > 0);
    if (account.limited) continue;
    const double x = bodies[b].volume / account.booked - 1, y = account.integral + x * dt;
    const double c = -(kp * x + ki * y) / (1 + x);
    account.divergence = std::clamp(c, -most, most);
    account.limited = account.divergence != c;
    if (!account.limited) account.integral = y;
  }
}

double VolumeFeedback::booked() const {
  double sum = 0;
  for (const VolumeAccount& account : accounts_) sum += account.booked;
  return sum;
}

template <int Dim, class Real>
void VolumeFeedback::wanted_divergence(const SurfaceLeaves<Dim, Real>& surface,
                                       const Bodies<Dim, Real>& bodies,
                                       LeafField<Real>& out) const {
  const std::span<const Body> list = bodies.list();
  OCTAVO_CHECK(list.size() == accounts_.size());
  std::vector<Real> rate(list.size());
  for (std::size_t b = 0; b < list.size(); ++b)
    rate[b] = static_cast<Real>(accounts_[b].divergence * share(list[b]));
  out.resize(surface.mesh());
  const View<const BodyId> body = bodies.of_leaves().view();
  const View<Real> wanted = out.view();
  parallel_for("wanted divergence", wanted.size(),
               [&](std::size_t i) { wanted[i] = body[i].is_none() ? Real{0} : rate[body[i]]; });
  const View<const SurfaceLeaf> leaves = surface.leaves();
  parallel_for("spare solids", leaves.size(), [&](std::size_t i) {
    const SurfaceLeaf& s = leaves[i];
    if (s.beside_solid && !body[s.leaf].is_none() && spares_solids(list[body[s.leaf]]))
      wanted[s.leaf] = 0;
  });
}

#define OCTAVO_INSTANTIATE(Dim, Real)              \
  template void VolumeFeedback::wanted_divergence( \
      const SurfaceLeaves<Dim, Real>&, const Bodies<Dim, Real>&, LeafField<Real>&) const;
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
