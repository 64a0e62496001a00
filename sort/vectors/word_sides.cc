#include "sort/vectors/word_sides.h"

#include <array>

#include "sort/vectors/lane_orders.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom::sorting {

#ifdef __x86_64__

#pragma GCC push_options
#pragma GCC target("avx512f,popcnt")
// Vectors go from function to function within this file only.
#pragma GCC diagnostic ignored "-Wpsabi"
// GCC 12 takes what its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kVectorBytes = kLanes * sizeof(std::uint64_t);

__m512i read(const std::byte* from) { return _mm512_loadu_si512(from); }
__mmask8 first(std::size_t count) { return static_cast<__mmask8>((1U << count) - 1); }

// Which words are below.
template <bool kUpper>
class Pivot {
 public:
  Pivot(std::uint64_t limit, std::uint32_t flip)
      : limit_(_mm512_set1_epi64(static_cast<long long>(limit))), flip_(_mm512_set1_epi64(flip)) {}

  unsigned below(__m512i words) const {
    const __m512i keys = kUpper ? _mm512_srli_epi64(words, 32)
                                : _mm512_and_si512(words, _mm512_set1_epi64(0xFFFF'FFFF));
    return _mm512_cmplt_epu64_mask(_mm512_xor_si512(keys, flip_), limit_);
  }

 private:
  __m512i limit_;
  __m512i flip_;
};

__m512i side_by_side(__m512i words, unsigned set) {
  const __m128i lanes =
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLaneOrders<kLanes>.at_begin[set].data()));
  return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(lanes), words);
}

// Some words of a vector, side by side.
struct Chosen {
  __m512i words;
  unsigned count;

  Chosen() = default;
  Chosen(__m512i all, unsigned set)
      : words(side_by_side(all, set)), count(static_cast<unsigned>(_mm_popcnt_u32(set))) {}

  // What is behind them at `to` stays as it is.
  void write_alone(std::byte*& to) const {
    _mm512_mask_storeu_epi64(to, first(count), words);
    to += count * sizeof(std::uint64_t);
  }
  void write(std::byte*& to) const {
    _mm512_storeu_si512(to, words);
    to += count * sizeof(std::uint64_t);
  }
};

// Words that are taken from their begin on. Neither side gets ahead of them.
template <bool kUpper>
struct Taking {
  Pivot<kUpper> pivot;
  const std::byte* from;
  std::byte* below;
  std::byte* above;

  // So many vectors. All are read before anything is written, as in sort/vectors/vector_sides.cc.
  template <std::size_t kVectors>
  [[gnu::always_inline]] void take_vectors() {
    std::array<Chosen, kVectors> belows;
    std::array<Chosen, kVectors> aboves;
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kVectors; ++j) {
      __m512i words = read(from + j * kVectorBytes);
      asm("" : "+v"(words));  // or GCC reads them anew for each use
      const unsigned low = pivot.below(words);
      belows[j] = Chosen(words, low);
      aboves[j] = Chosen(words, 0xFF & ~low);
    }
    asm volatile("" ::: "memory");  // the compiler keeps to it
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kVectors; ++j) {
      belows[j].write(below);
      aboves[j].write(above);
    }
    from += kVectors * kVectorBytes;
  }

  // Up to a vector. What is behind them on both sides stays as it is.
  void take_alone(std::size_t size) {
    const unsigned there = first(size);
    const __m512i words = _mm512_maskz_loadu_epi64(static_cast<__mmask8>(there), from);
    const unsigned low = pivot.below(words) & there;
    Chosen(words, low).write_alone(below);
    Chosen(words, there & ~low).write_alone(above);
    from += size * sizeof(std::uint64_t);
  }
};

constexpr std::size_t kTogether = 8;  // more would need too many registers

template <bool kUpper>
std::size_t take_sides_by(const std::byte* from, std::byte* below, std::byte* above,
                          std::size_t size, std::uint64_t limit, std::uint32_t flip) {
  Taking<kUpper> taking{Pivot<kUpper>(limit, flip), from, below, above};
  std::size_t left = size;
  for (; left >= kTogether * kLanes; left -= kTogether * kLanes) {
    taking.template take_vectors<kTogether>();
  }
  for (; left >= kLanes; left -= kLanes) taking.template take_vectors<1>();
  taking.take_alone(left);
  return static_cast<std::size_t>(taking.below - below) / sizeof(std::uint64_t);
}

template <bool kUpper>
void take_counted_by(const std::byte* from, std::byte* below, std::size_t below_size,
                     std::byte* above, std::size_t size, std::uint64_t limit, std::uint32_t flip) {
  Taking<kUpper> taking{Pivot<kUpper>(limit, flip), from, below, above};
  const std::byte* const below_end = below + below_size * sizeof(std::uint64_t);
  const std::byte* const above_end = above + (size - below_size) * sizeof(std::uint64_t);
  const auto has_room = [](const std::byte* to, const std::byte* end) {
    return static_cast<std::size_t>(end - to) >= kTogether * kVectorBytes;
  };
  std::size_t left = size;
  for (; has_room(taking.below, below_end) && has_room(taking.above, above_end);
       left -= kTogether * kLanes) {
    taking.template take_vectors<kTogether>();
  }
  for (; left >= kLanes; left -= kLanes) taking.take_alone(kLanes);
  taking.take_alone(left);
}

template <bool kUpper>
std::size_t count_below_by(const std::byte* from, std::size_t size, std::uint64_t limit,
                           std::uint32_t flip) {
  const Pivot<kUpper> pivot(limit, flip);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    count +=
        static_cast<unsigned>(_mm_popcnt_u32(pivot.below(read(from + i * sizeof(std::uint64_t)))));
  }
  const __mmask8 there = first(size - i);
  const __m512i last = _mm512_maskz_loadu_epi64(there, from + i * sizeof(std::uint64_t));
  return count + static_cast<unsigned>(_mm_popcnt_u32(pivot.below(last) & there));
}

}  // namespace

std::size_t take_word_sides(const std::byte* from, std::byte* below, std::byte* above,
                            std::size_t size, std::uint64_t limit, const WordKeys& keys) noexcept {
  return keys.are_upper ? take_sides_by<true>(from, below, above, size, limit, keys.flip)
                        : take_sides_by<false>(from, below, above, size, limit, keys.flip);
}

void take_counted_word_sides(const std::byte* from, std::byte* below, std::size_t below_size,
                             std::byte* above, std::size_t size, std::uint64_t limit,
                             const WordKeys& keys) noexcept {
  keys.are_upper ? take_counted_by<true>(from, below, below_size, above, size, limit, keys.flip)
                 : take_counted_by<false>(from, below, below_size, above, size, limit, keys.flip);
}

std::size_t count_words_below(const std::byte* from, std::size_t size, std::uint64_t limit,
                              const WordKeys& keys) noexcept {
  return keys.are_upper ? count_below_by<true>(from, size, limit, keys.flip)
                        : count_below_by<false>(from, size, limit, keys.flip);
}

#pragma GCC pop_options

#else

std::size_t take_word_sides(const std::byte*, std::byte*, std::byte*, std::size_t, std::uint64_t,
                            const WordKeys&) noexcept {
  return 0;
}
void take_counted_word_sides(const std::byte*, std::byte*, std::size_t, std::byte*, std::size_t,
                             std::uint64_t, const WordKeys&) noexcept {}
std::size_t count_words_below(const std::byte*, std::size_t, std::uint64_t,
                              const WordKeys&) noexcept {
  return 0;
}

#endif

}  // namespace postroom::sorting
