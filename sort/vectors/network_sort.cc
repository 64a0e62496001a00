#include "sort/vectors/network_sort.h"

#include <cstring>
#include <limits>

#include "numa/once.h"
#include "numa/vectors.h"
#include "sort/keys.h"
#include "sort/vectors/network_vectors.h"

#ifdef __x86_64__

namespace postroom::sorting {

namespace {

std::size_t find_vector_bytes() noexcept {
  if (uses_avx512()) return kAvx512Bytes;
  return uses_avx2() ? kAvx2Bytes : 0;
}

// Lanes are signed.
template <class Lane, class Bits>
Lane flip_of_lanes(Bits flip) noexcept {
  return static_cast<Lane>(flip ^ static_cast<Bits>(std::numeric_limits<Lane>::min()));
}

template <class Lane, class Bits>
void sort_by_lanes(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                   Bits flip) noexcept {
  const auto flips = flip_of_lanes<Lane>(flip);
  if (network_vector_bytes() == kAvx512Bytes) return sort_by_avx512(from, to, size, room, flips);
  sort_by_avx2(from, to, size, room, flips);
}

template <class Bits>
void fold_all(std::byte* keys, std::size_t size) noexcept {
  for (std::byte* at = keys; at != keys + size * sizeof(Bits); at += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, at, sizeof(bits));
    bits = fold_negative(bits);
    std::memcpy(at, &bits, sizeof(bits));
  }
}

template <class Lane, class Bits>
void sort_floats_by_lanes(std::byte* keys, std::size_t size, Bits flip) noexcept {
  const auto flips = flip_of_lanes<Lane>(flip);
  if (network_vector_bytes() == kAvx512Bytes) return sort_floats_by_avx512(keys, size, flips);
  fold_all<Bits>(keys, size);
  sort_by_avx2(keys, keys, size, size, flips);
  fold_all<Bits>(keys, size);
}

}  // namespace

std::size_t network_vector_bytes() noexcept {
  static constinit FoundOnce<std::size_t> bytes;
  return bytes.get(find_vector_bytes);
}

void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint32_t flip) noexcept {
  sort_by_lanes<std::int32_t>(from, to, size, room, flip);
}

void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint64_t flip) noexcept {
  sort_by_lanes<std::int64_t>(from, to, size, room, flip);
}

void sort_floats_by_network(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept {
  sort_floats_by_lanes<std::int32_t>(keys, size, flip);
}

void sort_floats_by_network(std::byte* keys, std::size_t size, std::uint64_t flip) noexcept {
  sort_floats_by_lanes<std::int64_t>(keys, size, flip);
}

void sort_words_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                           bool by_upper, std::uint32_t flip) noexcept {
  const auto flips = flip_of_lanes<std::int64_t>(std::uint64_t{flip} << 32);
  sort_words_by_avx512(from, to, size, room, by_upper, flips);
}

}  // namespace postroom::sorting

#else

namespace postroom::sorting {

std::size_t network_vector_bytes() noexcept { return 0; }

void sort_by_network(const std::byte*, std::byte*, std::size_t, std::size_t,
                     std::uint32_t) noexcept {}
void sort_by_network(const std::byte*, std::byte*, std::size_t, std::size_t,
                     std::uint64_t) noexcept {}
void sort_floats_by_network(std::byte*, std::size_t, std::uint32_t) noexcept {}
void sort_floats_by_network(std::byte*, std::size_t, std::uint64_t) noexcept {}
void sort_words_by_network(const std::byte*, std::byte*, std::size_t, std::size_t, bool,
                           std::uint32_t) noexcept {}

}  // namespace postroom::sorting

#endif
