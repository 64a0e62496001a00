// Wrong command lines: each ends with exit code 2 and one line on standard error, and touches
// nothing.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

struct BadLine {
  Words words;       // with F for the scratch folder
  const char* says;  // a part of its line on standard error
};

/// F holds: keys.u64 (32 bytes), odd.u64 (33 bytes), down.u8 ("cba"), bad.txt ("1\ntwo\n"),
/// mixed.txt, a folder "folder", a link "link" to "new", which is not there, and old.u64, the
/// output.
const std::vector<BadLine>& bad_lines() {
  static const std::vector<BadLine> lines = {
      // No such command or option.
      {{"srot"},
       "'srot' is not one of sort, generate, info, measure, predict, reproduce, simulate, bench, "
       "table, help"},
      {{""}, "'' is not one of"},
      {{"--frob"}, "'--frob' is not one of"},
      {{"help", "frob"}, "'frob' is not one of"},
      {{"help", "sort", "info"}, "'info' is one operand too many"},
      {{"--version", "9"}, "'9' is one operand too many"},
      {{"version", "9"}, "'9' is one operand too many"},
      {{"sort", "F/keys.u64", "--frob", "-o", "F/old.u64"}, "'--frob' is not one of its options"},
      {{"sort", "F/keys.u64", "-z", "-o", "F/old.u64"}, "'-z' is not one of its options"},
      {{"sort", "F/keys.u64", "--rev", "-o", "F/old.u64"}, "'--rev' is not one of its options"},
      {{"sort", "F/keys.u64", "F/odd.u64", "-c"},
       "is one operand too many; one FILE is checked at a time"},
      {{"sort", "-", "F/keys.u64", "-", "-o", "F/old.u64"}, "can be read once only"},
      // Values that are missing, double or wrong.
      {{"sort", "F/keys.u64", "-o"}, "--output: a value is missing"},
      {{"sort", "F/keys.u64", "--output=", "F/old.u64"}, "--output: a value is missing"},
      {{"generate", "9", "--type", "u8", "--output=", "F/old.u64"}, "--output: a value is missing"},
      {{"generate", "9", "--distribution", "-o", "F/old.u64"},
       "--distribution: a value is missing before -o"},
      {{"generate", "9", "-o", ""}, "--output: '' is not the name of a file to write"},
      {{"sort"}, "--type is missing: standard input does not end in"},
      {{"sort", "--random", "9"}, "--type is missing: standard output does not end in"},
      {{"sort", "F/keys.u64", "-c", "-T", "F/missing"},
       "--check and --temporary-directory contradict each other"},
      {{"sort", "F/keys.u64", "-S", "60M", "-T", "/proc", "-o", "F/old.u64"},
       "temporary directory /proc: cannot create a file there"},
      {{"sort", "F/keys.u64", "-r=3", "-o", "F/old.u64"}, "-r: '3' is not allowed; it takes no"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type"}, "--type: a value is missing"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-o", "F/b"}, "--output: given twice"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "u63"},
       "--type: 'u63' is not one of u8, u16, u32, u64, i8"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", ""}, "--type: '' is not one of"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "u64\n"}, "--type: 'u64\\n' is not one"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--parallel", "0"},
       "--processors: '0' is not a whole number from 1 to"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--parallel", "-1"}, "--processors: '-1' is not"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--parallel", "two"},
       "--processors: 'two' is not"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--parallel", "99999999999999999999"},
       "--processors: '99999999999999999999' is not"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-S", "0"},
       "--buffer-size: '0' is not a size such as 800M or 2G, nor one of 1% to 100%"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-S", "12Q"},
       "--buffer-size: '12Q' is not a size"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-S", "-5"}, "--buffer-size: '-5' is not a size"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-p", "2", "-S", "1M"},
       "--buffer-size: '1M' is 1.00 MiB, too little; at least 32M with 2 processors"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-S", "1"},
       "--buffer-size: '1' is 1.00 KiB, too little; at least 29M with 1 processor"},
      {{"sort", "F/keys.u64", "-o", ""}, "'' is not the name of a file to write"},
      {{"sort", "F/keys.u64", "", "-o", "F/old.u64"}, "'' is not the name of a file to read"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--reverse=no"},
       "--reverse: 'no' is not allowed; it takes no value"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--algorithm", "bubble"},
       "--algorithm: 'bubble' is not one of automatic"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--record-bytes", "7"},
       "--record-bytes: '7' is not a whole number from 8"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--record-bytes", "9999999"},
       "--record-bytes: '9999999' is not"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--record-bytes", "16", "--key-offset", "9"},
       "--key-offset: '9' is not a whole number from 0 to 8"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "bytes0"},
       "--type: 'bytes0' is not one of u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, text, "
       "bytes1 "
       "… bytes65536"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "bytes65537"},
       "--type: 'bytes65537' is not one of"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "bytes10"},
       "F/keys.u64: its 32 bytes are no whole number of records of 10 bytes (bytes10)"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "bytes10", "--record-bytes", "9"},
       "--record-bytes: '9' is not a whole number from 10 to 65536"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--type", "bytes10", "--record-bytes", "16",
        "--key-offset", "7"},
       "--key-offset: '7' is not a whole number from 0 to 6"},
      {{"sort", "--random", "9", "--type", "bytes10", "-o", "F/old.u64"},
       "--type bytes10 and --random contradict each other"},
      {{"sort", "-m", "F/down.u8", "--type", "bytes1", "-o", "F/old"},
       "F/down.u8: record 2 is out of order"},
      {{"generate", "9", "--type", "bytes10", "-o", "F/old.u64"},
       "--type: 'bytes10' is not one of u8"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--key-offset", "0"},
       "--key-offset needs --record-bytes"},
      {{"sort", "--random", "many", "--type", "u64", "-o", "F/old.u64"}, "--random: 'many' is not"},
      {{"sort", "--random", "9", "--distribution", "Q", "--type", "u64", "-o", "F/old.u64"},
       "--distribution: 'Q' is not one of R, S, C, N"},
      {{"sort", "--random", "9", "--seed", "-3", "--type", "u64", "-o", "F/old.u64"},
       "--seed: '-3' is not"},
      // What contradicts itself.
      {{"sort", "F/keys.u64", "-c", "-o", "F/old.u64"}, "--check and --output contradict"},
      {{"sort", "F/keys.u64", "-c", "-C"}, "--check and --check-quietly contradict"},
      {{"sort", "F/keys.u64", "-C", "--verify"}, "--check-quietly and --verify contradict"},
      {{"sort", "F/keys.u64", "-c", "--plan"}, "--check and --plan contradict"},
      {{"sort", "F/keys.u64", "-c", "--algorithm", "radix_direct"},
       "--check and --algorithm contradict"},
      {{"sort", "F/keys.u64", "-C", "-v"}, "--check-quietly and --verbose contradict"},
      {{"sort", "F/keys.u64", "--plan", "-v"}, "--plan and --verbose contradict"},
      {{"sort", "--random", "9", "--type", "u64", "-T", "F/folder", "-o", "F/old.u64"},
       "--temporary-directory and --random contradict"},
      {{"sort", "-", "/dev/stdin", "--type", "u64", "-o", "F/old.u64"},
       "standard input, can be read once only"},
      {{"sort", "F/keys.u64", "--random", "9", "-o", "F/old.u64"},
       "a FILE and --random contradict"},
      {{"sort", "F/keys.u64", "--seed", "3", "-o", "F/old.u64"}, "--seed needs --random"},
      {{"sort", "F/keys.u64", "--distribution", "R", "-o", "F/old.u64"},
       "--distribution needs --random"},
      {{"sort", "F/keys.u64", "-q", "-v", "-o", "F/old.u64"}, "--quiet and --verbose contradict"},
      {{"sort", "-m", "--random", "9", "--type", "u64"}, "--merge and --random contradict"},
      {{"sort", "-m", "-c", "F/keys.u64"}, "--check and --merge contradict"},
      {{"sort", "-m", "F/keys.u64", "--algorithm", "radix_direct"},
       "--merge and --algorithm contradict"},
      {{"sort", "-S", "1G", "F/keys.u64", "--algorithm", "radix_direct"},
       "--buffer-size and --algorithm contradict"},
      {{"sort", "F/keys.u64", "F/bad.txt", "-o", "F/old.u64"},
       "is text; --type says what both are"},
      {{"sort", "F/bad.txt", "-o", "F/old.u64"},
       "is text and the output 'F/old.u64' is u64; --type"},
      {{"sort", "-", "F/down.u8", "-o", "F/old.u64"}, "'F/down.u8' is u8 and the output"},
      {{"sort", "F/bad.txt", "--record-bytes", "8", "-o", "F/old"},
       "--record-bytes and text contradict"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--json", "F/old.u64"}, "is the output already"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--json", "F/folder/../keys.u64"}, "is the input"},
      {{"sort", "F/keys.u64", "-o", "F/new", "--json", "F/folder/../new"}, "is the output already"},
      {{"sort", "F/keys.u64", "-o", "F/link", "--json", "F/new"}, "is the output already"},
      {{"sort", "--plan", "F/keys.u64", "--json", "F/./keys.u64"}, "is the input"},
      {{"sort", "F/keys", "-o", "F/old"}, "' does not end in .u8"},
      {{"table", "N", "--lambda", "1.000000000000000001"},
       "--lambda: 1000000000000000001/1000000000000000000 is not allowed here: a fraction needs"},
      // Files that are not there, not readable, not what they should be.
      {{"sort", "F/missing.u64", "-o", "F/old.u64"}, "F/missing.u64: No such file or directory"},
      {{"sort", "F/folder", "--type", "u64", "-o", "F/old.u64"}, "F/folder: Is a directory"},
      {{"sort", "F/odd.u64", "-o", "F/old.u64"},
       "its 33 bytes are no whole number of records of 8 bytes"},
      {{"sort", "F/keys.u64", "F/odd.u64", "-o", "F/old.u64"},
       "F/odd.u64: its 33 bytes are no whole number of records of 8 bytes"},
      {{"sort", "F/keys.u64", "F/missing.u64", "-o", "F/old.u64"},
       "F/missing.u64: No such file or directory"},
      {{"sort", "-m", "F/down.u8", "-o", "F/old"}, "F/down.u8: record 2 is out of order"},
      {{"sort", "-m", "F/bad.txt", "-o", "F/old"}, "F/bad.txt: line 2: 'two' is not an integer"},
      {{"sort", "F/mixed.txt", "F/bad.txt", "-o", "F/old"},
       "F/bad.txt: line 2: 'two' is not an integer"},
      {{"sort", "F/keys.u64", "--record-bytes", "24", "-o", "F/old.u64"},
       "its 32 bytes are no whole number of records of 24 bytes"},
      {{"sort", "F/bad.txt", "-o", "F/old"}, "F/bad.txt: line 2: 'two' is not an integer"},
      {{"sort", "F/mixed.txt", "-o", "F/old"}, "beside a negative number (line 2)"},
      {{"sort", "F/keys.u64", "-o", "F/folder"}, "F/folder: Is a directory"},
      {{"sort", "F/keys.u64", "-o", "F/missing/out"}, "F/missing/out: the folder '"},
      {{"sort", "F/keys.u64", "-o", "F/keys.u64/out"}, "F/keys.u64/out: Not a directory"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-T", "F/missing"},
       "temporary directory F/missing: No such file or directory"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "-T", "F/keys.u64"}, "Not a directory"},
      {{"sort", "F/keys.u64", "-o", "F/old.u64", "--json", "F/missing/report"},
       "/missing' does not exist"},
      {{"sort", "--random", "1000000000000000", "--type", "u64", "-o", "F/old.u64"},
       "PiB of memory, "},
      {{"sort", "--plan", "--type", "u64"}, "--plan: standard input is no file"},
      {{"sort", "--plan", "F/keys.u64", "-T", "F/missing"},
       "temporary directory F/missing: No such file or directory"},
      {{"sort", "--plan", "--random", "10000000", "--type", "u64", "-S", "30M", "-p", "1"},
       "--random 10000000: needs "},
      {{"sort", "-c", "F/missing.u64"}, "F/missing.u64: No such file or directory"},
      // The other commands.
      {{"generate", "-o", "F/old.u64"}, "N is missing"},
      {{"generate", "-5", "-o", "F/old.u64"}, "N: '-5' is not a whole number"},
      {{"generate", "9", "-o", "F/old"}, "--type is missing"},
      {{"generate", "9", "--type", "u7", "-o", "F/old.u64"}, "--type: 'u7' is not one of"},
      {{"generate", "9", "10", "-o", "F/old.u64"}, "'10' is one operand too many"},
      {{"info", "--topology", "nonsense"}, "nonsense"},
      {{"info", "--topology", "F/missing.xml"}, "F/missing.xml"},
      {{"info", "-p", "0"}, "--processors: '0' is not a whole number"},
      {{"info", "everything"}, "'everything' is one operand too many"},
      {{"info", "--json", "F/folder"}, "F/folder: Is a directory"},
      {{"info", "--topology", ""}, "--topology: '' describes no box"},
      {{"table", "T", "--lambda", "2", "--json", "F/new", "--svg", "F/./new"},
       "is the file of --json already"},
      {{"table", "N", "--lambda", "2", "--until", "200"},
       "--until: 200 is not allowed; at most 91"},
      {{"table", "alpha-corners", "--lambda", "1000000000", "-p", "1e9"},
       "--processors: 1000000000 with lambda = 1000000000 is not allowed; up to 999999999 ranges"},
      {{"simulate", "scan", "--algorithm", "hillis_steele", "--svg", "F/new", "--trace", "F/link"},
       "is the file of --svg already"},
      {{"simulate", "alltoall", "--fat-tree", "nope"}, "--fat-tree: "},
      {{"simulate", "alltoall", "-p", "8", "--lambda-per-level", "1,2,3,"},
       "--lambda-per-level: '' is not a number"},
      {{"bench", "scan", "--json", "F/new", "--csv", "F/folder/../new"},
       "is the file of --json already"},
      {{"bench", "scan", "--root", "1"}, "--root: scan takes none"},
      {{"measure", "-o", "F/new", "--json", "F/new"}, "is the file of -o already"},
      {{"measure", "-b", "65M"}, "-b: 68157440 is not allowed; at most 64M"},
  };
  return lines;
}

