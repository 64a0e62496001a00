// Few bare keys sorted by a network of vectors.
//
// A sorting network compares and exchanges the same places whatever the keys are, so nothing in it
// is a branch, and each of its steps does sixteen keys of 32 bits at once, or eight of 64 (AVX-512;
// half as many with AVX2). The keys lie in a matrix (sort/vectors/network_matrix.h).
//
// Sources: K. E. Batcher, "Sorting Networks and their Applications" (1968), for the odd-even
// merge sort of the columns and the bitonic merge.
//
// Not stable, which cannot be seen on bare keys; words are numbered while they are sorted. Cost:
// 0.6 to 0.9 ns a u32 and 1.2 to 1.7 a u64 for 16 keys and more (AVX2, AMD Zen 3), the same for any
// keys; with AVX2 less for u64 that are alike in their highest three bits (Intel Granite
// Rapids: 1.0 and 2.1). No memory but the stack. Nothing here throws.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom::sorting {

/// So many keys at most, with vectors of so many bytes: sixteen of them.
template <class Bits>
constexpr std::size_t most_in_network(std::size_t vector_bytes) noexcept {
  return 16 * vector_bytes / sizeof(Bits);
}

/// How large the vectors are that this processor has for it; 0 where it has none.
std::size_t network_vector_bytes() noexcept;
inline bool has_networks() noexcept { return network_vector_bytes() > 0; }
/// Whether they are so large that words of 64 bits are sooner sorted by networks than by radix
/// passes. 10^4 pairs of u32 on one core (AMD Zen 5): with vectors of 32 bytes 3.6 ns, by radix
/// passes 2.4.
inline bool has_word_networks() noexcept { return network_vector_bytes() >= 64; }

/// Sorts `size` keys at `from` by key ^ flip, with a flip of flip_mask (sort/keys.h), to `to`,
/// which is the same place or does not overlap. The caller has `room` keys at `to`, size or more;
/// those behind are left as they are, but may be read and written. Precondition:
/// size <= most_in_network(network_vector_bytes()).
void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint32_t flip) noexcept;
void sort_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                     std::uint64_t flip) noexcept;
/// The same of floating-point numbers where they lie, by fold_negative(bits) ^ flip (sort/keys.h).
void sort_floats_by_network(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept;
void sort_floats_by_network(std::byte* keys, std::size_t size, std::uint64_t flip) noexcept;
/// Sorts words of 64 bits by their upper halves ^ flip, or by their lower ones, stably. Where these
/// halves differ in their 25 lowest bits only (28 for up to 16 words), the number of a word takes
/// the place of the others meanwhile; else that of the other half, which is fetched afterwards
/// (0.4 ns a word, AMD Zen 5). Precondition: has_word_networks().
void sort_words_by_network(const std::byte* from, std::byte* to, std::size_t size, std::size_t room,
                           bool by_upper, std::uint32_t flip) noexcept;

}  // namespace postroom::sorting
