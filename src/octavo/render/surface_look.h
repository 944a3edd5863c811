#pragma once

// This is what the surface of a thing looks like.
//
//   const SurfaceLook water{.kind = SurfaceLook::Kind::glass, .ior = 1.33, .absorption = {0.4f, 0.1f, 0.05f}};

#include "octavo/image/picture.h"

namespace octavo {

struct SurfaceLook {
  enum class Kind { matte, glass };
  enum class Texture { plain, vertex_color, checkerboard };

  // A matte surface sends the same light in all directions. Glass is smooth, and what is clear: water, too. It has no
  // colour of its own, but what it absorbs.
  Kind kind = Kind::matte;
  Texture texture = Texture::plain;
  bool smooth = false;  // hides the edges of a mesh without normals of its own

  // It is the part of the light that comes back, for what is plain and for meshes whose vertices have no colours.
  Light color{0.8f, 0.8f, 0.8f};

  // The other squares of a checkerboard have this colour, and there are so many: along a unit of the texture
  // coordinates, or where there are none, along the longest side of a box around it all.
  Light other_color{0.2f, 0.2f, 0.2f};
  double squares = 8;

  double ior = 1.5;    // refractive index of glass
  Light absorption{};  // of light inside of glass, 1/m
};

}  // namespace octavo
