// What the commands for models print as JSON.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.h"

namespace postroom::cli {

/// Runs `postroom WORDS --json -`, which has to succeed. Null where it does not.
inline nlohmann::json printed_json(const std::string& words) {
  const Ran ran = shell("'" + postroom() + "' " + words + " --json -");
  EXPECT_EQ(ran.exit_code, 0) << words << '\n' << ran;
  return ran.exit_code == 0 ? nlohmann::json::parse(ran.out) : nlohmann::json();
}

}  // namespace postroom::cli
