#include "sort/scratch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "numa/cacheline.h"
#include "numa/once.h"
#include "numa/topology.h"
#include "runtime/turn.h"

namespace postroom {
namespace sorting {
namespace {

constexpr std::size_t kSmallBytes = std::size_t{32} << 10;

// What is kept between sorts. No sort waits for its turn, which some other thread may have had when
// this process was forked off.
struct Kept {
  Turn<> turn;
  PlacedBuffer buffer;
};

Kept& kept() {
  static constinit MadeOnce<Kept> instance;
  return instance.get();
}

// The box is only looked at where that matters: it takes a millisecond or so, once.
bool is_kept(std::size_t bytes) {
  if (bytes <= kKeptOnNodesBytes) return true;
  return bytes <= kOfferedScratchBytes &&
         is_kept_on(Topology::this_machine_once()->nodes_near_leaves(), bytes);
}

// The kept buffer, or an empty one. One that is too small is freed, outside the lock: it would come
// on top of the larger one.
PlacedBuffer take_kept(std::size_t bytes) {
  PlacedBuffer buffer;
  {
    const std::unique_lock lock(kept().turn, std::try_to_lock);
    if (lock) std::swap(buffer, kept().buffer);
  }
  return buffer.bytes() < bytes ? PlacedBuffer() : std::move(buffer);
}

// Keeps the larger one; the other is freed by the caller's destructor, outside the lock. `used` of
// its bytes may have been written.
void keep(PlacedBuffer& buffer, std::size_t used) {
  if (used > kKeptScratchBytes) {
    offer_pages(buffer.memory().subspan(kKeptScratchBytes, used - kKeptScratchBytes));
  }
  const std::unique_lock lock(kept().turn, std::try_to_lock);
  if (lock && buffer.bytes() > kept().buffer.bytes()) std::swap(buffer, kept().buffer);
}

std::string too_few(std::size_t given, std::size_t needed) {
  return "scratch: " + std::to_string(given) + " bytes are not allowed; at least " +
         std::to_string(needed);
}

}  // namespace

void check_scratch(std::span<const std::byte> given, const Areas& areas) {
  const std::size_t needed = bytes_for(areas);
  if (!given.empty() && given.size() < needed) {
    throw std::invalid_argument(too_few(given.size(), needed));
  }
}

SortScratch::SortScratch(std::span<std::byte> given, const Areas& areas) {
  check_scratch(given, areas);
  std::byte* memory = given.empty() ? own(bytes_for(areas)) : given.data();
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
  } else if (bytes > kKeptScratchBytes) {
    cold_ = large_.memory().first(bytes).subspan(kKeptScratchBytes);
  }
  if (is_kept(large_.bytes())) used_ = bytes;
  return large_.data();
}

std::span<std::byte> SortScratch::cold_from(std::size_t i) const noexcept {
  if (cold_.empty()) return {};
  const std::ptrdiff_t before = area(i) - cold_.data();
  return cold_.subspan(std::clamp<std::ptrdiff_t>(before, 0, std::ssize(cold_)));
}

SortScratch::~SortScratch() {
  if (used_ > 0) keep(large_, used_);
}

}  // namespace sorting

void free_kept_scratch() {
  PlacedBuffer freed;  // outside the lock
  auto& [turn, buffer] = sorting::kept();
  if (turn.is_inherited()) return;  // nobody will ever be through with it
  const std::lock_guard lock(turn);
  std::swap(freed, buffer);
}

}  // namespace postroom
