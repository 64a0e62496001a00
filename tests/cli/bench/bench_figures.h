// Runs `postroom bench`, and reads its figures.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.h"

namespace postroom::cli {

inline Ran bench(const std::string& line) { return shell("'" + postroom() + "' bench " + line); }

inline nlohmann::json figures(const std::string& line) {
  const Ran ran = bench(line + " --json -");
  EXPECT_EQ(ran.exit_code, 0) << line << '\n' << ran;
  return ran.exit_code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
}

}  // namespace postroom::cli
