#pragma once

// It finds where rays meet shapes.

#include <optional>

#include "octavo/camera/ray.h"
#include "octavo/shapes/shape.h"

namespace octavo {

// It is the distance at which a ray first passes from outside of a shape to its inside or the other way, if it does
// within the span. By sphere tracing (Hart 1996) the shape's value is a step that is safe. Steps are never shorter
// than `detail`, and along a surface that is hardly approached they become longer, up to 1/256 of the way along it,
// so that some thousand steps are enough for any length. What is thinner than that may be missed; the place itself is
// exact: the value there is less than 1e-6 of `detail`.
std::optional<double> first_crossing(const Shape<3>& shape, const Ray& ray, const Span& span,
                                     double detail);

}  // namespace octavo
