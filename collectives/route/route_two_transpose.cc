#include "collectives/route/route_two_transpose.h"

#include <stdexcept>
#include <string>

namespace postroom {

void throw_too_many_sent(std::size_t elements, std::size_t most_sent) {
  throw std::invalid_argument("elements: " + std::to_string(elements) +
                              " are not allowed; at most the relation's most_sent, " +
                              std::to_string(most_sent));
}

void check_bins(const char* transpose, std::span<const std::size_t> sizes, std::size_t bound) {
  for (std::size_t bin = 0; bin < sizes.size(); ++bin) {
    if (sizes[bin] <= bound) continue;
    throw std::logic_error("bin " + std::to_string(bin) + " of the " + transpose +
                           " transpose gets more than " + std::to_string(bound) +
                           " elements, the bound for this relation; a processor receives more than "
                           "the relation's most_received");
  }
}

}  // namespace postroom
