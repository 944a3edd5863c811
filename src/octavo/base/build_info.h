#pragma once

// This tells how the program was built; every report contains it.

namespace octavo {

struct BuildInfo {
  const char* version;
  const char* march;       // "portable" or "native"
  const char* build_type;  // "Release", ...
  const char* compiler;
};

const BuildInfo& build_info();

}  // namespace octavo
