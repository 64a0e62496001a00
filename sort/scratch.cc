#include "sort/scratch.h"

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "numa/cacheline.h"
#include "sort/options.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSmallBytes = std::size_t{64} << 10;

// What is kept between sorts. Never destroyed: a sort may run while the program ends.
struct Kept {
  std::mutex mutex;
  PlacedBuffer buffer;
};

Kept& kept() {
  static Kept& instance = *new Kept;
  return instance;
}

// The kept buffer, if it is large enough; else an empty one.
PlacedBuffer take_kept(std::size_t bytes) {
  const std::lock_guard lock(kept().mutex);
  if (kept().buffer.bytes() < bytes) return {};
  return std::exchange(kept().buffer, PlacedBuffer());
}

// Keeps the larger one; the other is freed by the caller's destructor, outside the lock.
void keep(PlacedBuffer& buffer) {
  const std::lock_guard lock(kept().mutex);
  if (buffer.bytes() > kept().buffer.bytes()) std::swap(buffer, kept().buffer);
}

std::string too_few(std::size_t given, std::size_t needed) {
  return "scratch: " + std::to_string(given) + " bytes are not allowed; at least " +
         std::to_string(needed);
}

}  // namespace

SortScratch::SortScratch(std::span<std::byte> given, const Areas& areas) {
  const std::size_t needed = bytes_for(areas);
  if (!given.empty() && given.size() < needed) {
    throw std::invalid_argument(too_few(given.size(), needed));
  }
  std::byte* memory = given.empty() ? own(needed) : given.data();
  const std::size_t over = reinterpret_cast<std::uintptr_t>(memory) % kCacheLine;
  base_ = memory + (over == 0 ? 0 : kCacheLine - over);
  for (std::size_t i = 1; i < areas.size(); ++i) {
    offsets_[i] = offsets_[i - 1] + whole_lines(areas[i - 1]);
  }
}

std::byte* SortScratch::own(std::size_t bytes) {
  if (bytes <= kSmallBytes) {
    small_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    return small_.get();
  }
  large_ = take_kept(bytes);
  if (large_.data() == nullptr) {
    large_ = PlacedBuffer(bytes);
    cold_ = large_.memory();
  }
  return large_.data();
}

SortScratch::~SortScratch() {
  if (large_.bytes() > 0 && large_.bytes() <= kKeptScratchBytes) keep(large_);
}

}  // namespace postroom::sorting
