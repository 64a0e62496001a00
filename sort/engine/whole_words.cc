#include "sort/engine/whole_words.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include "sort/engine/engine.h"
#include "sort/engine/few_networks.h"
#include "sort/engine/finish.h"
#include "sort/engine/layout.h"
#include "sort/engine/order.h"
#include "sort/engine/part.h"
#include "sort/engine/team.h"
#include "sort/keys.h"

namespace postroom::sorting {
namespace {

using Word = std::uint64_t;
using Half = std::uint32_t;
constexpr int kHalfBits = 32;
using WordKey = WholeKey<Word, false>;
using Words = Rows<sizeof(Word), WordKey>;

// The number of a row, as if it were a key.
struct NumberKey {
  using Bits = Half;
  static constexpr bool kWholeRecord = false;
  static constexpr bool kIsField = true;

  bool is_upper;

  Bits operator()(const std::byte* row) const noexcept {
    Bits number;
    std::memcpy(&number, row + offset(row), sizeof(number));
    return number;
  }
  std::size_t offset(const std::byte* /*row*/) const noexcept {
    static_assert(std::endian::native == std::endian::little);
    return is_upper ? sizeof(Half) : 0;
  }
  Bits all_flipped() const noexcept { return 0; }
};
using Numbers = Rows<sizeof(Word), NumberKey>;

Numbers numbers_of(const WordRows& rows) noexcept { return {rows.home, {!rows.key_is_upper}}; }

Words words_at(std::byte* memory, const WordRows& rows) noexcept {
  return {memory, WordKey{Word{rows.flip} << kHalfBits}};
}

// Exchanges the halves of kCount words.
template <std::size_t kCount>
void exchange_halves(std::byte* at) noexcept {
  std::array<Word, kCount> words;
  std::memcpy(words.data(), at, sizeof(words));
  for (Word& word : words) word = std::rotl(word, kHalfBits);
  std::memcpy(at, words.data(), sizeof(words));
}

// Puts the key of each row of a share into the upper half, or back to where it was.
void turn(const WordRows& rows, Range own) noexcept {
  if (rows.key_is_upper) return;
  constexpr std::size_t kTogether = 16;  // the compiler makes vectors
  std::size_t i = own.begin;
  for (; i + kTogether <= own.end; i += kTogether) {
    exchange_halves<kTogether>(rows.home + i * sizeof(Word));
  }
  for (; i < own.end; ++i) exchange_halves<1>(rows.home + i * sizeof(Word));
}

}  // namespace

bool numbers_rise(const WordRows& rows, Lease& lease) {
  const Numbers numbers = numbers_of(rows);
  std::atomic<bool> rise{true};
  lease.run([&](Team team) {
    const Range own = share_of({0, rows.size}, team.id(), team.count());
    const std::size_t begin = std::max<std::size_t>(own.begin, 1);
    if (begin < own.end &&
        next_fall(numbers, begin, own.end, vectors_find_falls(numbers)) < own.end) {
      // Relaxed: the end of the run makes it visible.
      rise.store(false, std::memory_order_relaxed);
    }
  });
  // Relaxed: as above.
  return rise.load(std::memory_order_relaxed);
}

void sort_words_alone(std::span<std::uint64_t> words, std::byte* away, const SortConfig& config) {
  const Words home(std::as_writable_bytes(words).data(), WordKey{0});
  const Words room(away, WordKey{0});
  const Part all{0, words.size(), false};
  if (goes_to_few_networks<Words>(words.size(), config)) return FewNetworks(home, room).sort(all);
  Finisher<Words>(home, room, words.size(), config).finish(all);
}

void sort_words(const WordRows& rows, std::span<std::byte> cold, Lease& lease,
                const SortConfig& config, const std::function<void(double)>& progress) {
  Engine<Words> engine(words_at(rows.home, rows), words_at(rows.away, rows), rows.size, cold,
                       lease.processors(), config, progress);
  lease.run([&](Team team) {
    const Range own = share_of({0, rows.size}, team.id(), team.count());
    turn(rows, own);
    team.barrier();
    engine.run(team);
    team.barrier();
    turn(rows, own);
  });
  engine.rethrow();
}

}  // namespace postroom::sorting
