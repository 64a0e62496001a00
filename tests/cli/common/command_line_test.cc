// Words taken apart, and one clear line for each mistake.
#include "cli/common/command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/common/failure.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

using Words = std::vector<std::string>;

/// A made-up command.
struct Example {
  CommandLine line{"example", "Does nothing."};
  std::optional<std::string> output, type, file;
  bool reverse = false;

  Example() {
    line.operand(file, "FILE", "what to read");
    line.value("-o,--output", output, "FILE", "where to write");
    line.heading("Rare");
    line.value("--type", type, "TYPE", "of the keys");
    line.flag("-r,--reverse", reverse, "backwards");
    line.footer("The end.");
  }
};

std::string refusal(const Words& words) {
  Example example;
  return thrown<UsageError>([&] { example.line.parse(words); });
}

/// What the words "--help" bring.
std::string help_of(CommandLine& line) {
  try {
    line.parse(Words{"--help"});
  } catch (const HelpWanted& help) {
    return help.text;
  }
  ADD_FAILURE() << "no help";
  return "";
}

TEST(CommandLine, TakesWordsInAnyOrder) {
  for (const Words& words :
       {Words{"in", "-o", "out", "-r"}, Words{"-ro", "out", "in"},
        Words{"--reverse", "--output=out", "in"}, Words{"-oout", "in", "-r"}}) {
    Example example;
    example.line.parse(words);
    EXPECT_EQ(example.file, "in");
    EXPECT_EQ(example.output, "out");
    EXPECT_TRUE(example.reverse);
    EXPECT_EQ(example.type, std::nullopt);
  }
}

TEST(CommandLine, AnyNumberOfOperands) {
  for (const Words& words :
       {Words{"[a]", "-r", "b", "-", "c,d"}, Words{"-r", "--", "[a]", "b", "-", "c,d"}}) {
    CommandLine line("example", "Does nothing.");
    std::vector<std::string> files;
    bool reverse = false;
    line.operands(files, "FILE", "what to read");
    line.flag("-r,--reverse", reverse, "backwards");
    line.parse(words);
    EXPECT_EQ(files, (Words{"[a]", "b", "-", "c,d"}));
    EXPECT_TRUE(reverse);
    CommandLine again("example", "Does nothing.");
    again.operands(files, "FILE", "what to read");
    const std::string help = help_of(again);
    EXPECT_NE(help.find("FILE ..."), std::string::npos) << help;
  }
}

TEST(CommandLine, ADashIsAnOperandAndAValue) {
  Example example;
  example.line.parse(Words{"-", "-o", "-"});
  EXPECT_EQ(example.file, "-");
  EXPECT_EQ(example.output, "-");
}

TEST(CommandLine, AfterTwoDashesAllIsOperand) {
  Example example;
  example.line.parse(Words{"-r", "--", "-o"});
  EXPECT_EQ(example.file, "-o");
  EXPECT_EQ(example.output, std::nullopt);
}

TEST(CommandLine, EveryMistakeHasItsLine) {
  EXPECT_EQ(refusal({"-o"}), "--output: a value is missing");
  EXPECT_EQ(refusal({"--output="}), "--output: a value is missing");
  EXPECT_EQ(refusal({"-o", "a", "--output", "b"}),
            "--output: given twice, as 'a' and as 'b'; once is allowed");
  EXPECT_EQ(refusal({"--reverse=/some/file"}),
            "--reverse: '/some/file' is not allowed; it takes no value");
  for (const std::string value : {"5", "0", "no", "yes", "true", "banana", ""}) {
    EXPECT_EQ(refusal({"--reverse=" + value}),
              "--reverse: '" + value + "' is not allowed; it takes no value");
  }
  EXPECT_EQ(refusal({"--", "--reverse=no"}), "nothing was thrown");  // an operand
  EXPECT_EQ(refusal({"a", "b"}), "'b' is one operand too many");
  EXPECT_EQ(refusal({"a", "--", "-b"}), "'-b' is one operand too many");
  EXPECT_EQ(refusal({"--frob=3"}),
            "'--frob' is not one of its options; 'postroom help example' lists them");
  EXPECT_EQ(refusal({"-x"}), "'-x' is not one of its options; 'postroom help example' lists them");
  EXPECT_EQ(refusal({"--rev"}),
            "'--rev' is not one of its options; 'postroom help example' lists them");
}

TEST(CommandLine, RefusalsAreOneLine) {
  for (const Words& words : {Words{"--re\nverse"}, Words{"-r=3"}, Words{"--reverse=maybe"},
                             Words{"a\nb", "c\nd"}, Words{"-o", "1\n", "-o", "2\n"}}) {
    const std::string line = refusal(words);
    EXPECT_NE(line, "nothing was thrown") << words.front();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
}

TEST(CommandLine, WholeNumbers) {
  EXPECT_EQ(whole_number("--n", "0", 0, 9), 0u);
  EXPECT_EQ(whole_number("--n", "18446744073709551615", 0, ~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_EQ(whole_number("--n", "25e3", 0, 25'000), 25'000u);
  EXPECT_EQ(whole_number("--n", "1e0", 0, 9), 1u);
  EXPECT_EQ(whole_number("--n", "0e99999999999", 0, 9), 0u);
  for (const char* text : {"",
                           " 5",
                           "5 ",
                           "+5",
                           "-5",
                           "10",
                           "5.0",
                           "5x",
                           "0x5",
                           "18446744073709551616",
                           "e",
                           "1e",
                           "e1",
                           "1e-0",
                           "1e+0",
                           "1e1",
                           "1E0",
                           "1e0 ",
                           "1e1e1",
                           "2e19",
                           "1e99999999999999999999"}) {
    EXPECT_EQ(thrown<UsageError>([&] { whole_number("--n", text, 1, 9); }),
              "--n: '" + std::string(text) + "' is not a whole number from 1 to 9");
  }
}

TEST(CommandLine, NamedValues) {
  constexpr std::pair<std::string_view, int> kNumbers[] = {{"one", 1}, {"two", 2}};
  const std::span<const std::pair<std::string_view, int>> numbers(kNumbers);
  EXPECT_EQ(named("--number", "two", numbers), 2);
  EXPECT_EQ(thrown<UsageError>([&] { named("--number", "Two", numbers); }),
            "--number: 'Two' is not one of one, two");
}

TEST(CommandLine, TheHelpShowsAll) {
  Example example;
  const std::string help = help_of(example.line);
  for (const char* part :
       {"Does nothing.", "postroom example", "FILE", "-o,--output FILE", "where to write", "Rare",
        "--type TYPE", "-r,--reverse", "-h,--help", "The end."}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << " is missing in\n" << help;
  }
}

}  // namespace
}  // namespace postroom::cli
