#include "sort/numbered.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sort/by_radix.h"
#include "sort/home.h"
#include "sort/layout.h"
#include "sort/progress.h"
#include "sort/shares.h"
#include "sort/team.h"

namespace postroom::sorting {
namespace {

// The key of a row, as the engine reads it.
template <class Word>
struct NumberedKey {
  using Bits = Word;
  static constexpr bool kWholeRecord = false;
  static constexpr bool kIsField = true;

  Bits operator()(const std::byte* row) const noexcept {
    Bits key;
    std::memcpy(&key, row + offset(row), sizeof(key));
    return key;
  }
  std::size_t offset(const std::byte* /*row*/) const noexcept {
    return offsetof(NumberedRow<Word>, key);
  }
  Bits all_flipped() const noexcept { return 0; }
};

template <class Word>
void number_keys(std::span<NumberedRow<Word>> rows, const KeyReader& keys,
                 const SortOptions& options, std::size_t alone_records) {
  Shares(rows.size(), options, alone_records).run([&](Range own, std::size_t) {
    std::array<std::uint64_t, 512> some;
    for (std::size_t begin = own.begin; begin < own.end; begin += some.size()) {
      const std::size_t end = std::min(own.end, begin + some.size());
      keys.read(begin, end, some.data());
      for (std::size_t i = begin; i < end; ++i) {
        rows[i] = {.number = static_cast<Word>(i), .key = static_cast<Word>(some[i - begin])};
      }
    }
  });
}

template <class Word>
void number_in_order_by(std::span<NumberedRow<Word>> rows, const KeyReader& keys,
                        const RoomForRows& room, const SortOptions& options,
                        const SortConfig* config) {
  number_keys(rows, keys, options, (config != nullptr ? *config : SortConfig{}).alone_records);
  if (options.algorithm != SortAlgorithm::automatic) return sort_by_radix(rows, options);
  using Records = Rows<sizeof(NumberedRow<Word>), NumberedKey<Word>>;
  const Records home(std::as_writable_bytes(rows).data(), {});
  const auto make_room = [&]() -> Room<Records> { return {Records(room.away, {}), room.cold}; };
  SortOptions of_rows = options;
  of_rows.progress = all_but_the_end(options.progress);
  sort_home(home, rows.size(), make_room, of_rows, config);
}

}  // namespace

void number_in_order(std::span<WideRow> rows, const KeyReader& keys, const RoomForRows& room,
                     const SortOptions& options, const SortConfig* config) {
  number_in_order_by(rows, keys, room, options, config);
}

void number_in_order(std::span<NarrowRow> rows, const KeyReader& keys, const RoomForRows& room,
                     const SortOptions& options, const SortConfig* config) {
  number_in_order_by(rows, keys, room, options, config);
}

}  // namespace postroom::sorting
