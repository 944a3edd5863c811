#pragma once

// These check whether shapes and motions of a scene are valid.

#include "octavo/scene/build.h"
#include "octavo/scene/complaints.h"

namespace octavo {

template <int Dim>
class ShapeChecks {
 public:
  ShapeChecks(MeshFiles& files, Complaints& say) : files_(files), say_(say) {}

  // This checks whether it is a shape, and then also what it is made of.
  bool shape(const ShapeScene<Dim>& s, const std::string& path);
  bool motion(const MotionScene<Dim>& m, const std::string& path);

  // A shape that is never in the box does nothing, which nobody means. If there is no box, nor a shape, that
  // has been said before.
  void moving(const ShapeScene<Dim>& s, const MotionScene<Dim>& m, const std::string& path,
              const char* what, const std::optional<Box<Dim>>& box);

 private:
  MeshFiles& files_;
  Complaints& say_;
};

}  // namespace octavo
