// `postroom sort --type bytesN` from end to end: compared with std::stable_sort and memcmp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kSeed = 17;

/// Where the key of a record is.
struct Shape {
  std::size_t key_bytes;
  std::size_t record_bytes;
  std::size_t key_offset;

  Words words() const {
    return {"--type",         "bytes" + std::to_string(key_bytes),
            "--record-bytes", std::to_string(record_bytes),
            "--key-offset",   std::to_string(key_offset)};
  }
};

/// The records of the sort benchmark.
constexpr Shape kBenchmark{10, 100, 0};

using Records = std::vector<std::string>;

/// Random ones; every second one has the key of the one before, or all of it but the last byte.
Records random_records(const Shape& shape, std::size_t count) {
  std::mt19937_64 random(kSeed);
  Records records(count, std::string(shape.record_bytes, '\0'));
  for (std::size_t i = 0; i < count; ++i) {
    for (char& each : records[i]) each = static_cast<char>(random());
    if (i % 2 == 0) continue;
    const std::size_t alike = shape.key_bytes - i / 2 % 2;
    records[i].replace(shape.key_offset, alike, records[i - 1], shape.key_offset, alike);
  }
  return records;
}

Records in_order(Records records, const Shape& shape, bool descending) {
  std::ranges::stable_sort(records, [&](const std::string& a, const std::string& b) {
    const int order =
        a.compare(shape.key_offset, shape.key_bytes, b, shape.key_offset, shape.key_bytes);
    return descending ? order > 0 : order < 0;
  });
  return records;
}

std::string joined(const Records& records) {
  std::string all;
  for (const std::string& record : records) all += record;
  return all;
}

class ByteKeys : public ::testing::Test {
 protected:
  /// Runs `postroom sort` on such records and expects that it does its work.
  Ran sort(const Shape& shape, Words words) const {
    words.insert(words.begin(), "sort");
    for (const std::string& word : shape.words()) words.push_back(word);
    Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return ran;
  }

  ScratchFolder folder_;
};

