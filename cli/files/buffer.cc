#include "cli/files/buffer.h"

#include <sys/mman.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>
#include <utility>

#include "numa/memory.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::size_t whole_pages(std::size_t bytes) {
  return round_up(bytes, bytes < kHugePageBytes ? kPageBytes : kHugePageBytes);
}

}  // namespace

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, mapped_bytes_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  return *this;
}

void Buffer::resize(std::size_t bytes) {
  const std::size_t wanted = whole_pages(bytes);
  if (wanted < bytes) throw std::bad_alloc();
  if (wanted != mapped_bytes_) {
    void* memory = nullptr;
    if (wanted == 0) {
      munmap(data_, mapped_bytes_);
    } else if (data_ == nullptr) {
      memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } else {
      memory = mremap(data_, mapped_bytes_, wanted, MREMAP_MAYMOVE);
    }
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(memory);
    mapped_bytes_ = wanted;
    // A hint; without huge pages everything works, only slower.
    if (wanted >= kHugePageBytes) madvise(data_, mapped_bytes_, MADV_HUGEPAGE);
  }
  size_ = bytes;
}

void Buffer::touch() const {
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t share = whole_pages(size_ / threads + 1);
  tbb::parallel_for(std::size_t{0}, threads, [&](std::size_t i) {
    if (i * share >= size_) return;
    touch_pages(bytes().subspan(i * share, std::min(share, size_ - i * share)));
  });
}

std::size_t buffer_bytes_within(std::size_t bytes) {
  return bytes < kHugePageBytes ? bytes : bytes / kHugePageBytes * kHugePageBytes;
}

}  // namespace postroom::cli
