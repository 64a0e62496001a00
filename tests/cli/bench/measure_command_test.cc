// `postroom measure` and `postroom predict`, from the command line to their figures, files and
// mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

using nlohmann::json;

Ran ran(const std::string& line) { return shell("'" + postroom() + "' " + line); }

json figures(const std::string& line) {
  const Ran result = ran(line + " --json -");
  EXPECT_EQ(result.exit_code, 0) << line << '\n' << result;
  return result.exit_code == 0 ? json::parse(result.out) : json();
}

void expect_refused(const std::string& line, const std::string& says) {
  const Ran result = ran(line);
  EXPECT_EQ(result.exit_code, 2) << line << '\n' << result;
  EXPECT_EQ(result.error_lines(), 1) << line << '\n' << result;
  EXPECT_NE(result.err.find(says), std::string::npos) << line << '\n' << result;
  EXPECT_EQ(result.out, "") << line;
}

TEST(Measure, GivesTheModelBackInVirtualTime) {
  for (const auto& [lambda, value] : {std::pair{"1", 1.0},
                                      {"3/2", 1.5},
                                      {"9/5", 1.8},
                                      {"2", 2.0},
                                      {"3", 3.0},
                                      {"5", 5.0},
                                      {"1000000000", 1e9}}) {
    const json level = figures(std::string("measure --virtual --lambda ") + lambda)["levels"][0];
    ASSERT_EQ(level["sizes"].size(), 2u);
    for (const json& size : level["sizes"]) {
      for (const char* experiment : {"experiment_1", "experiment_2"}) {
        EXPECT_NEAR(size[experiment]["lambda"], value, 1e-9 * value) << lambda << ' ' << experiment;
        EXPECT_NEAR(size[experiment]["t0_ns"], 1000, 1e-6) << lambda << ' ' << experiment;
      }
    }
  }
}

TEST(Measure, FiguresSayOfWhichModelTheyAre) {
  const json units = figures("measure --virtual --lambda 9/5 --unit 1K -b 8 -e 8");
  EXPECT_EQ(units["lambda"], "9/5");
  EXPECT_EQ(units["unit_bytes"], 1024);
  EXPECT_FALSE(units.contains("t0_ns"));
  const json real = figures("measure --t0 50us --lambda 2 -b 8 -e 8 -n 3");
  EXPECT_EQ(real["t0_ns"], 50'000);
  EXPECT_FALSE(real.contains("unit_bytes"));
}

// What the figures are is not for a test to say; that they are there, and are read back, is.
TEST(Measure, SavesAProfileThatIsUsed) {
  const ScratchFolder folder;
  const std::string profile = folder("a/b/postroom/profile.json");
  const std::string with =
      "POSTROOM_PROFILE= XDG_CONFIG_HOME='" + folder("a/b") + "' '" + postroom() + "' ";
  const Ran saved = shell(with + "measure --save -e 4K -f 512 -n 3 -p 2");
  ASSERT_EQ(saved.exit_code, 0) << saved;
  EXPECT_NE(saved.out.find("saved " + profile), std::string::npos) << saved;
  EXPECT_NE(saved.out.find("lambda (1)"), std::string::npos) << saved;
  std::ifstream file(profile);
  const json content = json::parse(file);
  EXPECT_EQ(content["postroom_profile"], 1);
  EXPECT_GE(content["levels"].size(), 1u);
  EXPECT_GT(content["copy_per_byte_ns"], 0);
  EXPECT_GT(content["barrier_ns"], 0);

  const Ran predicted = shell(with + "predict allreduce -p 2");
  EXPECT_EQ(predicted.exit_code, 0) << predicted;
  EXPECT_NE(predicted.out.find(content["measured_at"].get<std::string>()), std::string::npos)
      << predicted;
  // A collective that reads it.
  EXPECT_EQ(shell(with + "simulate allreduce -p 4").exit_code, 0);
}

TEST(Measure, NamesWhatIsFarOff) {
  const json all = figures("measure -e 64 -f 8 -n 9 -p 2");
  for (const json& size : all["levels"][0]["sizes"]) {
    for (const char* experiment : {"experiment_1", "experiment_2"}) {
      ASSERT_TRUE(size[experiment]["outliers"].is_array()) << size;
      for (const json& each : size[experiment]["outliers"]) {
        EXPECT_GE(each["k"], 1);
        EXPECT_GE(each["sample"], 0);
        EXPECT_LT(each["sample"], 9);
        EXPECT_NE(each["ns"], each["median_ns"]);
      }
    }
  }
  EXPECT_TRUE(all["barrier_ns"]["outliers"].is_array());
  // In virtual time there is nothing to name.
  EXPECT_EQ(ran("measure --virtual --lambda 2").out.find("far off:"), std::string::npos);
}

TEST(Measure, LeavesAnOldProfileWhenItFails) {
  const ScratchFolder folder;
  std::ofstream(folder("p.json")) << "old";
  expect_refused("measure -o '" + folder("p.json") + "' -b x", "-b: 'x' is not a size");
  expect_refused("measure -o '" + folder("none/p.json") + "'", "none' does not exist");
  std::ifstream file(folder("p.json"));
  std::string content;
  file >> content;
  EXPECT_EQ(content, "old");
}

#ifndef __SANITIZE_ADDRESS__  // which needs many addresses
TEST(Measure, RefusesWhatDoesNotFit) {
  const Ran ran = shell("ulimit -v 400000; '" + postroom() + "' measure -n 3 -b 64M -e 64M");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.err.find("postroom measure: 64.0 MiB messages: needs 512 MiB of memory, "), 0)
      << ran;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran;
}
#endif

