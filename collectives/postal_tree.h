// What a program includes; what is in it: collectives/models/postal_tree.h.
#pragma once

#include "collectives/models/postal_tree.h"  // IWYU pragma: export
