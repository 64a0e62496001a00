#include "collectives/route_two_transpose.h"

#include <stdexcept>
#include <string>

namespace postroom {

void throw_too_many_sent(std::size_t elements, std::size_t most_sent) {
  throw std::invalid_argument("elements: " + std::to_string(elements) +
                              " are not allowed; at most the relation's most_sent, " +
                              std::to_string(most_sent));
}

void throw_bin_overflow(const char* transpose, int bin, std::size_t bound) {
  throw std::logic_error("bin " + std::to_string(bin) + " of the " + transpose +
                         " transpose gets more than " + std::to_string(bound) +
                         " elements, the bound for this relation; a processor receives more than "
                         "the relation's most_received");
}

}  // namespace postroom
