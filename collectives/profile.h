// What a program includes; what is in it: collectives/models/profile.h.
#pragma once

#include "collectives/models/profile.h"  // IWYU pragma: export
