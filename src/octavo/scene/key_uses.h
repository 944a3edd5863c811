#pragma once

// This knows what the keys of scenes are for, as members.h says of each of them: those of any scene, whether it has
// them or not.
//
//   KeyUses().of("view.camera[1].position")  // Use::simulation
//   KeyUses().of("light[0].color")           // Use::look

#include <map>
#include <string>

#include "octavo/simulation/key_visitor.h"

namespace octavo {

class KeyUses {
 public:
  KeyUses();

  // A key that no scene has counts for the simulation.
  Use of(const std::string& key) const;

 private:
  std::map<std::string, Use>
      uses_;  // of what is not for the simulation: keys and tables, without numbers in brackets
};

}  // namespace octavo
