// A large block of memory from the system: on huge pages where there are some, growing without
// copying.
//
// Pages are taken when first touched, by the thread that touches them. Growing moves page tables,
// not bytes, and invalidates pointers. Cost: one system call each for making, growing and giving
// back. Errors: std::bad_alloc when the system has no memory.
//
//   Buffer buffer(800'000'000);
//   std::span<std::byte> bytes = buffer.bytes();
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace postroom::cli {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) { resize(bytes); }
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  std::size_t size() const noexcept { return size_; }
  std::span<std::byte> bytes() const noexcept { return {data_, size_}; }

  /// The memory as elements of T; what does not make a whole one at the end is left out.
  template <class T>
  std::span<T> as() const noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<T*>(data_), size_ / sizeof(T)};
  }

  /// Keeps the first min(size(), bytes) bytes; new ones hold anything.
  void resize(std::size_t bytes);

  /// Takes all pages now, by all threads of oneTBB (touch_pages of numa/memory.h). The last: from
  /// then on a buffer may shrink, but not grow.
  void touch() const;

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_bytes_ = 0;
};

/// How large a Buffer may be that takes at most `bytes`: memory comes in huge pages.
std::size_t buffer_bytes_within(std::size_t bytes);

}  // namespace postroom::cli
