// Where the results of a command go: no output takes the place of another, or of an input that is
// still read; what was measured is kept when nobody reads the table.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

class Outputs : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_("keys.txt"), "3\n1\n2\n");
    write_file(folder_("more.txt"), "4\n5\n");
  }

  /// A line of the shell, in the folder.
  Ran in_folder(const std::string& line) const {
    return shell("cd '" + folder_() + "'; P='" + std::filesystem::absolute(postroom()).string() +
                 "'; " + line);
  }
  void expect_refused(const std::string& line, const std::string& says) const {
    const Ran ran = in_folder(line);
    EXPECT_EQ(ran.exit_code, 2) << line << '\n' << ran;
    EXPECT_EQ(ran.error_lines(), 1) << line << '\n' << ran;
    EXPECT_NE(ran.err.find(says), std::string::npos) << line << '\n' << ran;
  }

  ScratchFolder folder_;
};

TEST_F(Outputs, OneOfThemIsWhereStandardOutputGoes) {
  expect_refused("$P sort -q keys.txt --json out > out", "--json: 'out' is the output already");
  expect_refused("$P sort -q keys.txt --json /dev/stdout > out",
                 "--json: '/dev/stdout' is the output already");
  expect_refused("$P table T --lambda 2 -p 9 --json out > out",
                 "--json: 'out' is where standard output goes already");
  expect_refused("$P table T --lambda 2 -p 9 --json - --svg /dev/stdout",
                 "--json - and --svg - contradict each other");
  expect_refused("$P sort --plan keys.txt --json out > out", "is where standard output goes");
}

TEST_F(Outputs, TwoAreStandardOutputWhereverThatGoes) {
  for (const std::string json : {"-", "/dev/stdout"}) {
    for (const std::string output : {"-", "/dev/stdout"}) {
      for (const std::string to : {"/dev/null", "out"}) {
        expect_refused("$P sort -q keys.txt --json " + json + " -o " + output + " > " + to,
                       " is the output already");
      }
    }
  }
}

TEST_F(Outputs, StandardOutputByItsName) {
  const Ran ran = in_folder("$P table T --lambda 2 -p 3 --json /dev/stdout");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(ran.out.front(), '[') << ran;
}

// As the shell has it with 1>&3: nothing before or behind is lost.
TEST_F(Outputs, ADescriptorIsWrittenWhereItIs) {
  Ran ran = in_folder("{ echo 0; $P sort -q keys.txt -o /dev/stdout; echo 9; } > out; cat out");
  EXPECT_EQ(ran.out, "0\n1\n2\n3\n9\n") << ran;
  ran = in_folder("echo 0 > out; $P sort -q keys.txt -o /dev/stdout >> out; cat out");
  EXPECT_EQ(ran.out, "0\n1\n2\n3\n") << ran;
  ran = in_folder("echo 0 > out; $P sort -q keys.txt -o /dev/fd/5 5>> out; cat out");
  EXPECT_EQ(ran.out, "0\n1\n2\n3\n") << ran;
  ran = in_folder("$P sort -q keys.txt -o /dev/stdout | cat");
  EXPECT_EQ(ran.out, "1\n2\n3\n") << ran;
  expect_refused("$P sort -q keys.txt -o /dev/fd/5", "/dev/fd/5: Bad file descriptor");
  expect_refused("$P sort -q keys.txt -o /dev/stdin < more.txt", "/dev/stdin: Bad file descriptor");
  EXPECT_EQ(content_of(folder_("more.txt")), "4\n5\n");
}

TEST_F(Outputs, ADescriptorThatTheCommandHasOpenedIsNone) {
  ASSERT_EQ(in_folder("$P generate 1000000 -o keys.u64 && cp keys.u64 old.u64").exit_code, 0);
  for (int number = 3; number < 12; ++number) {
    const std::string json = "/dev/fd/" + std::to_string(number);
    expect_refused("$P sort -q keys.u64 -o keys.u64 --json " + json,
                   json + ": Bad file descriptor");
  }
  EXPECT_EQ(in_folder("cmp keys.u64 old.u64").exit_code, 0);
}