std::string in_folder(std::string word, const std::string& folder) {
  if (word == "F" || word.starts_with("F/")) word.replace(0, 1, folder);
  return word;
}

std::string told(const Words& words) {
  std::string line = "postroom";
  for (const std::string& word : words) line += " " + ::testing::PrintToString(word);
  return line;
}

/// All that a touched folder would show: names, contents, file numbers, times.
std::string state_of(const ScratchFolder& folder) {
  std::string state;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
    const struct stat status = status_of(entry.path());
    state += entry.path().string() + " " + std::to_string(status.st_ino) + " " +
             std::to_string(status.st_mode) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
             std::to_string(status.st_mtim.tv_nsec) + " ";
    if (entry.is_regular_file()) state += content_of(entry.path());
    state += "\n";
  }
  return state;
}

TEST(BadCommandLines, EachIsRefusedInOneLineAndTouchesNothing) {
  const ScratchFolder folder;
  write_file(folder("keys.u64"), std::string(32, 'k'));
  write_file(folder("odd.u64"), std::string(33, 'k'));
  write_file(folder("down.u8"), "cba");
  write_file(folder("bad.txt"), "1\ntwo\n");
  write_file(folder("mixed.txt"), "18446744073709551615\n-1\n");
  write_file(folder("old.u64"), "the old output");
  std::filesystem::create_directory(folder("folder"));
  std::filesystem::create_symlink("new", folder("link"));
  const std::string before = state_of(folder);

  std::size_t refused = 0;
  for (const auto& [words, says] : bad_lines()) {
    Words given;
    for (const std::string& word : words) given.push_back(in_folder(word, folder()));
    const Ran ran = run(given);
    std::string expected = says;
    if (const std::size_t place = expected.find("F/"); place != std::string::npos) {
      expected.replace(place, 1, folder());
    }
    EXPECT_EQ(ran.exit_code, 2) << told(words) << "\n" << ran;
    EXPECT_EQ(ran.error_lines(), 1) << told(words) << "\n" << ran;
    EXPECT_TRUE(ran.err.starts_with("postroom")) << told(words) << "\n" << ran;
    EXPECT_NE(ran.err.find(expected), std::string::npos)
        << told(words) << "\nshould say: " << expected << "\n"
        << ran;
    EXPECT_EQ(ran.out, "") << told(words);
    EXPECT_EQ(state_of(folder), before) << told(words) << " has touched something";
    refused += ran.exit_code == 2 && ran.error_lines() == 1;
  }
  EXPECT_GE(bad_lines().size(), 50u);
  EXPECT_EQ(refused, bad_lines().size())
      << refused << " of " << bad_lines().size() << " refused in one line";
}

