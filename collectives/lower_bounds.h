// What a program includes; what is in it: collectives/models/lower_bounds.h.
#pragma once

#include "collectives/models/lower_bounds.h"  // IWYU pragma: export
