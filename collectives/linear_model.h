// What a program includes; what is in it: collectives/models/linear_model.h.
#pragma once

#include "collectives/models/linear_model.h"  // IWYU pragma: export
