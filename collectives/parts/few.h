// A list of fixed length that needs no allocation when it is short.
//
// Small collectives take some hundred nanoseconds, of which an allocation would be a good part.
//
//   Few<ConstBytes> lists(self.count());
//   lists[self.id()] = mine;
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace postroom {

template <class T>
class Few {
 public:
  explicit Few(int size) : Few(static_cast<std::size_t>(size)) {}
  explicit Few(std::size_t size) : size_(size), many_(size > kFew ? size : 0) {}
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;

  std::span<T> all() noexcept { return {many_.empty() ? few_.data() : many_.data(), size_}; }
  T& operator[](int index) noexcept { return all()[static_cast<std::size_t>(index)]; }

 private:
  static constexpr std::size_t kFew = sizeof(T) <= 16 ? 16 : 2;

  std::size_t size_;
  std::array<T, kFew> few_{};
  std::vector<T> many_;
};

}  // namespace postroom
