// What a call says when it throws.
//
//   EXPECT_EQ(refusal([] { Machine({.processors = -2}); }), "processors: -2 is not allowed; …");
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace postroom {

/// The text of the E that `call` throws, or "nothing was thrown".
template <class E>
std::string thrown(const std::function<void()>& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// The same of arguments that are refused.
inline std::string refusal(const std::function<void()>& call) {
  return thrown<std::invalid_argument>(call);
}

}  // namespace postroom
