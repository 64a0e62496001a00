// Records sorted from where they are read to where they are written; compared with
// std::stable_sort.
#include "sort/copy_sorted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sort/datasets.h"
#include "tests/sort/sorting.h"
#include "tests/thrown.h"

namespace postroom {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// The thresholds of the other tests of the engine, with pieces of some records.
std::vector<sorting::SortConfig> configs() {
  std::vector<sorting::SortConfig> all = tiny_configs();
  std::size_t piece_bytes = 1;
  for (sorting::SortConfig& config : all) {
    config.piece_bytes = piece_bytes;
    piece_bytes *= 100;
  }
  all.push_back({});
  return all;
}

/// Memory that is read and written as a file would be, and notes how often.
class Store {
 public:
  Store(std::vector<std::byte> source, std::size_t record_bytes)
      : source_(std::move(source)),
        target_(source_.size()),
        record_bytes_(record_bytes),
        reads_(records()),
        writes_(records()) {}

  std::size_t records() const { return source_.size() / record_bytes_; }

  StoredRecords stored(std::size_t key_offset, KeyType key) {
    return {.records = records(),
            .record_bytes = record_bytes_,
            .key_offset = key_offset,
            .key = key,
            .read = [this](std::size_t first, std::span<std::byte> piece) { read(first, piece); },
            .write = [this](std::size_t first,
                            std::span<const std::byte> piece) { write(first, piece); }};
  }

  const std::vector<std::byte>& source() const { return source_; }
  const std::vector<std::byte>& target() const { return target_; }
  bool each_written(int times) const {
    return std::ranges::all_of(writes_, [&](const auto& count) { return count == times; });
  }
  int most_reads() const {
    int most = 0;
    for (const auto& count : reads_) most = std::max(most, count.load());
    return most;
  }

 private:
  void read(std::size_t first, std::span<std::byte> piece) {
    const std::size_t count = piece.size() / record_bytes_;
    ASSERT_LE(first + count, records());
    std::memcpy(piece.data(), &source_[first * record_bytes_], piece.size());
    for (std::size_t i = first; i < first + count; ++i) ++reads_[i];
  }

  void write(std::size_t first, std::span<const std::byte> piece) {
    const std::size_t count = piece.size() / record_bytes_;
    ASSERT_LE(first + count, records());
    std::memcpy(&target_[first * record_bytes_], piece.data(), piece.size());
    for (std::size_t i = first; i < first + count; ++i) ++writes_[i];
  }

  std::vector<std::byte> source_;
  std::vector<std::byte> target_;
  std::size_t record_bytes_;
  std::vector<std::atomic<int>> reads_;
  std::vector<std::atomic<int>> writes_;
};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// Whether it was done; then the target holds the records in order, each written once.
template <class T>
bool sorts(const std::vector<T>& records, const std::vector<T>& expected, KeyType key,
           const sorting::SortConfig& config, const SortOptions& options, const std::string& what) {
  Store store(bytes_of(records), sizeof(T));
  const bool done = sorting::copy_sorted(store.stored(0, key), kNoLimit, options, &config);
  EXPECT_TRUE(store.each_written(done ? 1 : 0)) << what;
  // Some are looked at before, and all where they may be in order.
  EXPECT_LE(store.most_reads(), 3) << what;
  EXPECT_TRUE(store.source() == bytes_of(records)) << what;
  EXPECT_TRUE(!done || store.target() == bytes_of(expected)) << what;
  return done;
}

template <class Key>
void expect_sorts(KeyType type) {
  int done = 0;
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size : {0, 1, 2, 30, 1000, 5000}) {
      const std::vector<Key> keys = keys_of<Key>(distribution, size, size);
      for (const bool descending : {false, true}) {
        const auto expected = expected_order(numbered(keys), descending);
        for (const int processors : {1, 2, 3}) {
          const SortOptions options{
              .processors = processors, .pin = false, .descending = descending};
          for (const sorting::SortConfig& config : configs()) {
            const std::string what =
                to_string(type) + ", " + to_string(distribution) + ", n = " + std::to_string(size) +
                ", p = " + std::to_string(processors) + (descending ? ", descending" : "");
            done += sorts(keys, keys_in(expected), type, config, options, what);
            if constexpr (sizeof(Key) == 4) {  // a record of 8 bytes, without padding
              done += sorts(numbered(keys), expected, type, config, options, what + ", records");
            }
          }
        }
      }
    }
  }
  EXPECT_GT(done, 200);
}

TEST(CopySorted, KeysOf4BytesAndRecords) {
  expect_sorts<std::uint32_t>(KeyType::u32);
  expect_sorts<std::int32_t>(KeyType::i32);
  expect_sorts<float>(KeyType::f32);
}

