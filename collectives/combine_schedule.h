// What a program includes; what is in it: collectives/models/combine_schedule.h.
#pragma once

#include "collectives/models/combine_schedule.h"  // IWYU pragma: export
