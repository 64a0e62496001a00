// Runs cut, merged and written: compared with std::stable_sort, with pieces so small that there are
// many and that runs are merged in several passes.
#include "cli/sort/merge_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/common/failure.h"
#include "cli/files/spill_file.h"
#include "cli/files/stored_file.h"
#include "cli/sort/merge_cuts.h"
#include "cli/sort/refuse_disorder.h"
#include "tests/cli/scratch_folder.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

using Records = std::vector<std::string>;

constexpr std::uint64_t kSeed = 11;
/// Pieces of 200,000 bytes with one processor, of which four runs can be merged at once.
constexpr std::uint64_t kMemory = 2 * 3 * 200'000;

class StringSink final : public ByteSink {
 public:
  void write(std::span<const std::byte> bytes) override {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  std::string text;
};

std::string joined(const Records& records) {
  std::string all;
  for (const std::string& record : records) all += record;
  return all;
}

/// Runs in a file, as they would be spilled.
class Runs {
 public:
  void add(const std::string& content) {
    runs.emplace_back(StoredFile(file_.descriptor()), file_.bytes(), content.size(),
                      "run " + std::to_string(runs.size()));
    file_.write(std::as_bytes(std::span(content)));
  }

  std::vector<SortedRun> runs;

 private:
  ScratchFolder folder_;
  SpillFile file_{folder_()};
};

/// What makes a record of a key and a number that shows where it came from.
struct Kind {
  std::string name;
  KeyFormat format;
  std::function<std::string(std::uint32_t key, std::uint32_t number)> record;
  std::function<std::uint64_t(const std::string& record)> key;
};

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

template <class T>
T value_at(const std::string& record, std::size_t place) {
  T value;
  std::memcpy(&value, record.data() + place, sizeof(value));
  return value;
}

std::string big_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += static_cast<char>(value >> (8 * (bytes - text.size() - 1)));
  return text;
}

