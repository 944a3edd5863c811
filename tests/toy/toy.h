#pragma once

// A second kind of simulation, to see that nothing but smoke's own folder knows of smoke: dye in a flow whose
// velocity is given, with markers that drift along.
//
//   dye      a number on nodes, carried, that sources set
//   age      of leaves: for how long there has been dye, s
//   markers  points, let go one by one, as many as there are; drawn as triangles
//
//   register_kind(tracer_kind());
//   const SceneFile file = parse_scene("tracer.motion = \"spin\"", "a.toml", ".");

#include "octavo/scene/kinds.h"

namespace octavo::test {

// What the table [tracer] says.
template <int Dim>
struct TracerSettings {
  Choice motion{{"drift", "spin"}};
  Vec<Dim> drift = Vec<Dim>::filled(0.5);    // m/s
  double spin = 1;                           // about the middle of the box, from x to y, 1/s
  double fading = 0;                         // of dye, 1/s
  Vec<Dim> release = Vec<Dim>::filled(0.5);  // where markers are let go, m
  int every = 1;                             // steps, one of them
  bool triangles = true;

  Vec<Dim> velocity(const Vec<Dim>& from_middle) const {
    if (motion.chosen == 0) return drift;
    Vec<Dim> u{};
    u[0] = -spin * from_middle[1];
    u[1] = spin * from_middle[0];
    return u;
  }
};

inline std::vector<FieldInfo> tracer_fields(double fading) {
  return {{.name = "dye",
           .unit = "g/l",
           .help = "How much dye there is.",
           .decay = fading,
           .has_ledger = true,
           .role = FieldRole::haze},
          {.name = "age",
           .unit = "s",
           .help = "For how long there has been dye.",
           .place = FieldPlace::leaf,
           .next_mesh = NextMesh::transferred}};
}

template <int Dim>
class DyeFlow {
 public:
  DyeFlow(const Domain<Dim>& domain, const FlowParameters<Dim>& parameters,
          const TracerSettings<Dim>& settings)
      : parameters_(parameters),
        settings_(settings),
        middle_(domain.box().center()),
        flow_(domain, parameters_, tracer_fields(settings.fading)),
        dye_(flow_.number("dye")),
        age_(*flow_.fields().find("age")->template as<LeafField<float>>()) {}
  ~DyeFlow() = default;
  DyeFlow(const DyeFlow&) = delete;
  DyeFlow& operator=(const DyeFlow&) = delete;

  void start(FlowStart<Dim> start) {
    start.velocity = [this](const Vec<Dim>& x) { return settings_.velocity(x - middle_); };
    flow_.start(start);
    places_.clear();
    born_.clear();
    let_go_ = 0;
  }

  StepReport step(double dt) {
    const double now = flow_.time();
    flow_.begin_step(dt);
    flow_.decide_leaves(dt);
    flow_.onto_next_mesh(dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
      move_markers(from, to, dt);
      flow_.advect(from, to, dt);
    });
    flow_.emit_sources(now, now + dt);
    flow_.decay(dt);
    give_velocity();
    grow_older(dt);
    let_marker_go();
    StepReport report = flow_.end_step(dt);
    report.further.push_back({"markers", static_cast<double>(places_.size())});
    return report;
  }

  int substeps_for(double seconds) const { return parameters_.substeps(leaves_passed_in(seconds)); }
  double leaves_passed_in(double seconds) const { return flow_.leaves_passed_in(seconds, 0); }

  SavedState<Dim> state() const {
    SavedState<Dim> s = flow_.state();
    s.numbers.push_back({"markers let go", static_cast<double>(let_go_)});
    s.arrays.push_back({"marker places", coordinates()});
    s.arrays.push_back({"marker births", View<const std::int32_t>(born_.data(), born_.size())});
    return s;
  }

  void restore(const SavedState<Dim>& s) {
    const View<const double> x = s.template array<double>("marker places");
    const View<const std::int32_t> born = s.template array<std::int32_t>("marker births");
    if (x.size() != Dim * born.size() || !all_finite(x))
      throw InputError("the saved markers make no sense");
    std::vector<Vec<Dim>> places(born.size());
    for (std::size_t i = 0; i < x.size(); ++i) places[i / Dim][static_cast<int>(i % Dim)] = x[i];
    const auto let_go = static_cast<int>(s.number("markers let go"));
    std::vector<std::int32_t> births(born.begin(), born.end());
    flow_.restore(s);
    places_.swap(places);
    born_.swap(births);
    let_go_ = let_go;
  }

