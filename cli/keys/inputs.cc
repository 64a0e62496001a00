#include "cli/keys/inputs.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>

namespace postroom::cli {
namespace {

constexpr std::size_t kFirstStreamBytes = std::size_t{16} << 20;

/// Whether so many files may be open at once beside those of the rest. Raises the limit as far as
/// an ordinary user may where that is needed.
bool may_be_open(std::size_t files) {
  constexpr std::size_t kOthers = 64;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || files + kOthers <= limit.rlim_cur) return true;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 && files + kOthers <= limit.rlim_cur;
}

}  // namespace

Inputs::Inputs(const std::vector<std::string>& paths, const KeyFormat& format) : format_(format) {
  const Input::Open open =
      may_be_open(paths.size()) ? Input::Open::kToTheEnd : Input::Open::kWhileRead;
  for (const std::string& path : paths) {
    const Input& input = inputs_.emplace_back(path, open);
    if (!format.text && input.size()) records_in(*input.size(), format, input.name());
  }
  begins_.push_back({inputs_.front().name(), 0});
}

std::string Inputs::name() const {
  return inputs_.size() == 1 ? inputs_.front().name() : fmt::format("{} files", inputs_.size());
}

std::optional<std::uint64_t> Inputs::size() const {
  std::uint64_t sum = 0;
  for (const Input& input : inputs_) {
    if (!input.is_file() && !input.is_empty()) return std::nullopt;
    sum += *input.size();
  }
  return sum;
}

const Input* Inputs::overwritten_by(const Output& output) const {
  const auto found = std::ranges::find_if(
      inputs_, [&](const Input& input) { return input.id() && output.leads_to(*input.id()); });
  return found != inputs_.end() ? &*found : nullptr;
}

std::size_t Inputs::read(std::span<std::byte> place, Progress& progress) {
  std::size_t done = 0;
  while (done < place.size() && !at_end()) done += read_current(place.subspan(done), progress);
  return done;
}

void Inputs::read_at(std::uint64_t position, std::span<std::byte> place) const {
  std::uint64_t begin = 0;  // of the input in all
  for (const Input& input : inputs_) {
    const std::uint64_t end = begin + *input.size();
    if (position < end && !place.empty()) {
      const auto piece = place.first(std::min<std::uint64_t>(place.size(), end - position));
      input.read_at(position - begin, piece);
      place = place.subspan(piece.size());
      position += piece.size();
    }
    begin = end;
  }
}

bool Inputs::all_end_lines() const {
  return std::all_of(inputs_.begin(), inputs_.end() - 1, [](const Input& input) {
    if (input.is_empty()) return true;
    std::byte last{};
    input.read_at(*input.size() - 1, std::span(&last, 1));
    return last == std::byte{'\n'};
  });
}

std::size_t Inputs::read_current(std::span<std::byte> place, Progress& progress) {
  Input& input = inputs_[current_];
  std::size_t got = input.at_end() ? 0 : input.read(place, progress);
  bytes_read_ += got;
  current_bytes_ += got;
  if (got > 0) in_line_ = format_.text && place[got - 1] != std::byte{'\n'};
  if (input.at_end() && in_line_ && got < place.size()) {
    place[got++] = std::byte{'\n'};
    in_line_ = false;
  }
  place_ += got;
  if (input.at_end() && !in_line_) end_current();
  return got;
}

void Inputs::end_current() {
  if (!format_.text) records_in(current_bytes_, format_, inputs_[current_].name());
  current_bytes_ = 0;
  ++current_;
  if (!at_end()) begins_.push_back({inputs_[current_].name(), place_});
}

Buffer Inputs::read_up_to(std::uint64_t most_bytes, Progress& progress) {
  // What is put behind lines takes a byte for each input; one more shows the end of the last.
  const std::uint64_t told = size().value_or(0) + inputs_.size();
  progress.begin("reading", size().value_or(0));
  Buffer buffer(std::min<std::uint64_t>(size() ? told : kFirstStreamBytes, most_bytes));
  if (size()) buffer.touch();
  std::size_t done = 0;
  for (;;) {
    done += read(buffer.bytes().subspan(done), progress);
    if (at_end() || done == most_bytes) break;
    // Memory is taken when it is written to, so a buffer that is too large costs nothing.
    buffer.resize(std::min<std::uint64_t>(2 * buffer.size(), most_bytes));
  }
  buffer.resize(done);
  return buffer;
}

std::uint64_t LineNamer::pass(std::string_view text, std::uint64_t lines) {
  const std::uint64_t first_line = lines_;
  std::uint64_t counted = 0;  // bytes of `text`
  for (; named_ < inputs_.begins().size(); ++named_) {
    const Inputs::Begin& input = inputs_.begins()[named_];
    if (input.place >= bytes_ + text.size()) break;
    const std::uint64_t begin = input.place - bytes_;
    const std::string_view before = text.substr(counted, begin - counted);
    lines_ += static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
    counted = begin;
    names_.add(input.name, lines_);
  }
  bytes_ += text.size();
  lines_ = first_line + lines;
  return first_line;
}

}  // namespace postroom::cli
