// `postroom sort` from end to end: formats, options, what it prints.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
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

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed = 5) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(static_cast<std::int64_t>(bits)) / T{1 << 20};
    } else {
      value = static_cast<T>(bits);
    }
  }
  return values;
}

class SortCommand : public ::testing::Test {
 protected:
  /// Runs `postroom sort` and expects that it does its work.
  Ran sort(Words words, const Surroundings& surroundings = {}) {
    words.insert(words.begin(), "sort");
    const Ran ran = run(words, surroundings);
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return ran;
  }

  template <class T>
  void expect_sorts(const std::string& type) {
    std::vector<T> values = random_values<T>(70'001);
    write_file(folder_("in"), bytes_of(values));
    sort({folder_("in"), "--type", type, "-o", folder_("up"), "--verify"});
    sort({folder_("in"), "--type", type, "-o", folder_("down"), "-r", "--verify"});
    std::ranges::sort(values);
    EXPECT_TRUE(content_of(folder_("up")) == bytes_of(values)) << type;
    std::ranges::reverse(values);
    EXPECT_TRUE(content_of(folder_("down")) == bytes_of(values)) << type;
  }

  ScratchFolder folder_;
};

TEST_F(SortCommand, EveryType) {
  expect_sorts<std::uint8_t>("u8");
  expect_sorts<std::uint16_t>("u16");
  expect_sorts<std::uint32_t>("u32");
  expect_sorts<std::uint64_t>("u64");
  expect_sorts<std::int8_t>("i8");
  expect_sorts<std::int16_t>("i16");
  expect_sorts<std::int32_t>("i32");
  expect_sorts<std::int64_t>("i64");
  expect_sorts<float>("f32");
  expect_sorts<double>("f64");
}

TEST_F(SortCommand, AsManyProcessorsAsTheMemoryAllows) {
  write_file(folder_("in.u64"), bytes_of(random_values<std::uint64_t>(1000)));
  const Ran ran = sort({folder_("in.u64"), "-o", folder_("out.u64"), "-S", "30M"});
  EXPECT_NE(ran.err.find("(1 processor)"), std::string::npos) << ran;
}

TEST_F(SortCommand, TheTypeSaysWhatTheOutputIs) {
  const std::string keys = bytes_of(std::vector<std::uint32_t>{3, 1, 2});
  write_file(folder_("in.u32"), keys);
  EXPECT_EQ(run({"sort", folder_("in.u32"), "-o", folder_("out.u64")}).exit_code, 2);
  sort({folder_("in.u32"), "-o", folder_("out.u64"), "--type", "u32"});
  sort({folder_("in.u32"), "-o", folder_("out.bin")});
  EXPECT_EQ(content_of(folder_("out.u64")), bytes_of(std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(content_of(folder_("out.bin")), content_of(folder_("out.u64")));
}

TEST_F(SortCommand, EveryAlgorithmGivesTheSameBytes) {
  std::vector<std::uint32_t> values = random_values<std::uint32_t>(50'000);
  write_file(folder_("in.u32"), bytes_of(values));
  std::ranges::sort(values);
  for (const char* algorithm :
       {"automatic", "radix_two_transpose", "radix_one_phase", "radix_direct"}) {
    for (const char* processors : {"1", "2", "3"}) {
      sort({folder_("in.u32"), "-o", folder_("out"), "--algorithm", algorithm, "--parallel",
            processors, "--no-pin"});
      EXPECT_TRUE(content_of(folder_("out")) == bytes_of(values)) << algorithm << processors;
    }
  }
}

/// A record whose key is neither at its beginning nor aligned.
struct [[gnu::packed]] Event {
  std::uint8_t kind;
  std::int32_t key;
  std::uint16_t number;
};
static_assert(sizeof(Event) == 7);

TEST_F(SortCommand, RecordsKeepTheirOrderAmongEquals) {
  std::mt19937_64 random(6);
  std::vector<Event> events(40'000);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i] = {static_cast<std::uint8_t>(random()), static_cast<std::int32_t>(random() % 50) - 25,
                 static_cast<std::uint16_t>(i)};
  }
  write_file(folder_("in"), bytes_of(events));
  const Words format = {"--type", "i32", "--record-bytes", "7", "--key-offset", "1"};
  const auto with_format = [&](Words words) {
    words.insert(words.end(), format.begin(), format.end());
    return words;
  };
  sort(with_format({folder_("in"), "-o", folder_("up"), "--verify"}));
  sort(with_format({folder_("in"), "-o", folder_("down"), "-r", "--verify"}));
  std::ranges::stable_sort(events, {}, [](const Event& event) { return event.key; });
  EXPECT_TRUE(content_of(folder_("up")) == bytes_of(events));
  std::vector<Event> again = events;
  std::ranges::stable_sort(again, std::greater<>(), [](const Event& event) { return event.key; });
  EXPECT_TRUE(content_of(folder_("down")) == bytes_of(again));
}

TEST_F(SortCommand, TheInputMayBeTheOutput) {
  std::vector<std::uint64_t> values = random_values<std::uint64_t>(100'000);
  write_file(folder_("keys.u64"), bytes_of(values));
  chmod(folder_("keys.u64").c_str(), 0640);
  sort({folder_("keys.u64"), "-o", folder_("keys.u64")});
  std::ranges::sort(values);
  EXPECT_TRUE(content_of(folder_("keys.u64")) == bytes_of(values));
  EXPECT_EQ(status_of(folder_("keys.u64")).st_mode & 07777, 0640u);
  EXPECT_EQ(folder_.names(), std::set<std::string>({"keys.u64"}));
}

TEST_F(SortCommand, ALinkStaysALink) {
  write_file(folder_("keys.u8"), "cab");
  std::filesystem::create_symlink("keys.u8", folder_("link"));
  sort({folder_("link"), "--type", "u8", "-o", folder_("link")});
  EXPECT_EQ(content_of(folder_("keys.u8")), "abc");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_("link")));
}

/// Whether it went from file to file, by the report.
bool in_pieces(const std::string& report) {
  return Json::parse(content_of(report))["in_pieces"].get<bool>();
}

TEST_F(SortCommand, FromFileToFile) {
  std::vector<std::uint64_t> values = random_values<std::uint64_t>(1'000'000);
  const std::string all = bytes_of(values);
  write_file(folder_("all.u64"), all);
  write_file(folder_("a.u64"), all.substr(0, 8 * 333'333));
  write_file(folder_("empty.u64"), "");
  write_file(folder_("b.u64"), all.substr(8 * 333'333));
  std::ranges::sort(values);
  const std::string expected = bytes_of(values);
  for (const char* processors : {"1", "2", "3"}) {
    const Ran ran =
        sort({folder_("a.u64"), folder_("empty.u64"), folder_("b.u64"), "-o", folder_("out"),
              "--verify", "--json", folder_("report"), "-p", processors, "--no-pin"});
    EXPECT_NE(ran.err.find("sorted 1,000,000 u64 from file to file in "), std::string::npos) << ran;
    EXPECT_TRUE(in_pieces(folder_("report")));
    EXPECT_TRUE(content_of(folder_("out")) == expected) << processors;
  }
  const Json report = Json::parse(content_of(folder_("report")));
  EXPECT_EQ(report["records"], 1'000'000);
  EXPECT_EQ(report["input_bytes"], 8'000'000);
  EXPECT_EQ(report["output_bytes"], 8'000'000);
  // What is in order already is copied.
  sort({folder_("out"), "--type", "u64", "-o", folder_("again"), "--json", folder_("report")});
  EXPECT_TRUE(in_pieces(folder_("report")));
  EXPECT_TRUE(content_of(folder_("again")) == expected);
  // Standard input is a file, read from where it stands.
  const Ran ran = shell("{ dd bs=8 count=1 of=" + folder_("first") + "; " + postroom() +
                        " sort --type u64 -o " + folder_("rest") + " --json " + folder_("report") +
                        "; } < " + folder_("again"));
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_TRUE(in_pieces(folder_("report")));
  EXPECT_TRUE(content_of(folder_("rest")) == expected.substr(8));
  // The output may be the input.
  sort({folder_("all.u64"), "-o", folder_("all.u64"), "-r", "--json", folder_("report")});
  EXPECT_TRUE(in_pieces(folder_("report")));
  std::ranges::reverse(values);
  EXPECT_TRUE(content_of(folder_("all.u64")) == bytes_of(values));
}

TEST_F(SortCommand, FromFileToFileOnlyWhereThatPays) {
  std::vector<std::uint64_t> values = random_values<std::uint64_t>(1'000'000);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = 7;
  write_file(folder_("in.u64"), bytes_of(values));
  std::ranges::sort(values);
  const auto expect_not = [&](Words words, const std::string& output) {
    words.insert(words.begin(), {folder_("in.u64"), "--json", folder_("report")});
    sort(words);
    EXPECT_FALSE(in_pieces(folder_("report"))) << words.back();
    EXPECT_TRUE(content_of(output) == bytes_of(values)) << words.back();
  };
  expect_not({"--verify", "-o", folder_("alike")}, folder_("alike"));
  values = random_values<std::uint64_t>(1'000'000);
  write_file(folder_("in.u64"), bytes_of(values));
  std::ranges::sort(values);
  expect_not({"-o", folder_("radix"), "--algorithm", "radix_direct"}, folder_("radix"));
  const Ran piped = shell(postroom() + " sort " + folder_("in.u64") + " --json " +
                          folder_("report") + " | cat > " + folder_("piped"));
  EXPECT_EQ(piped.exit_code, 0) << piped;
  EXPECT_FALSE(in_pieces(folder_("report")));
  EXPECT_TRUE(content_of(folder_("piped")) == bytes_of(values));
}

TEST_F(SortCommand, PipesAndStandardStreams) {
  std::vector<std::uint16_t> values = random_values<std::uint16_t>(3'000'000);
  write_file(folder_("in"), bytes_of(values));
  const std::string program = postroom() + " sort --type u16 --verify -q ";
  std::ranges::sort(values);
  const std::string names = "F=" + folder_("in") + "; G=" + folder_("out") + "; ";
  for (const std::string& line :
       {"cat $F | " + program + " | cat > $G", program + " - -o - < $F > $G",
        "cat $F | " + program + " - -o /dev/stdout | cat > $G", program + " $F > $G"}) {
    std::filesystem::remove(folder_("out"));
    const Ran ran = shell(names + line);
    EXPECT_EQ(ran.exit_code, 0) << line << "\n" << ran;
    EXPECT_EQ(ran.err, "") << line;
    EXPECT_TRUE(content_of(folder_("out")) == bytes_of(values)) << line;
  }
}

TEST_F(SortCommand, NothingAtAll) {
  write_file(folder_("in.u64"), "");
  write_file(folder_("in.txt"), "");
  for (const char* name : {"in.u64", "in.txt"}) {
    sort({folder_(name), "-o", folder_("out"), "--verify"});
    EXPECT_EQ(content_of(folder_("out")), "");
    std::filesystem::remove(folder_("out"));
  }
}

TEST_F(SortCommand, TheFinalLineSaysWhatWasDone) {
  write_file(folder_("in.u8"), "cab");
  const Ran ran = sort({folder_("in.u8"), "-o", folder_("out"), "--verify", "--parallel", "1"});
  EXPECT_EQ(ran.error_lines(), 1) << ran;
  EXPECT_TRUE(ran.err.starts_with("sorted 3 u8 in ")) << ran;
  EXPECT_NE(ran.err.find("(1 processor)"), std::string::npos) << ran;
  EXPECT_TRUE(ran.err.ends_with("; verified: in order, same keys\n")) << ran;
  EXPECT_EQ(sort({folder_("in.u8"), "-o", folder_("out"), "-q"}).err, "");
  EXPECT_GT(sort({folder_("in.u8"), "-o", folder_("out"), "-v"}).error_lines(), 4);
}

TEST_F(SortCommand, TheReportAsJson) {
  write_file(folder_("in.u8"), "cab");
  sort({folder_("in.u8"), "-o", folder_("out"), "--verify", "--json", folder_("report")});
  const Json report = Json::parse(content_of(folder_("report")));
  EXPECT_EQ(report["command"], "sort");
  EXPECT_EQ(report["input"], folder_("in.u8"));
  EXPECT_EQ(report["output"], folder_("out"));
  EXPECT_EQ(report["type"], "u8");
  EXPECT_EQ(report["records"], 3);
  EXPECT_EQ(report["input_bytes"], 3);
  EXPECT_EQ(report["output_bytes"], 3);
  EXPECT_EQ(report["algorithm"], "automatic");
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["fingerprint"].get<std::string>().size(), 32u);
  for (const char* part : {"read", "sort", "write", "verify", "total"}) {
    EXPECT_GE(report["seconds"][part].get<double>(), 0.0) << part;
  }
}

TEST_F(SortCommand, TheFingerprintDoesNotDependOnTheOrder) {
  const auto fingerprint = [&](const std::string& content) {
    write_file(folder_("in.u8"), content);
    sort({folder_("in.u8"), "-o", folder_("out"), "--verify", "--json", folder_("report")});
    return Json::parse(content_of(folder_("report")))["fingerprint"].get<std::string>();
  };
  EXPECT_EQ(fingerprint("cabbage"), fingerprint("gabbaec"));
  EXPECT_NE(fingerprint("cabbage"), fingerprint("cabbagf"));
}

TEST_F(SortCommand, SeveralFilesFollowEachOther) {
  write_file(folder_("a.u8"), "cab");
  write_file(folder_("b.u8"), "");
  write_file(folder_("c.u8"), "bad");
  sort({folder_("a.u8"), folder_("b.u8"), folder_("c.u8"), "-o", folder_("out"), "--verify",
        "--json", folder_("report")});
  EXPECT_EQ(content_of(folder_("out")), "aabbcd");
  const Json report = Json::parse(content_of(folder_("report")));
  EXPECT_EQ(report["input"].size(), 3u);
  EXPECT_EQ(report["input_bytes"], 6);
  write_file(folder_("a.txt"), "2\n1");
  write_file(folder_("b.txt"), "0");
  sort({folder_("a.txt"), folder_("b.txt"), "-o", folder_("out"), "--verify"});
  EXPECT_EQ(content_of(folder_("out")), "0\n1\n2\n");
}

TEST_F(SortCommand, ChecksLargeInputsByPieces) {
  std::vector<std::uint32_t> values(6'000'000);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i;
  write_file(folder_("in.u32"), bytes_of(values));
  EXPECT_EQ(run({"sort", "-c", folder_("in.u32")}).exit_code, 0);
  // The first record of the second piece.
  const std::size_t border = (16u << 20) / 4;
  values[border] = 5;
  write_file(folder_("in.u32"), bytes_of(values));
  const Ran ran = run({"sort", "-c", folder_("in.u32")});
  EXPECT_EQ(ran.exit_code, 1) << ran;
  EXPECT_EQ(ran.err, "postroom sort: " + folder_("in.u32") + ":" + std::to_string(border + 1) +
                         ": disorder: 5\n");
}

TEST_F(SortCommand, ChecksLikeSort) {
  write_file(folder_("up.u8"), "abbc");
  write_file(folder_("not.u8"), "abdca");
  write_file(folder_("not.txt"), "1\n 05\n4\n");
  const auto check = [&](Words words) {
    words.insert(words.begin(), "sort");
    return run(words);
  };
  EXPECT_EQ(check({"-c", folder_("up.u8")}).exit_code, 0);
  EXPECT_EQ(check({"-C", folder_("up.u8")}).exit_code, 0);
  const Ran disorder = check({"-c", folder_("not.u8")});
  EXPECT_EQ(disorder.exit_code, 1);
  EXPECT_EQ(disorder.err, "postroom sort: " + folder_("not.u8") + ":4: disorder: 99\n");
  const Ran quiet = check({"-C", folder_("not.u8")});
  EXPECT_EQ(quiet.exit_code, 1);
  EXPECT_EQ(quiet.err, "");
  const Ran text = check({"-c", folder_("not.txt")});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_EQ(text.err, "postroom sort: " + folder_("not.txt") + ":3: disorder: 4\n");
  write_file(folder_("not.txt"), "1\n" + std::string(300'000, '0') + "\n");
  const Ran cut = check({"-c", folder_("not.txt")});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_EQ(cut.err, "postroom sort: " + folder_("not.txt") +
                         ":2: disorder: " + std::string(80, '0') + "…\n");
  EXPECT_EQ(check({"-cr", folder_("up.u8")}).exit_code, 1);
  write_file(folder_("down.u8"), "cbba");
  EXPECT_EQ(check({"-cr", folder_("down.u8")}).exit_code, 0);
}

TEST_F(SortCommand, MadeKeysAreTheSameAsAMadeFile) {
  for (const char* type : {"u64", "f32", "text"}) {
    for (const char* distribution : {"R", "zipf"}) {
      const Words source = {"--distribution", distribution, "--seed", "9", "--type", type};
      Words generate = {"generate", "100000", "-o", folder_("made")};
      generate.insert(generate.end(), source.begin(), source.end());
      const Ran made = run(generate);
      EXPECT_EQ(made.exit_code, 0) << made;
      sort({folder_("made"), "--type", type, "-o", folder_("a"), "--verify"});
      Words random = {"--random", "100000", "-o", folder_("b"), "--verify"};
      random.insert(random.end(), source.begin(), source.end());
      sort(random);
      EXPECT_TRUE(content_of(folder_("a")) == content_of(folder_("b"))) << type << distribution;
      EXPECT_FALSE(content_of(folder_("made")) == content_of(folder_("a"))) << type << distribution;
    }
  }
}

TEST_F(SortCommand, ThePlanSortsNothing) {
  write_file(folder_("in.u8"), "cab");
  write_file(folder_("in.txt"), "1\n2\n33\n");
  const Ran plan =
      sort({folder_("in.u8"), "-o", folder_("out"), "--plan", "--json", folder_("plan")});
  for (const char* part : {"3 u8", "read", "count", "place", "finish", "write", "bytes moved"}) {
    EXPECT_NE(plan.out.find(part), std::string::npos) << part << " is missing in\n" << plan.out;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_("out")));
  EXPECT_EQ(Json::parse(content_of(folder_("plan")))["records"], 3);
  write_file(folder_("a\nb.u8"), "cab");
  const Ran newline = sort({folder_("a\nb.u8"), "--plan"});
  EXPECT_EQ(newline.out.find(folder_("a\\nb.u8") + ": 3 u8"), 0u) << newline;
  const Ran text = sort({folder_("in.txt"), "--plan", "--json", "-"});
  EXPECT_EQ(Json::parse(text.out)["records"], 3);
  // Lines of another spelling stay in memory, with their places.
  const auto memory_of = [&](const char* end_of_line) {
    std::string lines;
    for (int i = 0; i < 100'000; ++i) lines += std::to_string(i % 10) + end_of_line;
    write_file(folder_("in.txt"), lines);
    const Ran ran = sort({folder_("in.txt"), "--plan", "--json", "-"});
    return Json::parse(ran.out)["memory_bytes"].get<int>();
  };
  EXPECT_LT(memory_of("\n"), 900'000);
  EXPECT_GE(memory_of("\r\n"), 300'000 + 1'600'000);
  const Ran radix = sort({"--random", "1000000", "--type", "u32", "--plan", "--algorithm",
                          "radix_two_transpose", "--json", "-"});
  EXPECT_EQ(Json::parse(radix.out)["steps"][1]["step"], "count");
  EXPECT_GE(Json::parse(radix.out)["steps"][1]["passes"].get<int>(), 3);
}

TEST_F(SortCommand, InfoShowsTheBox) {
  const Ran info = run({"info"});
  EXPECT_EQ(info.exit_code, 0) << info;
  EXPECT_NE(info.out.find("processors"), std::string::npos) << info.out;
  const Ran json = run({"info", "--topology", "numa:2 core:2 pu:1", "--json", "-"});
  EXPECT_EQ(json.exit_code, 0) << json;
  EXPECT_EQ(Json::parse(json.out)["leaves"].size(), 4u);
}

TEST_F(SortCommand, NotEvenAClosedStandardOutputIsMixedUpWithAFile) {
  write_file(folder_("in.u8"), "cab");
  const Ran ran =
      shell(postroom() + " sort -v " + folder_("in.u8") + " -o " + folder_("out") + " >&- 2>&-");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(content_of(folder_("out")), "abc");
  EXPECT_EQ(shell(postroom() + " sort " + folder_("in.u8") + " >&-").exit_code, 2);
}

}  // namespace
}  // namespace postroom::cli
