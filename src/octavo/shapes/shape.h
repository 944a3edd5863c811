#pragma once

// A Shape holds a shape of any kind behind one type: the obstacles, sources and pieces of liquid of a scene.
//
//   const Shape<3> cup = subtract(cylinder_shape<3>({0, 0, 0}, {0, 0, 1}, 0.5),
//                                 cylinder_shape<3>({0, 0, 0.1}, {0, 0, 2}, 0.4));
//   const double phi = cup(p);                          // m, negative inside
//   const Shape<3> tilted = moved(cup, Pose<3>::about({0, 0, 0}, {0.3, 0, 0}));
//
// The value is a signed distance that never promises too much: it changes by at most 1 per metre,
// and no point of the surface is nearer than |value|. So a step of |value| in any direction does not
// pass through the surface, and a region farther from p than that has the sign of p. For a simple
// shape, moved or not, it is the distance itself; for a union outside, and for an intersection or a
// difference inside, too, if it is for their parts; elsewhere it may be less.
//
// A Shape is cheap to copy, never changes, and may be asked by many threads.

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "octavo/base/vec.h"
#include "octavo/shapes/motion.h"

namespace octavo {

// This is how much of a point that is so far from a surface counts as inside, 0 to 1, if its edge is soft.
inline double part_inside(double distance, double edge) {
  const double t = std::clamp(0.5 - distance / edge, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

template <int Dim>
class Shape {
 public:
  // A shape can be made of anything that keeps the promise above: a callable
  // `double distance(const Vec<Dim>&) const`, with a box outside which it is positive.
  template <class Distance>
  Shape(Distance distance, const Box<Dim>& bounds)
      : node_(std::make_shared<const Model<Distance>>(std::move(distance), bounds)) {}

  double operator()(const Vec<Dim>& p) const { return node_->distance(p); }

  // No point outside has a negative value, up to rounding. The box is infinite where the shape is, and
  // has lo > hi if there is nothing inside.
  const Box<Dim>& bounds() const { return node_->bounds; }

  // This is the direction in which the value grows, of length 1, by differences over 2 step; `step`
  // should be small beside the details of the shape and large beside 1e-8 of its size. It is zero where
  // there is no such direction: at the centre of a sphere.
  Vec<Dim> normal(const Vec<Dim>& p, double step) const;

 private:
  struct Node {
    explicit Node(const Box<Dim>& box) : bounds(box) {}
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;
    virtual double distance(const Vec<Dim>& p) const = 0;

    Box<Dim> bounds;
  };
  template <class Distance>
  struct Model final : Node {
    Model(Distance f, const Box<Dim>& box) : Node(box), function(std::move(f)) {}
    double distance(const Vec<Dim>& p) const override { return function(p); }

    Distance function;
  };

  std::shared_ptr<const Node> node_;
};

// The makers throw InputError for sizes that are not positive and for anything that is not finite.

template <int Dim>
Shape<Dim> sphere_shape(const Vec<Dim>& center, double radius);

template <int Dim>
Shape<Dim> box_shape(const Vec<Dim>& lo, const Vec<Dim>& hi);

template <int Dim>
Shape<Dim> ellipsoid_shape(const Vec<Dim>& center, const Vec<Dim>& radii);

// The cylinder has flat ends at a and b; in 2D it is a rectangle 2 radius wide.
template <int Dim>
Shape<Dim> cylinder_shape(const Vec<Dim>& a, const Vec<Dim>& b, double radius);

// The capsule has round ends around a and b, which may be the same point.
template <int Dim>
Shape<Dim> capsule_shape(const Vec<Dim>& a, const Vec<Dim>& b, double radius);

// The torus goes around the axis x, y or z (0, 1, 2), which in 2D does not count: there it is a ring. With
// a minor radius above the major one the hole is closed, and inside the value is less than the distance.
template <int Dim>
Shape<Dim> torus_shape(const Vec<Dim>& center, double major_radius, double minor_radius,
                       int axis = 2);

// The half space is all that is behind the plane through a point; the normal points out of the shape
// and may have any length.
template <int Dim>
Shape<Dim> half_space_shape(const Vec<Dim>& point, const Vec<Dim>& normal);

// The union is what is in any of the shapes, of which there must be one. They should overlap: parts
// that only touch have a surface of no thickness between them.
template <int Dim>
Shape<Dim> unite(std::vector<Shape<Dim>> shapes);

// The intersection is what is in all of the shapes, of which there must be one.
template <int Dim>
Shape<Dim> intersect(std::vector<Shape<Dim>> shapes);

template <int Dim>
Shape<Dim> unite(std::initializer_list<Shape<Dim>> shapes) {
  return unite(std::vector<Shape<Dim>>(shapes));
}
template <int Dim>
Shape<Dim> intersect(std::initializer_list<Shape<Dim>> shapes) {
  return intersect(std::vector<Shape<Dim>>(shapes));
}

// The difference is what is in the first shape and not in the second.
template <int Dim>
Shape<Dim> subtract(const Shape<Dim>& from, const Shape<Dim>& what);

// This is the shape where the pose puts it.
template <int Dim>
Shape<Dim> moved(const Shape<Dim>& shape, const Pose<Dim>& pose);

}  // namespace octavo
