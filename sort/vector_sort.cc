#include "sort/vector_sort.h"

#include <dlfcn.h>

#include <atomic>

#include "sort/keys.h"

namespace postroom::sorting {
namespace {

/// Highway's library, loaded when it is first needed: if it were linked, every program would begin
/// by waiting 4 ms for a clock that it measures.
class Library {
 public:
  static const Library& get() noexcept {
    static const Library library;
    return library;
  }

  /// Whether the library is there, with the names of its version 1.0.
  bool is_there() const noexcept {
    return rising_ != nullptr && falling_ != nullptr && signed_rising_ != nullptr &&
           signed_falling_ != nullptr;
  }

  void sort(void* keys, std::size_t size, bool is_signed, bool descending) const noexcept {
    const Sort rising = is_signed ? signed_rising_ : rising_;
    const Sort falling = is_signed ? signed_falling_ : falling_;
    const void* const no_memory =
        nullptr;  // all that a Sorter is; vectors of a fixed size need none
    (descending ? falling : rising)(&no_memory, keys, size);
  }

 private:
  // hwy::Sorter::operator()(Key*, size_t, order) const; an order is an empty struct, which is not
  // passed.
  using Sort = void (*)(const void* sorter, void* keys, std::size_t size);

  Library() noexcept : handle_(dlopen("libhwy_contrib.so.1", RTLD_NOW | RTLD_LOCAL)) {
    rising_ = find("_ZNK3hwy6SorterclEPjmNS_13SortAscendingE");
    falling_ = find("_ZNK3hwy6SorterclEPjmNS_14SortDescendingE");
    signed_rising_ = find("_ZNK3hwy6SorterclEPimNS_13SortAscendingE");
    signed_falling_ = find("_ZNK3hwy6SorterclEPimNS_14SortDescendingE");
  }

  Sort find(const char* name) const noexcept {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Sort>(dlsym(handle_, name));
  }

  void* handle_;  // never closed
  Sort rising_;
  Sort falling_;
  Sort signed_rising_;
  Sort signed_falling_;
};

}  // namespace

bool fits_vectors(const std::byte* keys) noexcept {
  return reinterpret_cast<std::uintptr_t>(keys) % alignof(std::uint32_t) == 0 &&
         Library::get().is_there();
}

bool is_library_due(std::size_t keys) noexcept {
  constexpr std::size_t kEnough = std::size_t{1} << 20;
  static std::atomic<std::size_t> so_far = 0;
  // Relaxed, here and below: only the number counts.
  return so_far.load(std::memory_order_relaxed) >= kEnough ||
         so_far.fetch_add(keys, std::memory_order_relaxed) >= kEnough;
}

void sort_by_vectors(std::byte* keys, std::size_t size, std::uint32_t flip) noexcept {
  const bool is_signed =
      flip == flip_mask<std::uint32_t>(true, false) || flip == flip_mask<std::uint32_t>(true, true);
  const bool descending = flip == flip_mask<std::uint32_t>(is_signed, true);
  Library::get().sort(keys, size, is_signed, descending);
}

}  // namespace postroom::sorting
