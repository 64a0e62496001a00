#include "sort/radix_sort.h"

#include <bit>
#include <stdexcept>

#include "numa/rounding.h"

namespace postroom {
namespace {

constexpr int kFewestDigitBits = 8;
constexpr int kMostChosenDigitBits = 11;
constexpr int kMostDigitBits = 24;

void check_bits(const char* name, int bits, int most) {
  if (bits >= 0 && bits <= most) return;
  throw std::invalid_argument(std::string(name) + ": " + std::to_string(bits) +
                              " is not allowed; 1 to " + std::to_string(most) +
                              ", or 0 to leave it open");
}

}  // namespace

RadixDigits choose_digits(const BlockDistribution& blocks, int type_bits,
                          const RadixSortOptions& options) {
  check_bits("key_bits", options.key_bits, type_bits);
  check_bits("digit_bits", options.digit_bits, kMostDigitBits);
  const int key_bits = options.key_bits == 0 ? type_bits : options.key_bits;
  if (options.digit_bits != 0) {
    const int bits = std::min(options.digit_bits, key_bits);
    return {bits, ceil_divide(key_bits, bits)};
  }
  const int block_bits = static_cast<int>(std::bit_width(blocks.largest())) - 1;
  const int most = std::clamp(block_bits, kFewestDigitBits, kMostChosenDigitBits);
  const int passes = ceil_divide(key_bits, most);
  return {ceil_divide(key_bits, passes), passes};
}

void sorting::throw_bad_key(std::size_t element, const std::string& key, int key_bits) {
  throw std::invalid_argument("key of element " + std::to_string(element) + ": " + key +
                              " is not allowed; below 2^" + std::to_string(key_bits));
}

}  // namespace postroom
