#include "collectives/route/route_windows.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace postroom {

Cost windows_cost(int processors) {
  return (processors - 1) *
         Cost::round(sizeof(void*) + sizeof(std::size_t) + sizeof(kMarkOfWindows));
}

void throw_no_window(int lender, Where where) {
  throw DisagreementError("windows: processor " + std::to_string(lender) +
                          " is in another call, or has elements of another size (" +
                          where.file_name() + ":" + std::to_string(where.line()) + ")");
}

void check_windows(const Processor& self, std::size_t pieces) {
  if (!self.shares_memory()) {
    throw std::invalid_argument("windows: not possible; the processors do not share memory");
  }
  if (pieces != static_cast<std::size_t>(self.count())) {
    throw std::invalid_argument("pieces: " + std::to_string(pieces) + " are not allowed; " +
                                std::to_string(self.count()) + ", one for each processor");
  }
}

}  // namespace postroom
