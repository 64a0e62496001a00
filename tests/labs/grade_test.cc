// The grader: what is given out is right and slow, the library's own reaches every bound, and what
// is wrong is told so.
#include "labs/grade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
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
#include "collectives/postal_model.h"
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

// Processors share memory, and a barrier takes no time in the model.
TEST(Grade, WhatGoesAroundMessagesIsNotRight) {
  for (const bool waits : {false, true}) {
    std::vector<long> shared(33);
    const auto by_memory = [&](Processor& self, const Rational& lambda, long value) {
      shared[static_cast<std::size_t>(self.id())] = value;
      if (waits && self.count() > 1) self.compute(PostalModel(lambda).time(self.count()));
      self.barrier();
      return std::accumulate(shared.begin(), shared.begin() + self.count(), 0L);
    };
    const Grade graded = grade("allreduce", {.allreduce = by_memory});
    EXPECT_EQ(graded.right(), 3) << "of one processor: " << text_of(graded);
    EXPECT_NE(text_of(graded).find("not right: processor 0 has its result, but no message brought "
                                   "it anything from processor 1\n"),
              std::string::npos)
        << text_of(graded);
  }
}

TEST(Grade, WhatTheSourceHadNotHeardWasNotTold) {
  // Processor 1 tells 2 before it hears from 0.
  const auto too_early = [](Processor& self, const Rational&, int& item) {
    int token = 0;
    if (self.id() == 1) self.send(2, token);
    if (self.id() == 0) {
      self.compute(1);
      for (int i = 1; i < self.count(); ++i) {
        if (i != 2) self.send(i, item);
      }
    }
    if (self.id() == 2) self.receive(1, token);
    if (self.id() == 1 || self.id() > 2) self.receive(0, item);
    item = 1234;
  };
  const auto done = run("broadcast", 3, 2, {.broadcast = too_early});
  EXPECT_EQ(done.problem,
            "processor 2 has its result, but no message brought it anything from processor 0");
  EXPECT_EQ(done.trace.messages().size(), 2U);
}

TEST(Grade, AWrongResultIsShownBesideTheRightOne) {
  const Grade sum = grade("scan", {.scan = [](Processor& self, long) { return 10L + self.id(); }});
  EXPECT_NE(text_of(sum).find("processor 0: has 10, but should have 1\n"), std::string::npos)
      << text_of(sum);
  const Grade list = grade("allgather", {.allgather = [](Processor& self, int) {
                             return std::vector<int>(static_cast<std::size_t>(self.count()), 1000);
                           }});
  EXPECT_NE(text_of(list).find("at 1 has 1000, but should have 1007\n"), std::string::npos)
      << text_of(list);
}

TEST(Grade, AsCommaSeparatedValues) {
  std::ostringstream out;
  const std::vector<Grade> grades{grade("scan", best_programs()), {"none", {}}};
  write_csv(out, grades);
  EXPECT_EQ(out.str(),
            "exercise,cases,right,at the bound,points,most\nscan,7,7,7,14,14\nnone,0,0,0,0,0\n");
}

TEST(Grade, ARunIsThereToBeLookedAt) {
  const auto done = run("broadcast", 14, Rational(5, 2), best_programs());
  EXPECT_EQ(done.problem, "");
  EXPECT_EQ(done.time, Rational(15, 2));
  EXPECT_EQ(done.trace.messages().size(), 13U);
  const auto wrong =
      run("broadcast", 3, 1, {.broadcast = [](Processor& self, const Rational&, int& item) {
            if (self.id() == 0) self.send(1, item);
            if (self.id() == 1) self.receive(0, item);
          }});
  EXPECT_EQ(wrong.problem, "processor 2: has 0, but should have 1234");
  EXPECT_EQ(wrong.trace.messages().size(), 1U);
}

TEST(Grade, OfWhatThereIsNot) {
  EXPECT_EQ(refusal([] { (void)grade("sort"); }),
            "'sort' is not one of broadcast, allreduce, allgather, alltoall, scan");
  EXPECT_EQ(refusal([] { (void)run("scan", 34, 1); }), "processors: 34 is not allowed; 1 to 33");
  EXPECT_EQ(refusal([] { (void)run("scan", 0, 1); }), "processors: 0 is not allowed; 1 to 33");
  EXPECT_EQ(refusal([] { (void)run("scan", 3, 2); }),
            "lambda: 2 is not allowed; 1, as scan goes by rounds");
}

}  // namespace
}  // namespace postroom::labs
