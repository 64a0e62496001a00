// The routers that the tests go through.
#pragma once

#include <array>

#include "collectives/algorithm.h"

namespace postroom {

/// Those that do not need processors that share threads: all of route_algorithms() but turns.
inline constexpr std::array kRouters{Algorithm::two_transpose, Algorithm::one_phase,
                                     Algorithm::direct};

}  // namespace postroom
