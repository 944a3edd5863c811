#include "octavo/shapes/shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "octavo/base/checks.h"
#include "octavo/base/error.h"

namespace octavo {

namespace {

template <int Dim>
bool is_empty(const Box<Dim>& box) {
  for (int a = 0; a < Dim; ++a)
    if (box.lo[a] > box.hi[a]) return true;
  return false;
}

// This is the nearest of a few shapes, or of halves of many. One whose box is not nearer than what was found is
// not asked, and the one with the nearest box is asked first. For this to change nothing, a shape must not
// claim to be nearer than its box: where it does, the distance to the box is the better answer.
template <int Dim>
struct Union {
  static constexpr std::size_t few = 4;
  std::vector<Shape<Dim>> parts;

  double operator()(const Vec<Dim>& p) const {
    std::array<double, few> to_box{};
    double nearest = HUGE_VAL;
    std::size_t first = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      to_box[i] = distance_to_box(p, parts[i].bounds());
      if (to_box[i] < to_box[first]) first = i;
    }
    auto ask = [&](std::size_t i) {
      if (to_box[i] > 0 && to_box[i] >= nearest) return;
      const double value = parts[i](p);
      nearest = std::min(nearest, to_box[i] > 0 ? std::max(value, to_box[i]) : value);
    };
    ask(first);
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (i != first) ask(i);
    return nearest;
  }
};

// These are the shapes in the lower and in the upper half, along the axis on which they are farthest apart.
template <int Dim>
std::array<std::vector<Shape<Dim>>, 2> halves(std::vector<Shape<Dim>> shapes) {
  auto center = [](const Shape<Dim>& s, int a) {
    constexpr double far = 1e300;
    return 0.5 *
           (std::clamp(s.bounds().lo[a], -far, far) + std::clamp(s.bounds().hi[a], -far, far));
  };
  int axis = 0;
  double longest = -1;
  for (int a = 0; a < Dim; ++a) {
    auto before = [&](const Shape<Dim>& p, const Shape<Dim>& q) {
      return center(p, a) < center(q, a);
    };
    const auto [low, high] = std::minmax_element(shapes.begin(), shapes.end(), before);
    if (const double length = center(*high, a) - center(*low, a); length > longest) {
      longest = length;
      axis = a;
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(), [&](const Shape<Dim>& p, const Shape<Dim>& q) {
    return center(p, axis) < center(q, axis);
  });
  const auto middle = shapes.begin() + static_cast<std::ptrdiff_t>(shapes.size() / 2);
  return {{{shapes.begin(), middle}, {middle, shapes.end()}}};
}

template <int Dim>
struct Intersection {
  std::vector<Shape<Dim>> parts;

  double operator()(const Vec<Dim>& p) const {
    double farthest = -HUGE_VAL;
    for (const Shape<Dim>& part : parts) farthest = std::max(farthest, part(p));
    return farthest;
  }
};

// This is the box around a turned box. A side that is infinite makes infinite whatever it has a part in.
template <int Dim>
Box<Dim> moved_box(const Box<Dim>& box, const Pose<Dim>& pose) {
  if (is_empty(box)) return box;
  Box<Dim> result{pose.shift, pose.shift};
  for (int a = 0; a < Dim; ++a) {
    for (int b = 0; b < Dim; ++b) {
      const double r = pose.rows[a][b];
      if (r == 0) continue;
      result.lo[a] += std::min(r * box.lo[b], r * box.hi[b]);
      result.hi[a] += std::max(r * box.lo[b], r * box.hi[b]);
    }
  }
  return result;
}

template <int Dim>
void check_some(const char* what, const std::vector<Shape<Dim>>& shapes) {
  if (shapes.empty()) throw InputError("{} of no shapes is not a shape", what);
}

}  // namespace

template <int Dim>
Vec<Dim> Shape<Dim>::normal(const Vec<Dim>& p, double step) const {
  Vec<Dim> gradient{};
  for (int a = 0; a < Dim; ++a) {
    Vec<Dim> low = p, high = p;
    low[a] -= step;
    high[a] += step;
    gradient[a] = (*this)(high) - (*this)(low);
  }
  const double size = length(gradient);
  return size > 0 ? gradient / size : Vec<Dim>{};
}

template <int Dim>
Shape<Dim> unite(std::vector<Shape<Dim>> shapes) {
  check_some("a union", shapes);
  Box<Dim> bounds{Vec<Dim>::filled(HUGE_VAL), Vec<Dim>::filled(-HUGE_VAL)};
  for (const Shape<Dim>& shape : shapes) {
    if (is_empty(shape.bounds())) continue;
    bounds = {min(bounds.lo, shape.bounds().lo), max(bounds.hi, shape.bounds().hi)};
  }
  if (shapes.size() > Union<Dim>::few) {
    auto [lower, upper] = halves(std::move(shapes));
    shapes = {unite(std::move(lower)), unite(std::move(upper))};
  }
  return {Union<Dim>{std::move(shapes)}, bounds};
}

template <int Dim>
Shape<Dim> intersect(std::vector<Shape<Dim>> shapes) {
  check_some("an intersection", shapes);
  Box<Dim> bounds = shapes.front().bounds();
  for (const Shape<Dim>& shape : shapes)
    bounds = {max(bounds.lo, shape.bounds().lo), min(bounds.hi, shape.bounds().hi)};
  return {Intersection<Dim>{std::move(shapes)}, bounds};
}

template <int Dim>
Shape<Dim> subtract(const Shape<Dim>& from, const Shape<Dim>& what) {
  return {[=](const Vec<Dim>& p) { return std::max(from(p), -what(p)); }, from.bounds()};
}

template <int Dim>
Shape<Dim> moved(const Shape<Dim>& shape, const Pose<Dim>& pose) {
  for (const Vec<Dim>& row : pose.rows.v) check_finite("the rotation of a pose", row);
  check_finite("the shift of a pose", pose.shift);
  return {[=](const Vec<Dim>& p) { return shape(pose.inverse(p)); },
          moved_box(shape.bounds(), pose)};
}

template class Shape<2>;
template class Shape<3>;
template Shape<2> unite(std::vector<Shape<2>>);
template Shape<3> unite(std::vector<Shape<3>>);
template Shape<2> intersect(std::vector<Shape<2>>);
template Shape<3> intersect(std::vector<Shape<3>>);
template Shape<2> subtract(const Shape<2>&, const Shape<2>&);
template Shape<3> subtract(const Shape<3>&, const Shape<3>&);
template Shape<2> moved(const Shape<2>&, const Pose<2>&);
template Shape<3> moved(const Shape<3>&, const Pose<3>&);

}  // namespace octavo
