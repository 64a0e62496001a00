#include "collectives/arguments.h"

#include <functional>
#include <stdexcept>
#include <string>

#include "runtime/copy.h"

namespace postroom {
namespace {

std::string said(std::string_view text) { return std::string(text); }

bool overlap(ConstBytes a, ConstBytes b) {
  const std::less<const std::byte*> before;
  if (a.empty() || b.empty()) return false;
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

bool same(ConstBytes a, ConstBytes b) { return a.data() == b.data() && a.size() == b.size(); }

void require_at_least(std::string_view operation, std::string_view name, std::int64_t value,
                      std::int64_t least) {
  if (value >= least) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " " + std::to_string(value) +
                              " is not allowed; at least " + std::to_string(least));
}

}  // namespace

void require_sizes(std::string_view operation, int processors, std::int64_t bytes) {
  require_at_least(operation, "processors", processors, 1);
  require_at_least(operation, "bytes", bytes, 0);
}

void require_ports(std::string_view operation, int ports) {
  require_at_least(operation, "ports", ports, 1);
}

void require_root(std::string_view operation, int root, int processors) {
  require_parameter(operation, "root", root, 0, processors - 1);
}

void require_parameter(std::string_view operation, std::string_view name, int value, int least,
                       int most) {
  if (least <= value && value <= most) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " " + std::to_string(value) +
                              " is not allowed; " + std::to_string(least) + " to " +
                              std::to_string(most));
}

void require_bytes(std::string_view operation, std::string_view name, std::size_t bytes,
                   std::size_t expected, std::string_view because) {
  if (bytes == expected) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " + std::to_string(bytes) +
                              " bytes is not allowed; " + std::to_string(expected) + ", " +
                              said(because));
}

void require_equal_blocks(std::string_view operation, std::string_view name, std::size_t bytes,
                          int processors) {
  if (bytes % static_cast<std::size_t>(processors) == 0) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " + std::to_string(bytes) +
                              " bytes is not allowed; a multiple of " + std::to_string(processors) +
                              ", one block for each processor");
}

void require_counts(std::string_view operation, std::string_view name, std::size_t counts,
                    int processors) {
  if (counts == static_cast<std::size_t>(processors)) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " +
                              std::to_string(counts) + " numbers is not allowed; " +
                              std::to_string(processors) + ", one for each processor");
}

void require_disjoint(std::string_view operation, std::string_view a_name, ConstBytes a,
                      std::string_view b_name, ConstBytes b) {
  if (!overlap(a, b)) return;
  throw std::invalid_argument(said(operation) + ": " + said(a_name) + " and " + said(b_name) +
                              " overlap, which is not allowed; separate memory");
}

void require_same_or_disjoint(std::string_view operation, std::string_view a_name, ConstBytes a,
                              std::string_view b_name, ConstBytes b) {
  if (same(a, b) || !overlap(a, b)) return;
  throw std::invalid_argument(
      said(operation) + ": " + said(a_name) + " and " + said(b_name) +
      " overlap in part, which is not allowed; the same or separate memory");
}

void require_own_block_or_disjoint(std::string_view operation, ConstBytes mine, ConstBytes all,
                                   ConstBytes own) {
  if (same(mine, own) || !overlap(mine, all)) return;
  throw std::invalid_argument(said(operation) +
                              ": mine and all overlap, which is not allowed; separate memory, or "
                              "mine is the own block of all");
}

void require_shared_memory(std::string_view operation, const Processor& self,
                           std::string_view algorithm) {
  if (self.shares_memory()) return;
  throw std::invalid_argument(said(operation) + ": " + said(algorithm) +
                              " is not allowed; these processors do not share memory");
}

void copy_bytes(ConstBytes from, Bytes to) noexcept {
  if (from.empty() || from.data() == to.data()) return;
  copy_memory(to.data(), from.data(), from.size(), from.size());
}

}  // namespace postroom
