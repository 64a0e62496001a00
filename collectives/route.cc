#include "collectives/route.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace postroom {

std::string_view name_of(Router router) noexcept {
  switch (router) {
    case Router::kAutomatic:
      return "automatic";
    case Router::kTwoTranspose:
      return "two_transpose";
    case Router::kOnePhase:
      return "one_phase";
    case Router::kDirect:
      return "direct";
  }
  return "";
}

Router parse_router(std::string_view name) {
  for (const Router router :
       {Router::kAutomatic, Router::kTwoTranspose, Router::kOnePhase, Router::kDirect}) {
    if (name_of(router) == name) return router;
  }
  throw std::invalid_argument("router: '" + std::string(name) +
                              "' is not allowed; one of automatic, two_transpose, one_phase, "
                              "direct");
}

Router choose_router(const Processor& self, Router router) {
  if (router == Router::kDirect && !self.shares_memory()) {
    throw std::invalid_argument(
        "router: direct is not allowed where processors share no memory, as in virtual time; "
        "two_transpose or one_phase");
  }
  if (router != Router::kAutomatic) return router;
  return self.shares_memory() ? Router::kDirect : Router::kTwoTranspose;
}

}  // namespace postroom
