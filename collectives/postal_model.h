// What a program includes; what is in it: collectives/models/postal_model.h.
#pragma once

#include "collectives/models/postal_model.h"  // IWYU pragma: export
