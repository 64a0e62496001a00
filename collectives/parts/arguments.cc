#include "collectives/parts/arguments.h"

#include <stdexcept>
#include <string>

namespace postroom {
namespace {

std::string said(std::string_view text) { return std::string(text); }

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

void require_parameter(std::string_view operation, std::string_view name, int value, int least,
                       int most) {
  if (least <= value && value <= most) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " " + std::to_string(value) +
                              " is not allowed; " + std::to_string(least) + " to " +
                              std::to_string(most));
}

void throw_wrong_bytes(std::string_view operation, std::string_view name, std::size_t bytes,
                       std::size_t expected, std::string_view because) {
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " + std::to_string(bytes) +
                              " bytes is not allowed; " + std::to_string(expected) + ", " +
                              said(because));
}

void throw_part_of_element(std::string_view operation, std::string_view name, std::size_t bytes,
                           std::size_t element_bytes) {
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " + std::to_string(bytes) +
                              " bytes is not allowed; a multiple of " +
                              std::to_string(element_bytes) + ", the size of an element");
}

void throw_unequal_blocks(std::string_view operation, std::string_view name, std::size_t size,
                          int processors, std::string_view units) {
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " + std::to_string(size) +
                              " " + said(units) + " is not allowed; a multiple of " +
                              std::to_string(processors) + ", one block for each processor");
}

void require_counts(std::string_view operation, std::string_view name, std::size_t counts,
                    int processors) {
  if (counts == static_cast<std::size_t>(processors)) return;
  throw std::invalid_argument(said(operation) + ": " + said(name) + " of " +
                              std::to_string(counts) + " numbers is not allowed; " +
                              std::to_string(processors) + ", one for each processor");
}

void throw_overlap(std::string_view operation, std::string_view a_name, std::string_view b_name,
                   std::string_view wrong) {
  throw std::invalid_argument(said(operation) + ": " + said(a_name) + " and " + said(b_name) + " " +
                              said(wrong));
}

void require_shared_memory(std::string_view operation, const Processor& self,
                           std::string_view algorithm) {
  if (self.shares_memory()) return;
  throw std::invalid_argument(said(operation) + ": " + said(algorithm) +
                              " is not allowed; these processors do not share memory");
}

void throw_shares_no_threads(std::string_view operation, std::string_view algorithm,
                             std::string_view threads) {
  throw std::invalid_argument(said(operation) + ": " + said(algorithm) +
                              " is not allowed; only where all processors of a machine share " +
                              said(threads) + ", without a trace or a clock");
}

}  // namespace postroom
