// Which vectors are used: those of the CPU, or fewer where the environment says so.
#include "numa/vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace postroom {
namespace {

/// Ends the process with what is used then. Once a process has asked, it is settled.
[[noreturn]] void exit_with_vectors_for(const char* wanted) {
  if (wanted == nullptr) {
    unsetenv("POSTROOM_VECTORS");
  } else {
    setenv("POSTROOM_VECTORS", wanted, 1);
  }
  std::_Exit(static_cast<int>(vectors_in_use()));
}

void expect_for(const char* wanted, Vectors vectors) {
  EXPECT_EXIT(exit_with_vectors_for(wanted), testing::ExitedWithCode(static_cast<int>(vectors)), "")
      << (wanted == nullptr ? "nothing" : wanted);
}

TEST(Vectors, AreThoseOfTheCpuOrFewer) {
  const Vectors all = vectors_of_cpu();
  expect_for(nullptr, all);
  expect_for("avx512", all);
  expect_for("avx2", std::min(all, Vectors::kAvx2));
  expect_for("none", Vectors::kNone);
  expect_for("", all);
  expect_for("avx3", all);
}

TEST(Vectors, AValueThatNobodyKnowsIsAProblem) {
  for (const Vectors vectors : {Vectors::kNone, Vectors::kAvx2, Vectors::kAvx512}) {
    setenv("POSTROOM_VECTORS", std::string(name_of(vectors)).c_str(), 1);
    EXPECT_EQ(problem_of_vectors_wanted(), std::nullopt) << name_of(vectors);
  }
  setenv("POSTROOM_VECTORS", "AVX2", 1);
  EXPECT_EQ(problem_of_vectors_wanted(),
            "POSTROOM_VECTORS: 'AVX2' is not one of avx512, avx2, none");
  unsetenv("POSTROOM_VECTORS");
  EXPECT_EQ(problem_of_vectors_wanted(), std::nullopt);
}

}  // namespace
}  // namespace postroom
