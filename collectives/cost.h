// What a program includes; what is in it: collectives/models/cost.h.
#pragma once

#include "collectives/models/cost.h"  // IWYU pragma: export
