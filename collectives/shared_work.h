// What a program includes; what is in it: collectives/models/shared_work.h.
#pragma once

#include "collectives/models/shared_work.h"  // IWYU pragma: export
