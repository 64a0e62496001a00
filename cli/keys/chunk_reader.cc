#include "cli/keys/chunk_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cli/common/failure.h"
#include "cli/common/units.h"
#include "cli/keys/lines.h"

namespace postroom::cli {
namespace {

/// The end of the first `most` lines; the end of the text where there are fewer.
std::size_t end_of_lines(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < most && end < text.size(); ++line) {
    end = std::min(line_end(text, end) + 1, text.size());
  }
  return end;
}

}  // namespace

ChunkReader::ChunkReader(Inputs& inputs, const KeyFormat& format, Buffer pending)
    : inputs_(inputs), format_(format), pending_(std::move(pending)), namer_(inputs) {}

bool ChunkReader::next(Chunk& chunk, const ChunkLimits& limits, Progress& progress) {
  const std::size_t record = format_.text ? 1 : format_.record_bytes;
  const std::size_t most = std::max(limits.bytes / record, std::size_t{1}) * record;
  chunk.bytes.resize(most);
  std::size_t got = fill(chunk.bytes.bytes(), progress);
  while (format_.text && got == chunk.bytes.size() && got < limits.longest &&
         characters(chunk.bytes.bytes()).find('\n') == std::string_view::npos) {
    chunk.bytes.resize(std::min(2 * got, limits.longest));
    got += fill(chunk.bytes.bytes().subspan(got), progress);
  }
  chunk.bytes.resize(got);
  if (got == 0 || !format_.text) return got > 0;
  const std::size_t whole = whole_lines(characters(chunk.bytes.bytes()), limits);
  carry(chunk.bytes.bytes().subspan(whole));
  chunk.bytes.resize(whole);
  const std::string_view text = characters(chunk.bytes.bytes());
  chunk.lines.chunks = chunk_lines(text);
  chunk.lines.first_line = namer_.pass(text, chunk.lines.chunks.lines);
  chunk.lines.names = namer_.names();
  lines_ += chunk.lines.chunks.lines;
  return true;
}

std::size_t ChunkReader::fill(std::span<std::byte> place, Progress& progress) {
  std::size_t done = 0;
  const auto take = [&](std::span<const std::byte> from) {
    const std::size_t some = std::min(from.size(), place.size() - done);
    if (some > 0) std::memcpy(place.data() + done, from.data(), some);
    done += some;
    return some;
  };
  const std::size_t carried = take(carried_.bytes());
  if (carried == carried_.size()) {
    carried_ = Buffer();
  } else {
    carry(carried_.bytes().subspan(carried));
    return done;
  }
  pending_begin_ += take(pending_.bytes().subspan(pending_begin_));
  if (pending_bytes() == 0) {
    pending_ = Buffer();
    pending_begin_ = 0;
  }
  if (done < place.size()) done += inputs_.read(place.subspan(done), progress);
  return done;
}

std::size_t ChunkReader::whole_lines(std::string_view text, const ChunkLimits& limits) const {
  std::size_t end = text.size();
  if (!at_end()) {
    const std::size_t last = text.rfind('\n');
    if (last == std::string_view::npos) {
      LineNamer namer = namer_;
      namer.pass(text, 1);
      throw UsageError(fmt::format("{} is longer than {}, which is all there is for it",
                                   namer.names()(lines_),
                                   readable_bytes(std::max(limits.bytes, limits.longest))));
    }
    end = last + 1;
  }
  if (limits.lines >= end) return end;  // no line is shorter than its end
  return end_of_lines(text.substr(0, end), limits.lines);
}

void ChunkReader::carry(std::span<const std::byte> rest) {
  Buffer copy(rest.size());
  if (!rest.empty()) std::memcpy(copy.bytes().data(), rest.data(), rest.size());
  carried_ = std::move(copy);
}

}  // namespace postroom::cli
