#include "runtime/call_checks.h"

#include <fmt/core.h>

#include <stdexcept>

namespace postroom {

void throw_no_peer(const char* call, const char* role, int peer, int count, Where where) {
  throw std::invalid_argument(fmt::format("{} {}: {} is not a processor; 0 to {} are ({}:{})", call,
                                          role, peer, count - 1, where.file_name(), where.line()));
}

void throw_overlap(const char* call, Where where) {
  throw std::invalid_argument(
      fmt::format("{}: out and in overlap, which is not allowed; separate memory ({}:{})", call,
                  where.file_name(), where.line()));
}

void check_computing(const Rational& units, Where where) {
  if (units >= 0) return;
  throw std::invalid_argument(fmt::format("compute: {} is not allowed; at least 0 ({}:{})",
                                          to_string(units), where.file_name(), where.line()));
}

}  // namespace postroom