TEST_F(ByteKeys, AnyLengthAnywhere) {
  for (const Shape& shape : {kBenchmark, Shape{1, 1, 0}, Shape{8, 8, 0}, Shape{3, 3, 0},
                             Shape{4, 16, 5}, Shape{9, 12, 3}, Shape{40, 64, 24}}) {
    const Records records = random_records(shape, 20'000);
    write_file(folder_("in"), joined(records));
    for (const bool down : {false, true}) {
      const std::string expected = joined(in_order(records, shape, down));
      for (const char* processors : {"1", "2", "3"}) {
        sort(shape, {folder_("in"), "-o", folder_("out"), "--verify", "-p", processors, "--no-pin",
                     down ? "-qr" : "-q"});
        EXPECT_TRUE(content_of(folder_("out")) == expected)
            << shape.key_bytes << " of " << shape.record_bytes << ", p = " << processors << down
            << ", seed " << kSeed;
      }
    }
  }
}

TEST_F(ByteKeys, BigEndianNumbersFromFileToFile) {
  std::vector<std::uint64_t> numbers(600'000);
  std::mt19937_64 random(kSeed);
  for (std::uint64_t& number : numbers) number = random() >> (random() % 8);
  const auto big_endian = [&] {
    std::string bytes;
    for (const std::uint64_t number : numbers) {
      for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
    }
    return bytes;
  };
  write_file(folder_("in"), big_endian());
  const Ran ran =
      run({"sort", folder_("in"), "--type", "bytes8", "-o", folder_("out"), "--verify"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_TRUE(ran.err.starts_with("sorted 600,000 bytes8 from file to file in ")) << ran;
  std::ranges::sort(numbers);
  EXPECT_TRUE(content_of(folder_("out")) == big_endian());
  // Too many alike: they are read whole.
  for (std::size_t i = 0; i < numbers.size(); i += 2) numbers[i] = 7;
  write_file(folder_("in"), big_endian());
  const Ran alike = run({"sort", folder_("in"), "--type", "bytes8", "-o", folder_("out")});
  EXPECT_TRUE(alike.err.starts_with("sorted 600,000 bytes8 in ")) << alike;
  std::ranges::sort(numbers);
  EXPECT_TRUE(content_of(folder_("out")) == big_endian());
}

TEST_F(ByteKeys, RecordsFromFileToFile) {
  for (const Shape& shape : {Shape{8, 16, 8}, Shape{4, 24, 5}, Shape{2, 12, 0}, Shape{1, 64, 63}}) {
    const Records records = random_records(shape, 8'000'000 / shape.record_bytes);
    write_file(folder_("in"), joined(records));
    for (const bool down : {false, true}) {
      sort(shape, {folder_("in"), "-o", folder_("out"), "--verify", "-p", "2", "--json",
                   folder_("report"), down ? "-qr" : "-q"});
      EXPECT_TRUE(content_of(folder_("out")) == joined(in_order(records, shape, down)))
          << shape.key_bytes << " of " << shape.record_bytes << down << ", seed " << kSeed;
      EXPECT_EQ(Json::parse(content_of(folder_("report")))["in_pieces"], true);
    }
  }
}

TEST_F(ByteKeys, SeveralFilesPipesAndEveryAlgorithm) {
  const Records records = random_records(kBenchmark, 30'000);
  const std::string all = joined(records);
  write_file(folder_("all"), all);
  write_file(folder_("a"), all.substr(0, 100 * 11'111));
  write_file(folder_("b"), all.substr(100 * 11'111));
  const std::string expected = joined(in_order(records, kBenchmark, false));
  sort(kBenchmark, {folder_("a"), folder_("b"), "-o", folder_("out"), "--json", folder_("report")});
  EXPECT_TRUE(content_of(folder_("out")) == expected);
  const Json report = Json::parse(content_of(folder_("report")));
  EXPECT_EQ(report["type"], "bytes10");
  EXPECT_EQ(report["key_type"], "bytes10");
  EXPECT_EQ(report["record_bytes"], 100);
  EXPECT_EQ(report["records"], 30'000);
  const Ran piped =
      shell("cat " + folder_("all") + " | " + postroom() +
            " sort --verify -q --type bytes10 --record-bytes 100 | cmp - " + folder_("out"));
  EXPECT_EQ(piped.exit_code, 0) << piped;
  EXPECT_EQ(piped.err, "");
  for (const char* algorithm : {"radix_two_transpose", "radix_one_phase", "radix_direct"}) {
    sort(kBenchmark, {folder_("all"), "-o", folder_("out"), "--algorithm", algorithm});
    EXPECT_TRUE(content_of(folder_("out")) == expected) << algorithm;
  }
  sort(kBenchmark, {folder_("all"), "-o", folder_("all"), "-q"});
  EXPECT_TRUE(content_of(folder_("all")) == expected);
}

TEST_F(ByteKeys, MoreThanTheMemory) {
  std::filesystem::create_directory(folder_("spill"));
  for (const Shape& shape : {kBenchmark, Shape{8, 100, 5}}) {
    const Records records = random_records(shape, 300'000);
    write_file(folder_("in"), joined(records));
    for (const bool down : {false, true}) {
      const std::string expected = joined(in_order(records, shape, down));
      for (const char* processors : {"1", "2"}) {
        sort(shape, {folder_("in"), "-o", folder_("out"), "--verify", "-S", "32M", "-p", processors,
                     "-T", folder_("spill"), "--json", folder_("report"), down ? "-qr" : "-q"});
        EXPECT_GE(Json::parse(content_of(folder_("report")))["runs"]["runs"].get<int>(), 3);
        EXPECT_TRUE(content_of(folder_("out")) == expected) << "p = " << processors << down;
        EXPECT_TRUE(std::filesystem::is_empty(folder_("spill")));
      }
      std::string line = postroom() + " sort --verify -S 32M -p 2 -T " + folder_("spill") +
                         (down ? " -qr " : " -q ") + folder_("in");
      for (const std::string& word : shape.words()) line += " " + word;
      const Ran piped = shell(line + " | cmp - " + folder_("out"));
      EXPECT_EQ(piped.exit_code, 0) << piped;
    }
  }
}

TEST_F(ByteKeys, MergesWhatIsSorted) {
  for (const Shape& shape : {kBenchmark, Shape{8, 8, 0}, Shape{20, 50, 7}}) {
    const Records records = random_records(shape, 20'000);
    for (const bool down : {false, true}) {
      const auto third = [&](std::size_t i) {
        const auto begin = records.begin() + static_cast<long>(i * records.size() / 3);
        const auto end = records.begin() + static_cast<long>((i + 1) * records.size() / 3);
        return joined(in_order({begin, end}, shape, down));
      };
      for (const std::size_t i : {0, 1, 2}) write_file(folder_(std::to_string(i)), third(i));
      sort(shape, {"-m", folder_("0"), folder_("1"), folder_("2"), "-o", folder_("out"), "--verify",
                   down ? "-qr" : "-q"});
      EXPECT_TRUE(content_of(folder_("out")) == joined(in_order(records, shape, down)))
          << shape.key_bytes << " of " << shape.record_bytes << down;
    }
  }
}

TEST_F(ByteKeys, DisorderIsNamed) {
  const Shape shape{10, 12, 2};
  const auto told = [&](const std::string& content, Words words) {
    write_file(folder_("in"), content);
    words.insert(words.begin(), {"sort", folder_("in")});
    for (const std::string& word : shape.words()) words.push_back(word);
    Ran ran = run(words);
    EXPECT_EQ(ran.out, "");
    const std::size_t name = ran.err.find(folder_("in"));
    return std::to_string(ran.exit_code) + " " +
           (name == std::string::npos ? ran.err : ran.err.substr(name + folder_("in").size()));
  };
  const std::string up = "..characters..characterz..characterz";
  EXPECT_EQ(told(up, {"-c"}), "0 ");
  EXPECT_EQ(told(up, {"-cr"}), "1 :2: disorder: 'characterz'\n");
  EXPECT_EQ(told(up, {"-mr", "-o", folder_("out")}),
            "2 : record 2 is out of order; only what is in order can be merged\n");
}

TEST_F(ByteKeys, ThePlanSortsNothing) {
  write_file(folder_("in"), joined(random_records(kBenchmark, 10'000)));
  const auto plan = [&](const Words& more, const Shape& shape = kBenchmark) {
    Words words = {folder_("in"), "-o", folder_("out"), "--plan", "--json", folder_("plan")};
    words.insert(words.end(), more.begin(), more.end());
    sort(shape, words);
    return Json::parse(content_of(folder_("plan")));
  };
  const Json of_engine = plan({});
  EXPECT_EQ(of_engine["type"], "bytes10");
  EXPECT_EQ(of_engine["steps"][1]["step"], "count");
  EXPECT_EQ(of_engine["steps"][1]["passes"], 1);
  EXPECT_GE(of_engine["memory_bytes"], 10'000 * (100 + 100 + 16));
  EXPECT_LE(of_engine["memory_bytes"], 10'000 * (100 + 100 + 17));
  // As for numbers of the box.
  EXPECT_LE(plan({}, {8, 8, 0})["memory_bytes"], 125'000 * (8 + 1));
  EXPECT_LE(plan({}, {4, 40, 3})["memory_bytes"], 25'000 * (40 + 40 + 1));
  EXPECT_GE(plan({"--algorithm", "radix_direct"})["steps"][1]["passes"].get<int>(), 3);
  EXPECT_FALSE(std::filesystem::exists(folder_("out")));
}

}  // namespace
}  // namespace postroom::cli
