// The grader: what is given out is right and slow, the library's own reaches every bound, and what
// is wrong is told so.
#include "labs/grade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/broadcast.h"
#include "collectives/scan.h"
#include "runtime/processor.h"
#include "runtime/rational.h"
#include "tests/thrown.h"

namespace postroom::labs {
namespace {

std::string text_of(const Grade& grade) {
  std::ostringstream out;
  write(out, grade);
  return out.str();
}

bool all_right(const Grade& grade) { return std::ranges::all_of(grade.cases, &Case::is_right); }

TEST(Grade, WhatIsGivenOutIsRightAndSlow) {
  for (const std::string_view exercise : exercises()) {
    const Grade grade = labs::grade(exercise);
    EXPECT_TRUE(all_right(grade)) << text_of(grade);
    EXPECT_GT(grade.points(), grade.most() / 2) << text_of(grade);
    EXPECT_LE(grade.points(), grade.most() * 7 / 8) << text_of(grade);
    for (const Case& each : grade.cases) EXPECT_GE(each.taken, each.least) << each.what;
  }
}

/// What the library has for each.
Programs best_programs() {
  return {.broadcast =
              [](Processor& self, const Rational& lambda, int& item) {
                postroom::broadcast(self, 0, item, Algorithm::lambda_tree(lambda));
              },
          .allreduce =
              [](Processor& self, const Rational& lambda, long value) {
                return postroom::allreduce(self, value, std::plus<>(),
                                           Algorithm::postal_combine(lambda));
              },
          .allgather =
              [](Processor& self, int value) {
                return postroom::allgather(self, value, Algorithm::circulant());
              },
          .alltoall =
              [](Processor& self, const std::vector<std::vector<int>>& blocks) {
                const std::size_t size = blocks.front().size();
                std::vector<int> out, in(blocks.size() * size);
                for (const auto& block : blocks) out.insert(out.end(), block.begin(), block.end());
                postroom::alltoall(self, out, in, Algorithm::bruck(2));
                std::vector<std::vector<int>> result;
                for (std::size_t i = 0; i < blocks.size(); ++i) {
                  const auto begin = in.begin() + static_cast<std::ptrdiff_t>(i * size);
                  result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
                }
                return result;
              },
          .scan =
              [](Processor& self, long value) {
                return postroom::scan(self, value, std::plus<>(), Algorithm::hillis_steele);
              }};
}

TEST(Grade, EveryBoundCanBeReached) {
  for (const std::string_view exercise : exercises()) {
    const Grade grade = labs::grade(exercise, best_programs());
    EXPECT_EQ(grade.points(), grade.most()) << text_of(grade);
  }
}

TEST(Grade, WhatDoesNothingIsNotRight) {
  const Programs nothing{
      .broadcast = [](Processor&, const Rational&, int&) {},
      .allreduce = [](Processor&, const Rational&, long value) { return value; },
      .allgather = [](Processor&, int value) { return std::vector<int>{value}; },
      .alltoall = [](Processor&, const std::vector<std::vector<int>>& blocks) { return blocks; },
      .scan = [](Processor&, long value) { return value; }};
  for (const std::string_view exercise : exercises()) {
    const Grade grade = labs::grade(exercise, nothing);
    int one = 0;  // of a single processor
    for (const Case& each : grade.cases) {
      const bool alone =
          each.what.starts_with("1 processor:") || each.what.starts_with("1 processor,");
      EXPECT_EQ(each.is_right(), alone) << exercise << ": " << each.what;
      one += alone ? 2 : 0;
    }
    EXPECT_EQ(grade.points(), one);
    EXPECT_NE(text_of(grade).find("not right: processor"), std::string::npos) << text_of(grade);
  }
}

// Whatever calls it makes: a processor sends one message in a round, and receives one.
TEST(Grade, ManyMessagesAreNoSingleRound) {
  const auto flood = [](Processor& self, int value) {
    std::vector<int> all(static_cast<std::size_t>(self.count()), value);
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    for (int i = 0; i < self.count(); ++i) {
      if (i == self.id()) continue;
      out.push_back({i, std::as_bytes(std::span(&value, 1))});
      in.push_back({i, std::as_writable_bytes(std::span(&all[static_cast<std::size_t>(i)], 1))});
    }
    self.exchange_bytes(out, in);
    return all;
  };
  const auto to_first = [](Processor& self, int value) {
    std::vector<int> all(static_cast<std::size_t>(self.count()), value);
    for (int i = 1; self.id() == 0 && i < self.count(); ++i) {
      self.receive(i, all[static_cast<std::size_t>(i)]);
    }
    if (self.id() != 0) self.send(0, value);
    postroom::broadcast(self, 0, all, Algorithm::binomial);
    return all;
  };
  for (const Programs& programs : {Programs{.allgather = flood}, Programs{.allgather = to_first}}) {
    const Grade graded = grade("allgather", programs);
    EXPECT_TRUE(all_right(graded)) << text_of(graded);
    for (const Case& each : graded.cases) EXPECT_GE(each.taken, each.least) << each.what;
    const auto of_33 = std::ranges::find(graded.cases, "33 processors: rounds", &Case::what);
    ASSERT_NE(of_33, graded.cases.end());
    EXPECT_GE(of_33->taken, 32) << text_of(graded);
  }
}

TEST(Grade, WhatWaitsForEverOrThrowsIsToldWhy) {
  const Grade waits = grade("broadcast", {.broadcast = [](Processor& self, const Rational&,
                                                          int& item) { self.receive(0, item); }});
  EXPECT_EQ(waits.points(), 0);
  EXPECT_NE(text_of(waits).find("waits for processor 0"), std::string::npos) << text_of(waits);
  const Grade throws = grade(
      "scan", {.scan = [](Processor&, long) -> long { throw std::runtime_error("not done yet"); }});
  EXPECT_EQ(throws.points(), 0);
  const std::string text = text_of(throws);
  EXPECT_NE(text.find("not done yet"), std::string::npos) << text;
  EXPECT_EQ(text.find("not done yet"), text.rfind("not done yet")) << "once: " << text;
  EXPECT_NE(text.find("scan: right in 0 of 7, at the bound in 0: 0 of 14 points"),
            std::string::npos)
      << text;
}

TEST(Grade, OfWhatThereIsNot) {
  EXPECT_EQ(refusal([] { (void)grade("sort"); }),
            "'sort' is not one of broadcast, allreduce, allgather, alltoall, scan");
}

}  // namespace
}  // namespace postroom::labs