std::uint64_t big_endian_at(const std::string& record, std::size_t place, std::size_t bytes) {
  std::uint64_t value = 0;
  for (const char each : record.substr(place, bytes)) {
    value = value << 8 | static_cast<unsigned char>(each);
  }
  return value;
}

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  all.push_back({"records of 12 bytes",
                 {.key = KeyType::u32, .record_bytes = 12, .key_offset = 5},
                 [](std::uint32_t key, std::uint32_t number) {
                   return std::string(1, 'x') + bytes_of(number) + bytes_of(key) + "abc";
                 },
                 [](const std::string& record) { return value_at<std::uint32_t>(record, 5); }});
  all.push_back({"records of 16 bytes",
                 {.key = KeyType::u64, .record_bytes = 16},
                 [](std::uint32_t key, std::uint32_t number) {
                   return bytes_of(std::uint64_t{key} << 20) + bytes_of(std::uint64_t{number});
                 },
                 [](const std::string& record) { return value_at<std::uint64_t>(record, 0); }});
  all.push_back({"records of 3 bytes",
                 {.key = KeyType::u16, .record_bytes = 3},
                 [](std::uint32_t key, std::uint32_t number) {
                   return bytes_of(static_cast<std::uint16_t>(key)) +
                          std::string(1, static_cast<char>(number));
                 },
                 [](const std::string& record) { return value_at<std::uint16_t>(record, 0); }});
  all.push_back({"signed keys alone",
                 {.key = KeyType::i32, .record_bytes = 4},
                 [](std::uint32_t key, std::uint32_t) {
                   return bytes_of(static_cast<std::int32_t>(key) - 20'000);
                 },
                 [](const std::string& record) {
                   return static_cast<std::uint32_t>(value_at<std::int32_t>(record, 0) + 20'000);
                 }});
  all.push_back({"floats alone",
                 {.key = KeyType::f64, .record_bytes = 8},
                 [](std::uint32_t key, std::uint32_t) { return bytes_of(key * 0.25); },
                 [](const std::string& record) {
                   return static_cast<std::uint64_t>(value_at<double>(record, 0) * 4);
                 }});
  all.push_back({"keys of bytes, long ones that often begin alike",
                 {.key = ByteKey{12}, .record_bytes = 17, .key_offset = 1},
                 [](std::uint32_t key, std::uint32_t number) {
                   return "x" + big_endian(key / 1000, 8) + big_endian(key % 1000, 4) +
                          bytes_of(number);
                 },
                 [](const std::string& record) {
                   return 1000 * big_endian_at(record, 1, 8) + big_endian_at(record, 9, 4);
                 }});
  all.push_back({"keys of bytes, longer than a key is held in place",
                 {.key = ByteKey{40}, .record_bytes = 44},
                 [](std::uint32_t key, std::uint32_t number) {
                   return std::string(36, 'x') + big_endian(key, 4) + bytes_of(number);
                 },
                 [](const std::string& record) { return big_endian_at(record, 36, 4); }});
  all.push_back({"keys of bytes alone",
                 {.key = ByteKey{3}, .record_bytes = 3},
                 [](std::uint32_t key, std::uint32_t) { return big_endian(key, 3); },
                 [](const std::string& record) { return big_endian_at(record, 0, 3); }});
  all.push_back({"lines",
                 {.text = true},
                 [](std::uint32_t key, std::uint32_t number) {
                   return std::string(number % 3, ' ') + (number % 5 == 0 ? "00" : "") +
                          std::to_string(key) + (number % 7 == 0 ? "\t" : "") + "\n";
                 },
                 [](const std::string& record) { return std::stoull(record); }});
  return all;
}

/// Merges `rows`, each of which is put in order first, and compares.
void expect_merged(const Kind& kind, std::vector<Records> rows, bool descending,
                   const MergeWishes& wishes, std::size_t least_passes, const std::string& what) {
  Records all;
  Runs runs;
  const auto before = [&](const std::string& a, const std::string& b) {
    return descending ? kind.key(b) < kind.key(a) : kind.key(a) < kind.key(b);
  };
  for (Records& row : rows) {
    std::ranges::stable_sort(row, before);
    all.insert(all.end(), row.begin(), row.end());
    runs.add(joined(row));
  }
  std::ranges::stable_sort(all, before);
  StringSink sink;
  Progress progress(false);
  const MergeResult result =
      merge_runs(std::move(runs.runs), {kind.format, false, descending}, wishes, sink, progress);
  EXPECT_TRUE(sink.text == joined(all)) << kind.name << ", " << what << ", seed " << kSeed;
  EXPECT_EQ(result.records, all.size()) << kind.name << ", " << what;
  EXPECT_GE(result.passes, least_passes) << kind.name << ", " << what;
  EXPECT_EQ(result.read, result.written) << kind.name << ", " << what;
  EXPECT_EQ(result.read.records, all.size());
}

/// `runs` rows of about `size` records with keys below `most`.
std::vector<Records> random_rows(const Kind& kind, std::size_t runs, std::size_t size,
                                 std::uint32_t most) {
  std::mt19937_64 random(kSeed);
  std::vector<Records> rows(runs);
  std::uint32_t number = 0;
  for (Records& row : rows) {
    const std::size_t own = size / 2 + random() % (size + 1);
    for (std::size_t i = 0; i < own; ++i) {
      row.push_back(kind.record(static_cast<std::uint32_t>(random() % most), number++));
    }
  }
  return rows;
}

MergeWishes wishes_in(const ScratchFolder& folder, int processors = 1) {
  return {.memory_bytes = kMemory,
          .processors = processors,
          .spill_folder = folder(),
          .fingerprint = true,
          .check = true};
}

TEST(MergeRuns, AnyKindAnyKeysBothWays) {
  const ScratchFolder folder;
  for (const Kind& kind : kinds()) {
    for (const std::uint32_t most : {60'000u, 7u, 1u}) {
      for (const bool descending : {false, true}) {
        expect_merged(kind, random_rows(kind, 4, 30'000, most), descending, wishes_in(folder, 2), 1,
                      "keys below " + std::to_string(most));
      }
    }
  }
}

TEST(MergeRuns, RunsThatFollowEachOther) {
  const ScratchFolder folder;
  for (const Kind& kind : kinds()) {
    std::vector<Records> rows(5);
    for (std::uint32_t i = 0; i < 50'000; ++i) rows[4 - i / 10'000].push_back(kind.record(i, i));
    expect_merged(kind, rows, false, wishes_in(folder), 1, "one after the other");
    expect_merged(kind, rows, true, wishes_in(folder), 1, "one after the other, down");
  }
}

TEST(MergeRuns, NoneOneAndEmptyOnes) {
  const ScratchFolder folder;
  for (const Kind& kind : kinds()) {
    expect_merged(kind, {}, false, wishes_in(folder), 1, "no runs");
    expect_merged(kind, {{}, {}, {}}, false, wishes_in(folder), 1, "empty runs");
    expect_merged(kind, random_rows(kind, 1, 20'000, 1000), false, wishes_in(folder), 1, "one run");
    std::vector<Records> rows = random_rows(kind, 3, 2, 10);
    rows.insert(rows.begin() + 1, Records());
    expect_merged(kind, rows, false, wishes_in(folder), 1, "some records");
  }
}

TEST(MergeRuns, MoreRunsThanAreMergedAtOnce) {
  const ScratchFolder folder;
  for (const Kind& kind : kinds()) {
    // Four at a time.
    expect_merged(kind, random_rows(kind, 23, 1500, 500), false, wishes_in(folder), 3, "23 runs");
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(MergeRuns, TheLastLineOfAFileMayHaveNoEnd) {
  Runs runs;
  runs.add("1\n5");
  runs.add("2\n7\n");
  runs.add("3");
  StringSink sink;
  Progress progress(false);
  const ScratchFolder folder;
  merge_runs(std::move(runs.runs), {{.text = true}, false, false}, wishes_in(folder), sink,
             progress);
  EXPECT_EQ(sink.text, "1\n2\n3\n5\n7\n");
}

/// What merging the runs throws.
std::string refusal(Runs& runs, const RecordOrder& order) {
  const ScratchFolder folder;
  StringSink sink;
  Progress progress(false);
  return thrown<UsageError>(
      [&] { merge_runs(runs.runs, order, wishes_in(folder, 2), sink, progress); });
}

TEST(MergeRuns, WhatIsNotInOrderIsNamed) {
  std::mt19937_64 random(kSeed);
  const RecordOrder order({.key = KeyType::u32, .record_bytes = 4}, false, false);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::uint32_t> keys(40'000);
    for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = 10 + i;
    // One key that is too small, at any place but the first.
    const std::size_t place = 1 + random() % (keys.size() - 1);
    keys[place] = static_cast<std::uint32_t>(random() % (keys[place] - 1));
    const std::string bytes(reinterpret_cast<const char*>(keys.data()), 4 * keys.size());
    Runs runs;
    for (int run = 0; run < 3; ++run) {
      std::vector<std::uint32_t> others(20'000);
      for (std::uint32_t& other : others) other = static_cast<std::uint32_t>(random() % 50'000);
      std::ranges::sort(others);
      runs.add({reinterpret_cast<const char*>(others.data()), 4 * others.size()});
      if (run == 1) runs.add(bytes);
    }
    EXPECT_EQ(refusal(runs, order), "run 2: record " + std::to_string(place + 1) +
                                        " is out of order; only what is in order can be merged")
        << "round " << round << ", seed " << kSeed;
  }
  Runs lines;
  lines.add("1\n3\n");
  lines.add("2\n 7 \n5\n9\n");
  EXPECT_EQ(refusal(lines, {{.text = true}, false, false}),
            "run 1: line 3: '5' is out of order; only what is in order can be merged");
}

TEST(MergeRuns, TheFirstRecordOutOfOrderIsNamed) {
  std::mt19937_64 random(kSeed);
  const RecordOrder order({.key = KeyType::u32, .record_bytes = 4}, false, false);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint32_t> keys(400'000);
    for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
    const auto first = std::ranges::is_sorted_until(keys) - keys.begin();
    const std::string bytes(reinterpret_cast<const char*>(keys.data()), 4 * keys.size());
    Runs runs;
    runs.add(bytes.substr(0, 4));
    runs.add(bytes);
    runs.add(bytes);
    EXPECT_EQ(refusal(runs, order), "run 1: record " + std::to_string(first + 1) +
                                        " is out of order; only what is in order can be merged")
        << "round " << round << ", seed " << kSeed;
  }
  std::string lines = "1\n3\n2\n";
  for (int i = 0; i < 400'000; ++i) lines += std::to_string(random() % 1'000'000) + "\n";
  Runs runs;
  runs.add(lines);
  EXPECT_EQ(refusal(runs, {{.text = true}, false, false}),
            "run 0: line 3: '2' is out of order; only what is in order can be merged");
}

// The first and the last line of each say which type all have.
TEST(MergeRuns, ANumberOfTheOtherTypeIsOutOfOrder) {
  Runs too_large;
  too_large.add("-9223372036854775807\n9223372036854775810\n5\n");
  EXPECT_EQ(refusal(too_large, {{.text = true}, false, false}),
            "run 0: line 3: '5' is out of order; only what is in order can be merged");
  Runs negative;
  negative.add("1\n");
  negative.add("9223372036854775808\n-5\n18446744073709551613\n");
  EXPECT_EQ(refusal(negative, {{.text = true}, true, false}),
            "run 1: line 2: '-5' is out of order; only what is in order can be merged");
  // Far behind the first of them, which are in order.
  constexpr std::uint64_t kLarge = 10'000'000'000'000'000'000U;
  constexpr int kLines = 100'000;
  std::string rising = "1\n";
  for (int i = 0; i < kLines; ++i)
    rising += std::to_string(kLarge + static_cast<unsigned>(i)) + "\n";
  Runs far;
  far.add(rising + "5\n");
  EXPECT_EQ(refusal(far, {{.text = true}, false, false}),
            "run 0: line 100002: '5' is out of order; only what is in order can be merged");
}

TEST(MergeRuns, ALineThatIsNoNumberIsNamed) {
  Runs runs;
  runs.add("1\n2\n");
  runs.add("1\n2\ntwo\n3\n");
  EXPECT_EQ(refusal(runs, {{.text = true}, false, false}),
            "run 1: line 3: 'two' is not an integer");
}

// What another program wrote into the file in the meantime.
TEST(MergeRuns, ADisorderThatIsGoneIsToldAsAChange) {
  Runs runs;
  runs.add("1\n2\n3\n");
  runs.add("1\n2\n3\n");
  const RecordOrder order({.text = true}, false, false);
  EXPECT_EQ(thrown<std::runtime_error>([&] { refuse_disorder(runs.runs, 1, 2, order); }),
            "run 1: it was changed while it was read");
}

TEST(MergeCuts, PiecesAreBoundedWhateverTheKeys) {
  constexpr std::uint64_t kPieceBytes = 100'000;
  const RecordOrder order({.key = KeyType::u64, .record_bytes = 8}, false, false);
  std::mt19937_64 random(kSeed);
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{1} << 40}) {
    Runs runs;
    for (int run = 0; run < 6; ++run) {
      std::vector<std::uint64_t> keys(100'000 + random() % 50'000);
      for (std::uint64_t& key : keys) key = random() % most;
      std::ranges::sort(keys);
      runs.add({reinterpret_cast<const char*>(keys.data()), 8 * keys.size()});
    }
    MergeCuts cuts(runs.runs, order, kPieceBytes);
    std::vector<std::uint64_t> begin(6, 0);
    int pieces = 0;
    for (; const auto end = cuts.next(); ++pieces) {
      std::uint64_t bytes = 0;
      for (std::size_t run = 0; run < 6; ++run) {
        ASSERT_LE(begin[run], (*end)[run]);
        EXPECT_EQ((*end)[run] % 8, 0u);
        bytes += (*end)[run] - begin[run];
      }
      EXPECT_LE(bytes, kPieceBytes) << "keys below " << most << ", piece " << pieces;
      begin = *end;
    }
    EXPECT_GT(pieces, 40);
    for (std::size_t run = 0; run < 6; ++run) EXPECT_EQ(begin[run], runs.runs[run].bytes());
  }
}

}  // namespace
}  // namespace postroom::cli
