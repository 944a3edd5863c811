#include "octavo/render/surfaces.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <new>

#include "octavo/base/error.h"
#include "octavo/render/shape_ray.h"
#include "octavo/render/surface_piece.h"

namespace octavo {
namespace {

constexpr unsigned opaque = 1, clear = 2;  // bits of Embree's masks

// It is what a query hands to the shapes that Embree finds in its way, and what they answer: in full
// precision.
struct Query {
  RTCIntersectContext context{};  // must be the first
  Ray ray;
  double distance = 0;
};

// Embree knows the place of a shape's box relative to the middle of all; rays are as they are.
struct TracedShape {
  const SurfacePiece* piece;
  Box<3> box, traced_box;

  std::optional<double> crossing(const Query& query, float from, float to) const {
    const Span span = clipped(query.ray, box, {double{from}, double{to}});
    return first_crossing(*piece->shape, query.ray, span, piece->detail());
  }
};

void shape_bounds(const RTCBoundsFunctionArguments* args) {
  const Box<3>& box = static_cast<const TracedShape*>(args->geometryUserPtr)->traced_box;
  const Vec3f lo = box.lo.cast<float>(), hi = box.hi.cast<float>();
  *args->bounds_o = {lo[0], lo[1], lo[2], 0, hi[0], hi[1], hi[2], 0};
}

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): one ray is a packet of one for Embree.
void intersect_shape(const RTCIntersectFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  auto& query = *reinterpret_cast<Query*>(args->context);
  auto& found = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const auto& shape = *static_cast<const TracedShape*>(args->geometryUserPtr);
  const auto distance = shape.crossing(query, found.ray.tnear, found.ray.tfar);
  if (!distance) return;
  query.distance = *distance;
  found.ray.tfar = static_cast<float>(*distance);
  found.hit.geomID = args->geomID;
  found.hit.primID = args->primID;
}

void occlude_by_shape(const RTCOccludedFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  const auto& query = *reinterpret_cast<const Query*>(args->context);
  auto& ray = *reinterpret_cast<RTCRay*>(args->ray);
  const auto& shape = *static_cast<const TracedShape*>(args->geometryUserPtr);
  if (shape.crossing(query, ray.tnear, ray.tfar))
    ray.tfar = -std::numeric_limits<float>::infinity();
}
// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)

Box<3> grown(const Box<3>& box, double by) {
  return {box.lo - Vec3d::filled(by), box.hi + Vec3d::filled(by)};
}

}  // namespace

