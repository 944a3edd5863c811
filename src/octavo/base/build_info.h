#pragma once

// How this program was built; part of every report.

namespace octavo {

struct BuildInfo {
  const char* version;
  const char* march;       // "portable" or "native"
  const char* build_type;  // "Release", ...
  const char* compiler;
};

const BuildInfo& build_info();

}  // namespace octavo