TEST_F(Outputs, WhatIsReadByAnotherOption) {
  ASSERT_EQ(in_folder("lstopo-no-graphics box.xml && cp box.xml same.xml").exit_code, 0);
  const std::string says = "--json: 'box.xml' is the file that --topology reads";
  expect_refused("$P info --topology ./box.xml --json box.xml", says);
  expect_refused("$P simulate allgather -p 4 --fat-tree box --topology box.xml --json box.xml",
                 says);
  EXPECT_EQ(in_folder("cmp box.xml same.xml").exit_code, 0);
  const Ran measured = in_folder("$P measure -p 2 -e 2K --samples 3 -o profile > /dev/null");
  ASSERT_EQ(measured.exit_code, 0) << measured;
  const std::string before = content_of(folder_("profile"));
  expect_refused("$P predict scan --profile profile --json ./profile",
                 "--json: './profile' is the file that the choice of algorithms reads");
  expect_refused("POSTROOM_PROFILE=profile $P predict scan --json profile",
                 "--json: 'profile' is the file that the choice of algorithms reads");
  expect_refused("POSTROOM_PROFILE=profile $P bench scan -p 2 -b 8 -e 8 --csv profile",
                 "--csv: 'profile' is the file that the choice of algorithms reads");
  EXPECT_EQ(content_of(folder_("profile")), before);
  const Ran ran = in_folder("touch box; $P info --topology box --json box");  // this machine
  EXPECT_EQ(ran.exit_code, 0) << ran;
  expect_refused("$P sort --plan keys.txt -o keys.txt --json keys.txt",
                 "--json: 'keys.txt' is the file of --output already");
  EXPECT_EQ(content_of(folder_("keys.txt")), "3\n1\n2\n");
}

TEST_F(Outputs, MergingIntoWhatIsStillRead) {
  write_file(folder_("keys.txt"), "1\n2\n3\n");
  expect_refused("$P sort -q -m more.txt keys.txt 1<> keys.txt",
                 "--merge: standard output is 'keys.txt', which would be overwritten");
  EXPECT_EQ(content_of(folder_("keys.txt")), "1\n2\n3\n");
  const Ran ran = in_folder("$P sort -q -m more.txt keys.txt -o keys.txt; cat keys.txt");
  EXPECT_EQ(ran.out, "1\n2\n3\n4\n5\n") << ran;
}

TEST_F(Outputs, TheReportIsPartOfTheWork) {
  write_file(folder_("old.txt"), "the old content");
  expect_refused("$P sort -q keys.txt -o old.txt --json /dev/full", "No space left on device");
  EXPECT_EQ(content_of(folder_("old.txt")), "the old content");
  const Ran ran = in_folder("$P sort -q keys.txt -o old.txt --json report; cat old.txt");
  EXPECT_EQ(ran.out, "1\n2\n3\n") << ran;
  EXPECT_NE(content_of(folder_("report")).find("\"finish\""), std::string::npos);
}

TEST_F(Outputs, FilesAreWrittenBeforeTheTable) {
  expect_refused("$P bench scan -p 2 -b 8 -e 8 --virtual --csv c.csv --json c.json > /dev/full",
                 "No space left on device");
  EXPECT_NE(content_of(folder_("c.csv")).find("scan"), std::string::npos);
  EXPECT_NE(content_of(folder_("c.json")).find("scan"), std::string::npos);
  expect_refused("$P measure --lambda 2 --virtual --json m.json > /dev/full", "No space left");
  EXPECT_NE(content_of(folder_("m.json")).find("lambda"), std::string::npos);
  expect_refused("$P predict scan --json p.json > /dev/full", "No space left");
  EXPECT_NE(content_of(folder_("p.json")).find("scan"), std::string::npos);
  expect_refused("$P simulate scan --json s.json > /dev/full", "No space left");
  EXPECT_NE(content_of(folder_("s.json")).find("scan"), std::string::npos);
  expect_refused("$P info --json i.json > /dev/full", "No space left");
  EXPECT_NE(content_of(folder_("i.json")).find("levels"), std::string::npos);
}

}  // namespace
}  // namespace postroom::cli
