// What a program includes; what is in it: collectives/models/time_model.h.
#pragma once

#include "collectives/models/time_model.h"  // IWYU pragma: export
