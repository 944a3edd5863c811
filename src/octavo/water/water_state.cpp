// This is about the beginning of water, what it says about itself, and states to go on from.

#include "octavo/water/water.h"

namespace octavo {
namespace {

// These are saved beside the fields: two numbers for each body.
constexpr const char* accounts_name = "liquid accounts";

}  // namespace

template <int Dim, class Real>
void Water<Dim, Real>::start(const Start& start) {
  flow_.start(start);
  const auto at = start.values.find("liquid");
  const TrackedSolids<Real> solids = tracked_solids(mesh(), flow_.solids());
  if (at != start.values.end() && at->second)
    tracker_.start(mesh(), at->second, solids);
  else
    tracker_.start(
        mesh(), [](const Vec<Dim>&) { return 1.0; }, solids);
  take_surface(mesh());
  feedback_.begin(bodies_.list());
  lost_ = 0;
  keep_accounts();
  bound_pressure();
  extrapolate(flow_.velocity());
}

template <int Dim, class Real>
void Water<Dim, Real>::open_ledger(double dt) {
  tracked_ = {};
  ledger_ = {"liquid"};
  ledger_.before = volume_.total();
  ledger_.outflow = -flow_out(dt);
}

template <int Dim, class Real>
void Water<Dim, Real>::close_ledger() {
  ledger_.after = volume_.total();
  ledger_.advection = ledger_.after - ledger_.before - ledger_.outflow - ledger_.sources;
  keep_accounts();
}

// This is the liquid that the velocity carries out through open walls in a time dt, each body's booked; what comes in is
// air.
template <int Dim, class Real>
double Water<Dim, Real>::flow_out(double dt) {
  const auto walls = parameters_.walls;
  if (std::none_of(walls.begin(), walls.end(), [](const Wall& w) { return w.is_open; })) return 0;
  const MeshView<Dim> m = mesh().view();
  const View<const Real> u = std::as_const(flow_).velocity().view();
  const auto tetrahedra = surface_.tetrahedra();
  double all = 0;
  for (std::size_t i = 0; i < m.face_count(); ++i) {
    const FaceId face(i);
    if (!m.is_wall(face)) continue;
    const auto [below, above] = m.face_leaf[face];
    const int side = 2 * m.axis(face) + (above.is_none() ? 1 : 0);
    const LeafId leaf = above.is_none() ? below : above;
    const BodyId body = bodies_.of_leaves()[leaf];
    const double speed = (above.is_none() ? 1 : -1) * static_cast<double>(u[i]);
    if (speed <= 0 || body.is_none() || !walls[static_cast<std::size_t>(side)].is_open) continue;
    const double out =
        std::min(dt * m.area(face) * speed * wet_part(tetrahedra, face), volume_.in_leaves()[leaf]);
    feedback_.book(body, -out);
    all += out;
  }
  return all;
}

template <int Dim, class Real>
StepReport Water<Dim, Real>::report(StepReport r) const {
  r.ledger.push_back(ledger_);
  auto add = [&](const char* name, double value) { r.further.push_back({name, value}); };
  add("volume", volume_.total());
  add("surface_area", volume_.surface_area());
  add("bodies", static_cast<double>(bodies_.list().size()));
  add("particles", static_cast<double>(tracked_.elements));
  add("escaped", static_cast<double>(tracked_.escaped));
  if (parameters_.keep_volume == KeepVolume::flow) {
    const double booked = feedback_.booked();
    add("booked", booked);
    add("drift", booked > 0 ? (volume_.total() - booked) / booked : 0);
  }
  return r;
}

template <int Dim, class Real>
std::vector<FrameMesh> Water<Dim, Real>::meshes() const {
  if constexpr (Dim == 2) {
    return {};
  } else {
    Contour<3, Real> contour;
    contour.build(surface_);
    Buffer<Vec3f> normals;
    contour.normals(surface_, normals);
    NodeField<Vec<3, Real>> nodal;
    flow_.nodal_velocity(nodal);
    Buffer<Vec<3, Real>> velocities;
    contour.sample(surface_, nodal, velocities);
    return {{"surface", surface_mesh(contour, std::as_const(normals).view(),
                                     std::as_const(velocities).view())}};
  }
}

template <int Dim, class Real>
void Water<Dim, Real>::keep_accounts() {
  accounts_.clear();
  for (const VolumeAccount& a : feedback_.accounts()) {
    accounts_.push_back(a.booked);
    accounts_.push_back(a.integral);
  }
}

template <int Dim, class Real>
SavedState<Dim> Water<Dim, Real>::state() const {
  SavedState<Dim> s = flow_.state();
  tracker_.save(s.arrays, s.numbers);
  s.arrays.push_back({accounts_name, View<const double>(accounts_.data(), accounts_.size())});
  return s;
}

template <int Dim, class Real>
void Water<Dim, Real>::restore(const SavedState<Dim>& s) {
  flow_.restore(s);
  tracker_.restore(mesh(), s.arrays, s.numbers);
  tracked_solids(mesh(), flow_.solids());
  take_surface(mesh());
  const View<const double> saved = s.template array<double>(accounts_name);
  if (saved.size() != 2 * bodies_.list().size() || !all_finite(saved))
    throw InputError("the saved accounts of the liquid's volume are not those of its {} bodies",
                     bodies_.list().size());
  std::vector<VolumeAccount> accounts;
  for (std::size_t i = 0; i < saved.size(); i += 2)
    accounts.push_back({.booked = saved[i], .integral = saved[i + 1]});
  feedback_.restore(std::move(accounts));
  keep_accounts();
  bound_pressure();
}

template class Water<2, float>;
template class Water<3, float>;
template class Water<2, double>;
template class Water<3, double>;

}  // namespace octavo
