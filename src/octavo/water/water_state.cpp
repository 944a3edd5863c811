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
  const SolidNodes<Dim> solid = flow_.solids().nodes();
  if (at != start.values.end() && at->second)
    tracker_.start(mesh(), at->second, solid.inside);
  else
    tracker_.start(
        mesh(), [](const Vec<Dim>&) { return 1.0; }, solid.inside);
  take_surface(mesh(), flow_.solids());
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
  ledger_.advection = ledger_.after - ledger_.before - ledger_.outflow;
  keep_accounts();
}

// This is the liquid that the velocity carries out through open walls in a time dt; what comes in is air.
template <int Dim, class Real>
double Water<Dim, Real>::flow_out(double dt) const {
  const auto walls = parameters_.walls;
  if (std::none_of(walls.begin(), walls.end(), [](const Wall& w) { return w.is_open; })) return 0;
  const MeshView<Dim> m = mesh().view();
  const View<const Real> u = flow_.velocity().view();
  const auto tetrahedra = surface_.tetrahedra();
  return parallel_sum("liquid flows out", m.face_count(), [=](std::size_t i) {
    const FaceId face(i);
    if (!m.is_wall(face)) return 0.0;
    const bool high = m.face_leaf[face].high.is_none();
    const int side = 2 * m.axis(face) + (high ? 1 : 0);
    const double speed = (high ? 1 : -1) * static_cast<double>(u[i]);
    if (speed <= 0 || !walls[static_cast<std::size_t>(side)].is_open) return 0.0;
    return dt * m.area(face) * speed * wet_part(tetrahedra, face);
  });
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
    return {{"surface", surface_mesh(contour, std::as_const(normals).view())}};
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
  take_surface(mesh(), flow_.solids());
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