TEST(BadCommandLines, VectorsThatNobodyKnowsAreRefused) {
  const Ran ran = shell("POSTROOM_VECTORS=sse '" + postroom() + "' info");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "postroom info: POSTROOM_VECTORS: 'sse' is not one of avx512, avx2, none\n");
}

TEST(BadCommandLines, WithoutACommandTheHelpIsShown) {
  const Ran ran = run({});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("Usage: postroom COMMAND"), std::string::npos) << ran;
  EXPECT_EQ(ran.out, "");
}

TEST(Help, IsOnStandardOutput) {
  for (const Words& words :
       {Words{"help"}, Words{"--help"}, Words{"-h"}, Words{"help", "sort"}, Words{"sort", "--help"},
        Words{"generate", "-h"}, Words{"help", "generate"}, Words{"info", "--help"},
        Words{"help", "info"}, Words{"--version"}, Words{"-V"}, Words{"version"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit_code, 0) << told(words) << "\n" << ran;
    EXPECT_NE(ran.out.find("postroom"), std::string::npos) << told(words);
    EXPECT_EQ(ran.err, "") << told(words);
  }
}

TEST(Help, ThatCannotBeWrittenIsAnError) {
  const Ran ran = run({"help"}, {.output = "/dev/full"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "postroom: standard output: No space left on device\n");
}

}  // namespace
}  // namespace postroom::cli