TEST(CopySorted, KeysOf8Bytes) {
  expect_sorts<std::uint64_t>(KeyType::u64);
  expect_sorts<std::int64_t>(KeyType::i64);
  expect_sorts<double>(KeyType::f64);
}

/// Records of kBytes with a key of 16 bits at byte 3, and their number at byte 5.
template <std::size_t kBytes>
struct Row {
  std::array<std::uint8_t, kBytes> bytes{};

  Row(std::uint16_t key, std::uint16_t number) {
    std::memcpy(&bytes[3], &key, sizeof(key));
    std::memcpy(&bytes[5], &number, sizeof(number));
  }
  friend bool operator<(const Row& a, const Row& b) { return a.key() < b.key(); }

 private:
  std::uint16_t key() const {
    std::uint16_t key;
    std::memcpy(&key, &bytes[3], sizeof(key));
    return key;
  }
};

template <std::size_t kBytes>
bool sorts_rows(std::size_t most_bytes = kNoLimit) {
  std::vector<Row<kBytes>> rows;
  const auto keys = keys_of<std::uint16_t>(Distribution::uniform, 5000, kBytes);
  for (const std::uint16_t key : keys) {
    rows.emplace_back(key, static_cast<std::uint16_t>(rows.size()));
  }
  Store store(bytes_of(rows), kBytes);
  const sorting::SortConfig config{.alone_records = 100, .piece_bytes = 1000};
  const bool done = sorting::copy_sorted(store.stored(3, KeyType::u16), most_bytes,
                                         {.processors = 2, .pin = false}, &config);
  std::stable_sort(rows.begin(), rows.end());
  EXPECT_TRUE(store.each_written(done ? 1 : 0)) << kBytes;
  EXPECT_EQ(store.target() == bytes_of(rows), done) << kBytes;
  return done;
}

TEST(CopySorted, RecordsOfTheSizesThatItIsCompiledFor) {
  EXPECT_TRUE(sorts_rows<8>());
  EXPECT_TRUE(sorts_rows<12>());
  EXPECT_TRUE(sorts_rows<16>());
  EXPECT_TRUE(sorts_rows<20>());
  EXPECT_TRUE(sorts_rows<24>());
  EXPECT_TRUE(sorts_rows<32>());
  EXPECT_TRUE(sorts_rows<40>());
  EXPECT_TRUE(sorts_rows<48>());
  EXPECT_TRUE(sorts_rows<64>());
  EXPECT_FALSE(sorts_rows<7>());
  EXPECT_FALSE(sorts_rows<9>());
  EXPECT_FALSE(sorts_rows<100>());
}

TEST(CopySorted, NotWhereItTakesTooMuchMemory) {
  EXPECT_FALSE(sorts_rows<16>(5000 * 16));  // the largest bucket comes on top
  EXPECT_TRUE(sorts_rows<16>(5000 * 16 * 3 / 2));
}

TEST(CopySorted, NotWhereMostKeysAreAlikeAndNotByOtherAlgorithms) {
  const sorting::SortConfig config{.alone_records = 1, .piece_bytes = 64};
  std::vector<std::uint32_t> keys(3000, 7);
  for (std::size_t i = 0; i < keys.size(); i += 3)
    keys[i] = static_cast<std::uint32_t>(i * 1'000'003);
  const auto done = [&](const SortOptions& options) {
    return sorts(keys, keys, KeyType::u32, config, options, "mostly alike");
  };
  EXPECT_FALSE(done({.processors = 1}));
  EXPECT_FALSE(done({.processors = 2}));
  std::iota(keys.begin(), keys.end(), 0);
  EXPECT_TRUE(done({.processors = 2}));
  EXPECT_FALSE(done({.processors = 2, .algorithm = SortAlgorithm::radix_direct}));
}

TEST(CopySorted, WhatIsInOrderIsOnlyCopied) {
  const sorting::SortConfig config{.alone_records = 1000, .piece_bytes = 64};
  constexpr std::size_t kTooLittle = 4000;  // for buckets
  for (const int processors : {1, 2, 3, 5}) {
    std::vector<std::uint64_t> keys(1000);
    std::iota(keys.begin(), keys.end(), 0);
    const SortOptions options{.processors = processors, .pin = false};
    Store store(bytes_of(keys), 8);
    EXPECT_TRUE(sorting::copy_sorted(store.stored(0, KeyType::u64), kTooLittle, options, &config));
    EXPECT_TRUE(store.target() == store.source());
    EXPECT_TRUE(store.each_written(1));
    // One place out of order, wherever it is.
    for (std::size_t i = 1; i < keys.size(); ++i) {
      std::swap(keys[i - 1], keys[i]);
      Store other(bytes_of(keys), 8);
      EXPECT_FALSE(
          sorting::copy_sorted(other.stored(0, KeyType::u64), kTooLittle, options, &config))
          << i;
      std::swap(keys[i - 1], keys[i]);
    }
  }
}