TEST(Measure, RefusesWhatMakesNoSense) {
  expect_refused("measure --t0 1ms", "--t0 needs --lambda");
  expect_refused("measure --virtual", "--virtual needs --lambda");
  expect_refused("measure --lambda 2", "--lambda needs --t0, for real time, or --virtual");
  expect_refused("measure --lambda 2 --t0 1ms --virtual", "contradict each other");
  expect_refused("measure --lambda 0.5 --virtual", "--lambda: 0.5 is not allowed; at least 1");
  expect_refused("measure --lambda 1.0000000001 --virtual",
                 "--lambda: '1.0000000001' is not allowed; its denominator is at most 1000000000");
  const ScratchFolder folder;
  for (const char* sizes : {"-b 8 -e 8", "-b 1M -e 1M", "-f 1000000", "-b 128", "-e 512 -f 8"}) {
    expect_refused(std::string("measure -n 3 ") + sizes + " -o '" + folder("p.json") + "'",
                   " bytes make no profile; of at most 64 to at least 1024 they do (-b, -e, -f)");
  }
  EXPECT_TRUE(folder.names().empty());
  expect_refused("measure --lambda 2 --virtual --save", "-o and --save are for the box");
  expect_refused("measure --lambda 2 --virtual -p 1", "--processors: '1' is not a whole number");
  expect_refused("measure -e 1G", "-e: ");
  expect_refused("measure -n 0", "--samples: '0' is not a whole number from 3");
  expect_refused("measure --lambda 2 --virtual -p 10000 -b 64M",
                 "10000 processors: needs 2.44 TiB of memory");
  expect_refused("measure box", "'box'");
  expect_refused("measure -o - --json -", "-o - and --json - contradict each other");
  const Ran ran =
      shell("HOME=/proc XDG_CONFIG_HOME= POSTROOM_PROFILE= '" + postroom() + "' measure --save");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_EQ(ran.err, "postroom measure: /proc/.config/postroom: No such file or directory\n");
}

TEST(Predict, NamesTheBest) {
  const json broadcast = figures("predict broadcast -p 64 --lambda 9/5 --t0 1ms");
  const json& algorithms = broadcast["sizes"][0]["algorithms"];
  EXPECT_EQ(algorithms[0]["algorithm"], "lambda_tree(lambda=9/5)");
  EXPECT_NEAR(algorithms[0]["time_ns"], 9.2e6, 10);
  EXPECT_EQ(broadcast["sizes"][0]["automatic"], "lambda_tree(lambda=9/5)");
  EXPECT_EQ(broadcast["model"]["busy_ns"], 1e6);
}

TEST(Predict, FindsBreakEvenPoints) {
  const json sweep = figures(
      "predict alltoall -p 64 --lambda 1 --t0 29us --per-byte 120 -b 8 -e 1K "
      "--only 'bruck(radix=2); bruck(radix=64)'");
  EXPECT_EQ(sweep["sizes"].size(), 8u);
  ASSERT_EQ(sweep["break_even"].size(), 1u);
  EXPECT_EQ(sweep["break_even"][0]["bytes"], 107);
  const Ran text =
      ran("predict alltoall -p 64 --lambda 1 --t0 29us --per-byte 120 -b 8 -e 1K "
          "--only 'bruck(radix=2); bruck(radix=64)'");
  EXPECT_NE(text.out.find("from 107 bytes on bruck(radix=64) instead of bruck(radix=2)"),
            std::string::npos)
      << text;
}