struct Surfaces::Impl {
  RTCDevice device = rtcNewDevice(nullptr);
  RTCScene scene = rtcNewScene(device);
  std::deque<SurfacePiece> pieces;  // deques, because Embree and hits point to their elements
  std::deque<TracedShape> shapes;
  Box<3> box{Vec3d::filled(HUGE_VAL), Vec3d::filled(-HUGE_VAL)};
  Vec3d middle{};
  double clearance = 0;
  bool committed = false, glass = false;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }

  void add(SurfacePiece piece) {
    OCTAVO_CHECK(!committed);
    if (piece.empty()) return;
    box = {min(box.lo, piece.box.lo), max(box.hi, piece.box.hi)};
    glass = glass || piece.look.kind == SurfaceLook::Kind::glass;
    pieces.push_back(std::move(piece));
  }

  template <class T>
  static T* new_buffer(RTCGeometry g, RTCBufferType type, RTCFormat format, std::size_t count) {
    void* bytes = rtcSetNewGeometryBuffer(g, type, 0, format, sizeof(T), count);
    if (bytes == nullptr) throw std::bad_alloc();
    return static_cast<T*>(bytes);
  }

  RTCGeometry mesh_geometry(SurfacePiece& piece) const {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    SurfaceMesh& mesh = piece.mesh;
    auto* vertices =
        new_buffer<Vec3f>(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.vertices.size());
    auto* triangles =
        new_buffer<Corners>(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
      vertices[i] = (mesh.vertices[i] - middle).cast<float>();
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
    piece.vertices = vertices;
    piece.triangles = triangles;
    piece.middle = middle;
    piece.clearance = clearance;
    mesh.vertices = std::vector<Vec3d>();  // which gives the memory back
    mesh.triangles = std::vector<std::array<std::uint32_t, 3>>();
    return g;
  }

  RTCGeometry ball_geometry(SurfacePiece& piece) const {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    SurfaceMesh& mesh = piece.mesh;
    auto* balls =
        new_buffer<BallPoint>(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      const Vec3f p = (mesh.vertices[i] - middle).cast<float>();
      balls[i] = {p[0], p[1], p[2], mesh.radii[i]};
    }
    piece.balls = balls;
    piece.middle = middle;
    piece.clearance = clearance;
    mesh = {};
    return g;
  }

  RTCGeometry shape_geometry(SurfacePiece& piece) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    const Box<3> room = grown(piece.box, 10 * piece.detail());
    shapes.push_back({&piece, room, grown({room.lo - middle, room.hi - middle}, clearance)});
    rtcSetGeometryUserPrimitiveCount(g, 1);
    rtcSetGeometryUserData(g, &shapes.back());
    rtcSetGeometryBoundsFunction(g, shape_bounds, nullptr);
    rtcSetGeometryIntersectFunction(g, intersect_shape);
    rtcSetGeometryOccludedFunction(g, occlude_by_shape);
    return g;
  }

  void attach(SurfacePiece& piece, std::size_t id) {
    RTCGeometry g = piece.shape                ? shape_geometry(piece)
                    : piece.mesh.radii.empty() ? mesh_geometry(piece)
                                               : ball_geometry(piece);
    rtcSetGeometryMask(g, piece.look.kind == SurfaceLook::Kind::glass ? clear : opaque);
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(scene, g, static_cast<unsigned>(id));
    rtcReleaseGeometry(g);
  }

  void commit() {
    OCTAVO_CHECK(!committed);
    committed = true;
    if (pieces.empty()) return;
    const Vec3d size = box.size();
    middle = box.center();
    clearance = 2e-6 * std::max({size[0], size[1], size[2]});
    box = grown(box, 100 * clearance);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    for (std::size_t i = 0; i < pieces.size(); ++i) attach(pieces[i], i);
    rtcCommitScene(scene);
    const RTCError error = rtcGetDeviceError(device);
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    OCTAVO_CHECK(error == RTC_ERROR_NONE);
  }

  // The part of the ray begins at distance 0 of what Embree is given.
  RTCRay start(const Ray& ray, const Span& part, unsigned mask, Query& query) const {
    rtcInitIntersectContext(&query.context);
    query.ray = {ray.at(part.from), ray.direction};
    const Vec3f from = (query.ray.origin - middle).cast<float>();
    const Vec3f to = ray.direction.cast<float>();
    RTCRay r{};
    r.org_x = from[0], r.org_y = from[1], r.org_z = from[2];
    r.dir_x = to[0], r.dir_y = to[1], r.dir_z = to[2];
    r.tfar = static_cast<float>(part.to - part.from);
    r.mask = mask;
    return r;
  }
};

Surfaces::Surfaces() : impl_(std::make_unique<Impl>()) {}
Surfaces::Surfaces(Surfaces&&) noexcept = default;
Surfaces& Surfaces::operator=(Surfaces&&) noexcept = default;
Surfaces::~Surfaces() = default;

void Surfaces::add(SurfaceMesh mesh, const SurfaceLook& look) {
  impl_->add(SurfacePiece(std::move(mesh), look));
}
void Surfaces::add(const Shape<3>& shape, const Box<3>& within, const SurfaceLook& look) {
  impl_->add(SurfacePiece(shape, within, look));
}
void Surfaces::commit() { impl_->commit(); }

bool Surfaces::empty() const { return impl_->pieces.empty(); }
bool Surfaces::has_glass() const { return impl_->glass; }

std::optional<SurfaceHit> Surfaces::nearest(const Ray& ray, const Span& span, Seen seen) const {
  if (empty()) return std::nullopt;
  OCTAVO_ASSERT(impl_->committed);
  const Span part = clipped(ray, impl_->box, span);
  if (part.empty()) return std::nullopt;
  Query query;
  RTCRayHit found{};
  found.ray = impl_->start(ray, part, seen == Seen::all ? opaque | clear : opaque, query);
  found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(impl_->scene, &query.context, &found);
  if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  const SurfacePiece& piece = impl_->pieces[found.hit.geomID];
  if (piece.shape) return piece.shape_hit(ray, part.from + query.distance);
  if (piece.balls != nullptr)
    return piece.ball_hit(ray, piece.balls[found.hit.primID], part.from + double{found.ray.tfar});
  return piece.mesh_hit(ray, piece.triangles[found.hit.primID], {found.hit.u, found.hit.v});
}

bool Surfaces::blocked(const Ray& ray, const Span& span) const {
  if (empty()) return false;
  OCTAVO_ASSERT(impl_->committed);
  const Span part = clipped(ray, impl_->box, span);
  if (part.empty()) return false;
  Query query;
  RTCRay r = impl_->start(ray, part, opaque, query);
  rtcOccluded1(impl_->scene, &query.context, &r);
  return r.tfar < 0;
}

}  // namespace octavo
