// How much a search may still do, so that it ends in bounded time.
#pragma once

#include <cstdint>
#include <exception>

namespace postroom {

/// Thrown where a search has done what it may; whoever started it catches it.
class SearchTooLong : public std::exception {
 public:
  const char* what() const noexcept override { return "search: too long"; }
};

class SearchEffort {
 public:
  explicit SearchEffort(std::int64_t work) : left_(work) {}

  void spend(std::int64_t work) {
    left_ -= work;
    if (left_ < 0) throw SearchTooLong();
  }

 private:
  std::int64_t left_;
};

}  // namespace postroom
