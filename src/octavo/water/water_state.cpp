// This is about the beginning of water, what it says about itself, and states to go on from.

#include "octavo/water/water.h"

namespace octavo {
namespace {

// These are saved beside the fields: two numbers for each body.
constexpr const char* accounts_name = "liquid accounts";
constexpr const char* most_booked_name = "liquid booked at most";

}  // namespace

template <int Dim, class Real>
void Water<Dim, Real>::start(const Start& start) {
  Start wet = start;
  auto& distance = wet.values["liquid"];
  if (!distance) {
    const Box<Dim> box = flow_.grid().tree().domain().box();
    distance = [far = length(box.hi - box.lo)](const Vec<Dim>&) { return far; };
  }
  flow_.start(wet);
  try {
    tracker_.start(mesh(), distance, tracked_solids(mesh(), flow_.solids()));
    take_surface(mesh());
    feedback_.begin(bodies_.list());
    most_booked_ = 0;
    keep_accounts();
    bound_pressure();
    extrapolate(flow_.velocity());
  } catch (...) {
    flow_.forget_state();
    throw;
  }
}

template <int Dim, class Real>
void Water<Dim, Real>::open_ledger() {
  tracked_ = {};
  ledger_ = {"liquid"};
  ledger_.before = volume_.total();
}

template <int Dim, class Real>
void Water<Dim, Real>::close_ledger() {
  ledger_.after = volume_.total();
  ledger_.advection = ledger_.after - ledger_.before - ledger_.outflow - ledger_.sources;
  keep_accounts();
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
  add("booked", feedback_.booked());
  add("drift", most_booked_ > 0 ? (volume_.total() - feedback_.booked()) / most_booked_ : 0);
  return r;
}

template <int Dim, class Real>
std::vector<FrameMesh> Water<Dim, Real>::meshes() const {
  if constexpr (Dim == 2) {
    return {};
  } else {
    flow_.require_ready();
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
  most_booked_ = std::max(most_booked_, feedback_.booked());
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
  s.numbers.push_back({most_booked_name, most_booked_});
  s.arrays.push_back({accounts_name, View<const double>(accounts_.data(), accounts_.size())});
  return s;
}

template <int Dim, class Real>
void Water<Dim, Real>::restore(const SavedState<Dim>& s) {
  flow_.restore(s);
  try {
    tracker_.restore(mesh(), s.arrays, s.numbers);
    tracked_solids(mesh(), flow_.solids());
    take_surface(mesh());
    most_booked_ = s.number(most_booked_name);
    restore_accounts(s.template array<double>(accounts_name));
    bound_pressure();
  } catch (...) {
    flow_.forget_state();
    throw;
  }
}

template <int Dim, class Real>
void Water<Dim, Real>::restore_accounts(View<const double> saved) {
  if (saved.size() != 2 * bodies_.list().size() || !all_finite(saved))
    throw InputError("the saved accounts of the liquid's volume are not those of its {} bodies",
                     bodies_.list().size());
  std::vector<VolumeAccount> accounts;
  for (std::size_t i = 0; i < saved.size(); i += 2)
    accounts.push_back({.booked = saved[i], .integral = saved[i + 1]});
  feedback_.restore(std::move(accounts));
  keep_accounts();
}

template class Water<2, float>;
template class Water<3, float>;
template class Water<2, double>;
template class Water<3, double>;

}  // namespace octavo
