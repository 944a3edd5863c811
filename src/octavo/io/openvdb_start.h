#pragma once

namespace octavo {

// Before anything else is asked of OpenVDB; from any thread, as often as one likes.
void start_openvdb();

}  // namespace octavo