TEST(CopySorted, KeysAroundZeroAndSomeFarAway) {
  std::mt19937_64 random(7);
  const sorting::SortConfig config{
      .alone_records = 1, .bucket_records = 64, .piece_bytes = 1 << 10};
  const auto expect_done = [&](auto keys, KeyType type) {
    const auto expected = keys_in(expected_order(numbered(keys)));
    for (const int processors : {1, 2, 3}) {
      const SortOptions options{.processors = processors, .pin = false};
      EXPECT_TRUE(sorts(keys, expected, type, config, options, to_string(type)));
    }
  };
  std::vector<std::int64_t> small(400'000);
  for (std::int64_t& key : small) key = static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000;
  expect_done(small, KeyType::i64);
  small[777] = std::numeric_limits<std::int64_t>::max();
  small[778] = std::numeric_limits<std::int64_t>::min();
  expect_done(small, KeyType::i64);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(400'000);
  for (double& key : numbers) key = normal(random);
  expect_done(numbers, KeyType::f64);
  std::vector<float> floats(numbers.begin(), numbers.end());
  expect_done(floats, KeyType::f32);
}

TEST(CopySorted, NotWithMoreProcessorsThanMemoryForThem) {
  const auto keys = keys_of<std::uint64_t>(Distribution::uniform, 100'000, 1);
  Store store(bytes_of(keys), 8);
  // Each would have a piece of 128 KiB.
  EXPECT_FALSE(copy_sorted(store.stored(0, KeyType::u64), kNoLimit, {.processors = 64}));
  EXPECT_EQ(store.most_reads(), 0);
  EXPECT_TRUE(store.each_written(0));
}

TEST(CopySorted, AKeyThatTheSampleDidNotShow) {
  std::vector<std::uint64_t> keys = keys_of<std::uint64_t>(Distribution::uniform, 2000, 1);
  for (std::uint64_t& key : keys) key >>= 40;
  keys[1001] = ~std::uint64_t{0};
  auto expected = keys;
  std::ranges::sort(expected);
  const sorting::SortConfig config{.alone_records = 2000, .piece_bytes = 64, .sample_records = 2};
  EXPECT_TRUE(sorts(keys, expected, KeyType::u64, config, {.processors = 1}, "one large key"));
}

// --- What goes wrong.

struct Refused : std::runtime_error {
  Refused() : std::runtime_error("no more") {}
};

/// Sorts 2000 records of which the callbacks are called so often, then throw.
void expect_passes_on(int processors, int calls) {
  const auto keys = keys_of<std::uint64_t>(Distribution::uniform, 2000, 1);
  Store store(bytes_of(keys), 8);
  StoredRecords stored = store.stored(0, KeyType::u64);
  std::atomic<int> left{calls};
  const auto count_down = [&] {
    if (left.fetch_sub(1) <= 0) throw Refused();
  };
  stored.read = [&, read = stored.read](std::size_t first, std::span<std::byte> piece) {
    count_down();
    read(first, piece);
  };
  stored.write = [&, write = stored.write](std::size_t first, std::span<const std::byte> piece) {
    count_down();
    write(first, piece);
  };
  const sorting::SortConfig config{.alone_records = 1, .piece_bytes = 800, .sample_records = 16};
  const SortOptions options{
      .processors = processors, .pin = false, .progress = [&](double) { count_down(); }};
  bool threw = false;
  try {
    EXPECT_TRUE(sorting::copy_sorted(stored, kNoLimit, options, &config));
  } catch (const Refused&) {
    threw = true;
  }
  EXPECT_EQ(threw, left < 0) << processors << ", " << calls;
}

TEST(CopySorted, PassesOnWhatACallbackThrows) {
  for (const int processors : {1, 2, 3}) {
    for (int calls = 0; calls < 250; ++calls) expect_passes_on(processors, calls);
  }
}

/// Of `store`, whose keys are all of its records: the `changed`-th is another one from the second
/// piece on that is read with it.
StoredRecords changing(Store& store, std::size_t changed, std::uint64_t to) {
  StoredRecords stored = store.stored(0, KeyType::u64);
  stored.read = [read = stored.read, changed, to, times = std::make_shared<std::atomic<int>>(0)](
                    std::size_t first, std::span<std::byte> piece) {
    read(first, piece);
    // Single records are looked at before.
    if (piece.size() < 16 || changed < first || changed >= first + piece.size() / 8) return;
    if (++*times > 1) std::memcpy(&piece[(changed - first) * 8], &to, 8);
  };
  return stored;
}

TEST(CopySorted, WhatIsNotInOrderIsReadOnceButForASample) {
  const sorting::SortConfig config{.alone_records = 1, .piece_bytes = 64, .sample_records = 2};
  for (const int processors : {1, 2, 3}) {
    Store store(bytes_of(keys_of<std::uint64_t>(Distribution::uniform, 10'000, 1)), 8);
    std::atomic<std::size_t> read{0};
    StoredRecords stored = store.stored(0, KeyType::u64);
    stored.read = [&, whole = stored.read](std::size_t first, std::span<std::byte> piece) {
      read += piece.size() / 8;
      whole(first, piece);
    };
    EXPECT_TRUE(
        sorting::copy_sorted(stored, kNoLimit, {.processors = processors, .pin = false}, &config));
    EXPECT_LE(read, 10'500) << processors;
    EXPECT_TRUE(store.each_written(1));
  }
}

TEST(CopySorted, BucketsThatAreLargerThanTheSampleSaid) {
  // Half of the keys are one that lies where none is looked at.
  const sorting::SortConfig config{.alone_records = 100, .piece_bytes = 64, .sample_records = 2};
  auto keys = keys_of<std::uint64_t>(Distribution::uniform, 8000, 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i % 125 >= 60) keys[i] = keys[1];
  }
  EXPECT_FALSE(sorts(keys, keys, KeyType::u64, config, {.processors = 1}, "one key"));
}

TEST(CopySorted, RecordsThatAreInOrderNoLonger) {
  const sorting::SortConfig config{.alone_records = 2000, .piece_bytes = 64};
  std::vector<std::uint64_t> keys(2000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = 2 * i + 10;
  const auto copy = [&](std::size_t changed, std::uint64_t to, int processors) {
    Store store(bytes_of(keys), 8);
    (void)sorting::copy_sorted(changing(store, changed, to), kNoLimit, {.processors = processors},
                               &config);
  };
  for (const int processors : {1, 2}) {
    // Below the one before, and above the one behind.
    for (const std::size_t changed : {1, 7, 8, 999, 1000, 1999}) {
      EXPECT_THROW(copy(changed, keys[changed] - 3, processors), SourceChangedError) << changed;
    }
    for (const std::size_t changed : {0, 1, 7, 8, 999, 1000, 1998}) {
      EXPECT_THROW(copy(changed, keys[changed] + 3, processors), SourceChangedError) << changed;
    }
  }
}

TEST(CopySorted, RefusesSizesThatDoNotFit) {
  Store store(std::vector<std::byte>(16), 4);
  EXPECT_EQ(refusal([&] { (void)copy_sorted(store.stored(0, KeyType::u64), kNoLimit); }),
            "key: a u64 is not allowed in records of 4 bytes");
  EXPECT_THROW((void)copy_sorted(store.stored(0, KeyType::u32), kNoLimit, {.processors = -1}),
               std::invalid_argument);
  EXPECT_TRUE(store.each_written(0));
}

TEST(CopySorted, ManyByTheThresholdsOfTheBox) {
  auto keys = keys_of<std::uint32_t>(Distribution::uniform, 1'000'000, 3);
  Store store(bytes_of(keys), 4);
  EXPECT_TRUE(copy_sorted(store.stored(0, KeyType::u32), kNoLimit, {}));
  std::ranges::sort(keys);
  EXPECT_TRUE(store.target() == bytes_of(keys));
}

TEST(CopySorted, TellsThatAllIsDoneOnceWhenItIs) {
  for (const auto& [processors, distribution] : {std::pair(1, Distribution::uniform),
                                                 {2, Distribution::uniform},
                                                 {1, Distribution::sorted},
                                                 {2, Distribution::sorted}}) {
    auto keys = keys_of<std::uint32_t>(distribution, 300'000, 3);
    Store store(bytes_of(keys), 4);
    std::ranges::sort(keys);
    double told = -1;
    const SortOptions options{.processors = processors, .progress = [&](double fraction) {
                                EXPECT_GT(fraction, told);
                                told = fraction;
                                EXPECT_TRUE(fraction < 1 || store.target() == bytes_of(keys));
                              }};
    EXPECT_TRUE(copy_sorted(store.stored(0, KeyType::u32), kNoLimit, options));
    EXPECT_EQ(told, 1);
  }
}

}  // namespace
}  // namespace postroom
