#include "collectives/parts/scratch.h"

#include "runtime/kept_memory.h"

namespace postroom {
namespace {

// From here on in huge pages, where nothing is kept.
constexpr std::size_t kLargeBytes = std::size_t{8} << 20;

}  // namespace

void Scratch::allocate(KeptMemory* kept) {
  if (bytes_ >= kKeptFromBytes && kept != nullptr) pages_ = kept->take(bytes_);
  if (pages_.data() != nullptr) {
    kept_ = kept;
  } else if (bytes_ < kLargeBytes) {
    of_heap_ = std::make_unique_for_overwrite<std::byte[]>(bytes_);
  } else {
    pages_ = PlacedBuffer(bytes_);
  }
  data_ = of_heap_ != nullptr ? of_heap_.get() : pages_.data();
}

void Scratch::keep() noexcept { kept_->keep(pages_); }

}  // namespace postroom
