// Programs in which the processors do not agree: each ends in an error that has a name, none hangs.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/broadcast.h"
#include "collectives/reduce.h"
#include "runtime/errors.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

/// Which error the run ends in, in one word; "none" when it ends well.
std::string outcome(Machine& machine, const Machine::Program& program) {
  const auto start = std::chrono::steady_clock::now();
  std::string name = "none";
  try {
    machine.run(program);
  } catch (const DeadlockError&) {
    name = "deadlock";
  } catch (const UnreceivedError&) {
    name = "unreceived";
  } catch (const DisagreementError&) {  // found when all have ended
    name = "disagreement";
  } catch (const ProcessorError& error) {
    name = error.caused_by<SizeMismatchError>() != nullptr   ? "mismatch"
           : error.caused_by<DisagreementError>() != nullptr ? "disagreement"
                                                             : error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  return name;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

/// The processors that take turns in being the one that differs.
std::vector<int> strays_of(int processors) {
  if (processors > 5) return {0, 1, processors / 2, processors - 1};
  std::vector<int> all(processors);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class WrongPrograms : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, WrongPrograms, ::testing::Values(1, 300));

TEST_P(WrongPrograms, OneProcessorDoesNotCall) {
  for (const int p : {2, 3, 5, 8}) {
    for (const Collective& collective : all_collectives(p)) {
      if (!is_allowed(machine_of(p), collective, GetParam())) continue;
      for (const int missing : strays_of(p)) {
        const std::string name = outcome(machine_of(p), [&](Processor& self) {
          if (self.id() != missing) collective.call(self, 0, GetParam());
        });
        EXPECT_TRUE(is_one_of(name, {"deadlock", "unreceived", "disagreement"}))
            << collective.name << ", p = " << p << ", without " << missing << ": " << name;
      }
    }
  }
}

TEST_P(WrongPrograms, OneProcessorHasAnotherRoot) {
  for (const int p : {2, 3, 5, 8}) {
    for (const Collective& collective : all_collectives(p)) {
      if (!collective.has_root) continue;
      if (!is_allowed(machine_of(p), collective, GetParam())) continue;
      for (const int stray : strays_of(p)) {
        const std::string name = outcome(machine_of(p), [&](Processor& self) {
          collective.call(self, self.id() == stray ? 1 : 0, GetParam());
        });
        // In some a processor may have the same partner for both roots, and then all is well.
        const bool may_agree = (collective.name.starts_with("reduce ") ||
                                collective.name.starts_with("broadcast d_tree")) &&
                               stray > 1;
        EXPECT_TRUE(is_one_of(name, {"deadlock", "unreceived", "mismatch", "disagreement"}) ||
                    (may_agree && name == "none"))
            << collective.name << ", p = " << p << ", stray " << stray << ": " << name;
      }
    }
  }
}

void expect_mismatch(std::size_t size, std::size_t size_of_stray) {
  for (const int p : {2, 3, 5, 8}) {
    for (const Collective& collective : all_collectives(p)) {
      if (!collective.has_sizes) continue;
      if (!is_allowed(machine_of(p), collective, std::max(size, size_of_stray))) continue;
      for (const int stray : strays_of(p)) {
        const std::string name = outcome(machine_of(p), [&](Processor& self) {
          collective.call(self, 0, self.id() == stray ? size_of_stray : size);
        });
        EXPECT_EQ(name, "mismatch") << collective.name << ", p = " << p << ", stray " << stray
                                    << ", " << size_of_stray << " instead of " << size;
      }
    }
  }
}

TEST_P(WrongPrograms, OneProcessorHasAnotherSize) { expect_mismatch(GetParam(), GetParam() + 2); }
TEST(WrongPrograms, OneProcessorHasAnEmptyList) { expect_mismatch(3, 0); }
TEST(WrongPrograms, OneProcessorAloneHasAList) { expect_mismatch(0, 3); }

TEST(WrongPrograms, TwoProcessorsCallDifferentCollectives) {
  EXPECT_NE(outcome(machine_of(3),
                    [](Processor& self) {
                      int value = 0;
                      if (self.id() == 0) {
                        (void)allgather(self, value);
                      } else {
                        broadcast(self, 1, value);
                      }
                    }),
            "none");
}

// A report is worth what it says about the user's own program.
TEST(WrongPrograms, ReportsNameTheLineOfTheCall) {
  const auto line_is_in = [](const std::string& text, unsigned line) {
    return text.find("wrong_programs_test.cc:" + std::to_string(line)) != std::string::npos;
  };
  try {
    machine_of(3).run([](Processor& self) {
      std::vector<int> data(self.id() == 2 ? 5 : 4);
      broadcast(self, 0, data);
    });
    FAIL();
  } catch (const ProcessorError& error) {
    EXPECT_TRUE(line_is_in(error.what(), __LINE__ - 4)) << error.what();
  }
  try {
    machine_of(3).run([](Processor& self) {
      if (self.id() != 2) (void)allgather(self, self.id());
    });
    FAIL();
  } catch (const DeadlockError& error) {
    EXPECT_TRUE(line_is_in(error.what(), __LINE__ - 4)) << error.what();
  }
  try {
    machine_of(2).run([](Processor& self) {
      const std::vector<int> in(self.id() == 0 ? 5 : 4);
      reduce(self, 0, in, std::vector<int>(5), std::plus<>());
    });
    FAIL();
  } catch (const ProcessorError& error) {
    EXPECT_TRUE(line_is_in(error.what(), __LINE__ - 4)) << error.what();
  }
}

// Not one of its steps, of which the program knows nothing.
TEST(WrongPrograms, ReportsNameTheCollective) {
  for (const int p : {2, 3}) {
    try {
      machine_of(p).run([](Processor& self) {
        std::vector<int> data(100);
        if (self.id() == 0) allreduce(self, data, data, std::plus<>());
      });
      FAIL();
    } catch (const DeadlockError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("which has ended, in allreduce at "), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace postroom
