#pragma once

#include "octavo/simulation/kind.h"

namespace octavo {

// This is water, as the table [water] of a scene asks for it.
Kind water_kind();

}  // namespace octavo