TEST(Predict, CoversEveryOperation) {
  for (const char* operation :
       {"reduce_scatter -b 4K", "allgatherv -b 4K", "alltoallv -b 4K", "route -b 4K", "barrier"}) {
    const std::size_t fewest = std::string(operation) == "barrier" ? 1 : 2;
    const json all =
        figures(std::string("predict ") + operation + " -p 16 --lambda 9/5 --t0 1ms --unit 1K");
    const json& size = all["sizes"][0];
    EXPECT_GE(size["algorithms"].size(), fewest) << operation;
    EXPECT_TRUE(size["automatic"].is_string()) << operation;
  }
}

TEST(Predict, RefusesWhatMakesNoSense) {
  const ScratchFolder folder;
  std::ofstream(folder("bad.json")) << "{";
  expect_refused("predict", "OPERATION is missing");
  expect_refused("predict sort", "OPERATION: 'sort' is not one of broadcast, reduce");
  expect_refused("predict broadcast --t0 1ms", "--t0 needs --lambda");
  expect_refused("predict broadcast --lambda 2 --per-byte x", "--per-byte: 'x' is not a number");
  expect_refused("predict broadcast --lambda 2 --profile p", "contradict each other");
  expect_refused("predict broadcast --profile '" + folder("bad.json") + "'", "not JSON");
  expect_refused("predict broadcast --profile /nowhere", "profile /nowhere: cannot be read");
  expect_refused("predict broadcast --profile /tmp", "profile /tmp: cannot be read");
  expect_refused("predict broadcast --lambda 2 --only ring",
                 "--only: for broadcast: 'ring' is not one of binomial");
  expect_refused("predict bcast --lambda 2 --only slots",
                 "broadcast: slots is not allowed; only what this model has a time for");
  expect_refused("predict allreduce --lambda 2 --only 'lambda_tree; shared'",
                 "allreduce: shared is not allowed; only what this model has a time for");
  expect_refused("predict broadcast --lambda 2 --only ''", "--only: '' is not a list");
  expect_refused("predict broadcast --lambda 2 --all -b 1 -e 8", "--all and -e contradict");
  expect_refused("predict alltoallv -p 10000 --lambda 2", "at most 4096");
  expect_refused("predict broadcast --lambda 2 --unit 0", "--unit: '0' is not a size from 1 to 1T");
  expect_refused("predict alltoall --lambda 2 --unit 1 -b 1T",
                 "1099511627776 bytes in units of 1 byte: bruck(radix=2) takes longer");
  expect_refused("predict barrier -b 8", "-b: barrier has no blocks");
  expect_refused("predict alltoall --profile ''", "--profile: '' is not the name of a file");
  expect_refused("predict alltoall --only ';'", "--only: ';' is not a list");
  expect_refused("predict broadcast --lambda 2 --only 'binomial;binomial'",
                 "--only: binomial is given twice; once is allowed");
  expect_refused("predict alltoall --lambda 2 --only 'bruck(radix=4,radix=5)'",
                 "\"bruck(radix=4,radix=5)\" is not allowed; radix once");
  expect_refused("predict broadcast -p 0", "--processors: '0' is not a whole number");
}

// A profile that cannot be read is no reason to fail: it is said, and the built-in one is used.
TEST(Predict, GoesOnWithoutAProfile) {
  const Ran result =
      shell("POSTROOM_PROFILE=/dev/null '" + postroom() + "' predict allreduce -p 2");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_NE(result.err.find("profile /dev/null: not JSON"), std::string::npos) << result;
  EXPECT_NE(result.out.find("the built-in profile"), std::string::npos) << result;
}

TEST(Measure, AFolderThatWasNamedIsNotMade) {
  const ScratchFolder folder;
  const Ran ran = shell("POSTROOM_PROFILE='" + folder("new/profile.json") + "' '" + postroom() +
                        "' measure --save -e 4K -n 3");
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_NE(ran.err.find("/new' does not exist"), std::string::npos) << ran;
  EXPECT_TRUE(folder.names().empty());
}

TEST(Predict, ABarrierHasNoBytes) {
  const Ran ran = shell("'" + postroom() + "' predict barrier --lambda 2 -p 4");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_NE(ran.out.find("\n# automatic: "), std::string::npos) << ran;
}

// On many processors with blocks of different sizes that takes long.
TEST(Predict, ShowsHowFarItIs) {
  EXPECT_TRUE(shows_on_terminal({"predict", "reduce_scatter", "-p", "2048"}, "8 bytes: "));
}

TEST(Measure, ShowsHowFarItIs) {
  EXPECT_TRUE(shows_on_terminal({"measure", "--lambda", "2", "--t0", "20ms"}, "measuring [>"));
}

}  // namespace
}  // namespace postroom::cli
