#pragma once

namespace octavo {

// It must be called before anything else is asked of OpenVDB; any thread may call it, as often as
// one likes.
void start_openvdb();

}  // namespace octavo
