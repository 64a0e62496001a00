#include "collectives/parts/framed_blocks.h"

#include <cstring>
#include <string>

#include "collectives/parts/arguments.h"
#include "runtime/errors.h"

namespace postroom {
namespace {

std::string at(const Where& where) {
  return std::string(" (") + where.file_name() + ':' + std::to_string(where.line()) + ')';
}

}  // namespace

void put_frame(ConstBytes block, Bytes& rest) noexcept {
  const std::uint64_t size = block.size();
  std::memcpy(rest.data(), &size, kFrameBytes);
  rest = rest.subspan(kFrameBytes);
  put_frames(block, rest);
}

void put_frames(ConstBytes frames, Bytes& rest) noexcept {
  copy_bytes(frames, rest.first(frames.size()));
  rest = rest.subspan(frames.size());
}

ConstBytes FrameReader::next() {
  std::uint64_t size = 0;
  if (rest_.size() < kFrameBytes) throw_wrong_end();
  std::memcpy(&size, rest_.data(), kFrameBytes);
  rest_ = rest_.subspan(kFrameBytes);
  if (rest_.size() < size) throw_wrong_end();
  const ConstBytes block = rest_.first(size);
  rest_ = rest_.subspan(size);
  return block;
}

ConstBytes FrameReader::next(int owner, std::size_t bytes) {
  const ConstBytes block = next();
  if (block.size() == bytes) return block;
  throw SizeMismatchError(std::string(operation_) + ": the block of processor " +
                          std::to_string(owner) + " has " + std::to_string(block.size()) +
                          " bytes, but " + std::to_string(bytes) + " are needed" + at(where_));
}

ConstBytes FrameReader::next_frames(int count) {
  const ConstBytes before = rest_;
  for (int i = 0; i < count; ++i) (void)next();
  return before.first(before.size() - rest_.size());
}

void FrameReader::end() const {
  if (!rest_.empty()) throw_wrong_end();
}

void FrameReader::throw_wrong_end() const {
  throw SizeMismatchError(std::string(operation_) + ": blocks from processor " +
                          std::to_string(source_) +
                          ": the message has more or fewer than are needed" + at(where_));
}

}  // namespace postroom