  // A triangle around each marker, all of them upright.
  std::vector<FrameMesh> meshes() const {
    if (!settings_.triangles) return {};
    FrameMesh markers{"markers", {}};
    for (const Vec<Dim>& x : places_) {
      const auto first = static_cast<std::uint32_t>(markers.mesh.vertices.size());
      for (int c = 0; c < 3; ++c) {
        Vec3d corner{};
        for (int a = 0; a < Dim; ++a) corner[a] = x[a];
        corner[0] += 0.01 * (c - 1);
        corner[1] += c == 1 ? 0.02 : 0;
        markers.mesh.vertices.push_back(corner);
      }
      markers.mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return {markers};
  }

  RefinementReasons refinement_reasons() { return flow_.refinement_reasons(); }
  const Flow<Dim>& flow() const { return flow_; }
  const std::vector<Vec<Dim>>& places() const { return places_; }

 private:
  using MeshAndSolids = typename Flow<Dim>::MeshAndSolids;

  // Those that leave the box are gone.
  void move_markers(const MeshAndSolids& from, const MeshAndSolids& to, double dt) {
    const auto paths = flow_.paths(from, to, dt);
    auto tracer = paths.tracer();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Vec<Dim> x = tracer.back(places_[i], tracer.velocity(places_[i]), -dt);
      if (!from.mesh.tree().domain().box().contains(x)) continue;
      places_[kept] = x;
      born_[kept++] = born_[i];
    }
    places_.resize(kept);
    born_.resize(kept);
  }

  void let_marker_go() {
    if (flow_.steps() % static_cast<std::uint64_t>(settings_.every) != 0) return;
    places_.push_back(settings_.release);
    born_.push_back(static_cast<std::int32_t>(flow_.steps()));
    ++let_go_;
  }

  // The same at all times, but for what walls and solids make of it.
  void give_velocity() {
    const MeshView<Dim> m = flow_.mesh().view();
    const View<float> u = flow_.velocity().view();
    parallel_for("given velocity", u.size(), [&, m, u](std::size_t i) {
      const FaceId f(i);
      u[i] = static_cast<float>(settings_.velocity(m.center(f) - middle_)[m.axis(f)]);
    });
    flow_.impose_boundary();
  }

  void grow_older(double dt) {
    const MeshView<Dim> m = flow_.mesh().view();
    const View<const float> dye = std::as_const(dye_).view();
    const View<float> age = age_.view();
    parallel_for("age", age.size(), [=](std::size_t i) {
      float sum = 0;
      for (int c = 0; c < child_count<Dim>; ++c) sum += dye[m.node(LeafId(i), c)];
      age[i] = sum > 0.01F ? age[i] + static_cast<float>(dt) : 0;
    });
  }

  View<const double> coordinates() const {
    return {reinterpret_cast<const double*>(places_.data()), Dim * places_.size()};
  }

  FlowParameters<Dim> parameters_;
  TracerSettings<Dim> settings_;
  Vec<Dim> middle_;
  Flow<Dim> flow_;
  NodeField<float>& dye_;  // of the flow
  LeafField<float>& age_;
  std::vector<Vec<Dim>> places_;    // of markers
  std::vector<std::int32_t> born_;  // the steps in which they were let go
  int let_go_ = 0;
};

template <int Dim>
class TracerTable final : public KindTable<Dim> {
 public:
  std::unique_ptr<KindTable<Dim>> clone() const override {
    return std::make_unique<TracerTable>(*this);
  }
  void keys(KeyVisitor& v) override {
    v("motion", s_.motion, "what the velocity is like", any_value);
    v("drift", s_.drift, "drift: everywhere, m/s", any_value);
    v("spin", s_.spin, "spin: about the middle of the box, 1/s", any_value);
    v("fading", s_.fading, "of dye, 1/s", not_negative);
    v("release", s_.release, "where markers are let go, m", any_value);
    v("every", s_.every, "steps, a marker is let go", between(1, 1000));
    v("triangles", s_.triangles, "one for each marker, with each frame", any_value);
  }
  std::vector<FieldInfo> fields() const override { return tracer_fields(s_.fading); }
  void check(const FlowParameters<Dim>& flow) const override {
    flow.check(Domain<Dim>{});
    if (s_.motion.chosen == 1 && s_.spin == 0)
      throw InputError("what spins needs a 'spin' other than 0");
  }
  std::unique_ptr<Simulation<Dim>> make(const Domain<Dim>& domain,
                                        const FlowParameters<Dim>& flow) const override {
    return std::make_unique<SimulationOf<Dim, DyeFlow<Dim>>>(domain, flow, s_);
  }

 private:
  TracerSettings<Dim> s_;
};

inline Kind tracer_kind() {
  return {"tracer", "dye and markers in a given flow",
          [] { return std::make_unique<TracerTable<2>>(); },
          [] { return std::make_unique<TracerTable<3>>(); }};
}

}  // namespace octavo::test
