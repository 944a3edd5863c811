#pragma once

// How much memory is free, so that what would not fit can be refused before it is begun.

#include "octavo/base/free_room.h"
