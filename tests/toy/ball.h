#pragma once

// A liquid that needs no method: a ball, a disk in 2D, that moves on at one speed, with the level set and the mesh of
// its surface that pictures of a liquid are made from.
//
//   register_kind(ball_kind());
//   const SceneFile file = parse_scene("ball.radius = 0.2", "a.toml", ".");

#include <numbers>

#include "octavo/scene/kinds.h"

namespace octavo::test {

// A sphere of triangles between circles of latitude.
inline SurfaceMesh sphere_mesh(const Vec3d& center, double radius, const Vec3d& velocity,
                               std::uint32_t rings = 24) {
  const std::uint32_t around = 2 * rings;
  SurfaceMesh mesh;
  for (std::uint32_t i = 0; i <= rings; ++i)
    for (std::uint32_t j = 0; j < (i == 0 || i == rings ? 1 : around); ++j) {
      const double t = std::numbers::pi * i / rings, p = 2 * std::numbers::pi * j / around;
      const Vec3d n{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
      mesh.vertices.push_back(center + n * radius);
      mesh.normals.push_back(n.cast<float>());
      mesh.velocities.push_back(velocity.cast<float>());
    }
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  auto at = [&](std::uint32_t i, std::uint32_t j) {
    return i == 0 ? 0 : i == rings ? last : 1 + (i - 1) * around + j % around;
  };
  for (std::uint32_t i = 0; i < rings; ++i)
    for (std::uint32_t j = 0; j < around; ++j) {
      if (i > 0) mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i + 1 < rings) mesh.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
    }
  return mesh;
}

// What the table [ball] says.
template <int Dim>
struct BallSettings {
  Vec<Dim> center = Vec<Dim>::filled(0.5), velocity{};  // m, at the beginning; m/s
  double radius = 0.25;                                 // m
  double lasts = 1e6;                                   // s: then it is gone
  bool drop = false;                                    // with one at a corner of the box

  Vec<Dim> center_at(double time) const { return center + velocity * time; }
  double level_set(const Vec<Dim>& x, double time) const {
    return time >= lasts ? 1 : length(x - center_at(time)) - radius;
  }
};

inline std::vector<FieldInfo> ball_fields() {
  return {{.name = "liquid",
           .unit = "m",
           .help = "The distance to the surface of the ball, negative inside.",
           .next_mesh = NextMesh::tracked,
           .in_solids = InSolids::nothing,
           .outside = 1,
           .both_signs = true,
           .is_level_set = true,
           .role = FieldRole::liquid,
           .houdini = "surface",
           .blender = "phi"}};
}

template <int Dim>
class BallFlow {
 public:
  BallFlow(const Domain<Dim>& domain, const FlowParameters<Dim>& parameters,
           const BallSettings<Dim>& settings)
      : parameters_(parameters),
        settings_(settings),
        flow_(domain, parameters_, ball_fields()),
        level_set_(flow_.number("liquid")) {}
  ~BallFlow() = default;
  BallFlow(const BallFlow&) = delete;
  BallFlow& operator=(const BallFlow&) = delete;

  void start(FlowStart<Dim> start) {
    start.values["liquid"] = [this](const Vec<Dim>& x) { return settings_.level_set(x, 0); };
    flow_.start(start);
  }

  StepReport step(double dt) {
    flow_.begin_step(dt);
    flow_.decide_leaves(dt);
    flow_.onto_next_mesh(dt, [&](const MeshAndSolids& from, const MeshAndSolids& to) {
      flow_.advect(from, to, dt);
      level_set_.resize(to.mesh);
      const MeshView<Dim> m = to.mesh.view();
      const double then = flow_.time() + dt;
      const View<float> phi = level_set_.view();
      parallel_for("level set", phi.size(), [=, this](std::size_t i) {
        phi[i] = static_cast<float>(settings_.level_set(m.position(NodeId(i)), then));
      });
      constrain(to.mesh, level_set_);
    });
    return flow_.end_step(dt);
  }

  int substeps_for(double seconds) const { return parameters_.substeps(leaves_passed_in(seconds)); }
  double leaves_passed_in(double seconds) const { return flow_.leaves_passed_in(seconds, 0); }
  SavedState<Dim> state() const { return flow_.state(); }
  void restore(const SavedState<Dim>& s) { flow_.restore(s); }

  std::vector<FrameMesh> meshes() const {
    if constexpr (Dim == 2) {
      return {};
    } else {
      std::vector<FrameMesh> meshes{{surface_mesh_name, {}}};
      if (flow_.time() < settings_.lasts)
        meshes[0].mesh =
            sphere_mesh(settings_.center_at(flow_.time()), settings_.radius, settings_.velocity);
      if (settings_.drop) {
        FrameMesh& drops = meshes.emplace_back(FrameMesh{drops_mesh_name, {}});
        drops.mesh.vertices = {{0.85, 0.2, 0.85}};
        drops.mesh.radii = {0.1F};
        drops.mesh.velocities = {{0, 0, -1}};
      }
      return meshes;
    }
  }

  RefinementReasons refinement_reasons() { return flow_.refinement_reasons(); }
  const Flow<Dim>& flow() const { return flow_; }

 private:
  using MeshAndSolids = typename Flow<Dim>::MeshAndSolids;

  FlowParameters<Dim> parameters_;
  BallSettings<Dim> settings_;
  Flow<Dim> flow_;
  NodeField<float>& level_set_;  // of the flow
};

template <int Dim>
class BallTable final : public KindTable<Dim> {
 public:
  std::unique_ptr<KindTable<Dim>> clone() const override {
    return std::make_unique<BallTable>(*this);
  }
  void keys(KeyVisitor& v) override {
    v("center", s_.center, "at the beginning, m", any_value);
    v("velocity", s_.velocity, "m/s", any_value);
    v("radius", s_.radius, "m", positive);
    v("drop", s_.drop, "there is a drop at a corner of the box", any_value);
    v("lasts", s_.lasts, "then it is gone, s", not_negative);
  }
  std::vector<FieldInfo> fields() const override { return ball_fields(); }
  void check(const FlowParameters<Dim>& flow) const override { flow.check(Domain<Dim>{}); }
  std::unique_ptr<Simulation<Dim>> make(const Domain<Dim>& domain,
                                        const FlowParameters<Dim>& flow) const override {
    return std::make_unique<SimulationOf<Dim, BallFlow<Dim>>>(domain, flow, s_);
  }

 private:
  BallSettings<Dim> s_;
};

inline Kind ball_kind() {
  return {"ball", "a ball of liquid that moves on", [] { return std::make_unique<BallTable<2>>(); },
          [] { return std::make_unique<BallTable<3>>(); }};
}

}  // namespace octavo::test
