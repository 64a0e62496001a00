#include "cli/sort/usual_text.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/keys/lines.h"
#include "cli/keys/text_numbers.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
// The longest usual line with its '\n'. What ends in a piece begins in it, or so far before.
constexpr std::size_t kMostLineBytes = 21;
// So much is looked at before all is read.
constexpr std::size_t kLookedAtBytes = std::size_t{1} << 16;

/// One piece of the text: the lines whose ends are in it.
struct Piece {
  std::size_t first_line = 0;
  std::size_t lines = 0;
  UsualNumbers numbers{};
  Fingerprint fingerprint{};
};

class UsualText {
 public:
  UsualText(const Inputs& inputs, std::uint64_t bytes)
      : inputs_(inputs), bytes_(bytes), pieces_(ceil_divide(bytes, kPieceBytes)) {}

  std::size_t lines() const noexcept { return lines_; }

  void count(Progress& progress) {
    for_pieces([&](std::size_t i, std::string_view text, std::size_t begin) {
      const std::string_view own = text.substr(begin);
      pieces_[i].lines = static_cast<std::size_t>(std::ranges::count(own, '\n'));
      if (i + 1 == pieces_.size() && own.back() != '\n') ++pieces_[i].lines;
      progress.advance(own.size());
    });
    for (Piece& piece : pieces_) {
      piece.first_line = lines_;
      lines_ += piece.lines;
    }
  }

  /// False when some line is not usual, or not the same as when it was counted.
  bool parse(std::span<std::uint64_t> keys, bool fingerprint, Progress& progress) {
    std::atomic<bool> usual{true};
    for_pieces([&](std::size_t i, std::string_view text, std::size_t begin) {
      // Relaxed: only saves work, and is looked at again when all have ended.
      if (!usual.load(std::memory_order_relaxed)) return;
      if (!parse_piece(pieces_[i], lines_of(text, begin, i), keys, fingerprint)) {
        usual.store(false, std::memory_order_relaxed);  // relaxed: as above
      }
      progress.advance(text.size() - begin);
    });
    // Relaxed: all have ended.
    return usual.load(std::memory_order_relaxed) && !(any_negative() && any_above_signed());
  }

  bool any_above_signed() const {
    return std::ranges::any_of(pieces_, [](const Piece& p) { return p.numbers.above_signed; });
  }

  Fingerprint fingerprint() const {
    Fingerprint sum;
    for (const Piece& piece : pieces_) sum += piece.fingerprint;
    return sum;
  }

 private:
  bool any_negative() const {
    return std::ranges::any_of(pieces_, [](const Piece& p) { return p.numbers.negative; });
  }

  /// Calls use(number, text, begin) for each piece, in parallel: its own text is from `begin` on,
  /// and before that stands as much as a line may be long.
  template <class Use>
  void for_pieces(const Use& use) const {
    using Range = tbb::blocked_range<std::size_t>;
    tbb::parallel_for(Range(0, pieces_.size()), [&](const Range& range) {
      std::vector<char> room(kMostLineBytes + kPieceBytes);
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        const std::uint64_t begin = i * kPieceBytes;
        const std::uint64_t end = std::min<std::uint64_t>(begin + kPieceBytes, bytes_);
        const std::size_t before = std::min<std::uint64_t>(begin, kMostLineBytes);
        const auto text = std::span(room).first(before + (end - begin));
        inputs_.read_at(begin - before, std::as_writable_bytes(text));
        use(i, std::string_view(text.data(), text.size()), before);
      }
    });
  }

  /// Those whose ends are in the piece, whole. The first begins behind the last end before it;
  /// where none is to be seen, it is too long and as good as cut.
  std::string_view lines_of(std::string_view text, std::size_t begin, std::size_t i) const {
    if (i > 0) {
      const std::size_t first = text.rfind('\n', begin - 1) + 1;  // npos + 1 is 0
      text.remove_prefix(first);
    }
    return i + 1 == pieces_.size() ? text : whole_lines(text);
  }

  static bool parse_piece(Piece& piece, std::string_view text, std::span<std::uint64_t> keys,
                          bool fingerprint) {
    piece.numbers = parse_usual_numbers(text, keys.subspan(piece.first_line, piece.lines));
    if (fingerprint) piece.fingerprint = fingerprint_of_lines(text, chunk_lines(text));
    return piece.numbers.all && piece.numbers.lines == piece.lines;
  }

  const Inputs& inputs_;
  std::uint64_t bytes_;
  std::vector<Piece> pieces_;
  std::size_t lines_ = 0;
};

}  // namespace

std::optional<std::uint64_t> guess_usual_lines(const Inputs& inputs) {
  const std::uint64_t bytes = inputs.size().value_or(0);
  if (bytes == 0 || !inputs.all_end_lines()) return std::nullopt;
  std::vector<char> room(std::min<std::uint64_t>(bytes, kLookedAtBytes));
  inputs.read_at(0, std::as_writable_bytes(std::span(room)));
  std::string_view text(room.data(), room.size());
  if (room.size() < bytes) text = whole_lines(text);
  std::vector<std::uint64_t> keys(text.size());
  const UsualNumbers numbers = parse_usual_numbers(text, keys);
  if (!numbers.all || text.empty()) return std::nullopt;
  return numbers.lines * (bytes / text.size());
}

std::optional<LoadedKeys> load_usual_text(const Inputs& inputs, std::uint64_t memory_bytes,
                                          bool fingerprint, Progress& progress, Stopwatch& time) {
  const std::uint64_t bytes = inputs.size().value_or(0);
  const auto suffices = [&](std::uint64_t lines) {
    return memory_for(lines, integers(/*is_unsigned=*/false)) <= memory_bytes;
  };
  if (!suffices(bytes / kMostLineBytes)) return std::nullopt;
  const std::optional<std::uint64_t> guess = guess_usual_lines(inputs);
  // The guess may be too high.
  if (!guess || !suffices(*guess / 8 * 7)) return std::nullopt;
  progress.begin("reading", 2 * bytes);
  UsualText text(inputs, bytes);
  text.count(progress);
  time.lap("count");
  if (!suffices(text.lines())) return std::nullopt;
  Buffer keys(text.lines() * sizeof(std::uint64_t));
  keys.touch();
  const bool usual = text.parse(keys.as<std::uint64_t>(), fingerprint, progress);
  time.lap("parse");
  if (!usual) return std::nullopt;
  LoadedKeys loaded;
  loaded.spelling = LoadedKeys::Spelling::kPrinted;
  loaded.layout = integers(text.any_above_signed(), sizeof(std::uint64_t));
  loaded.records = std::move(keys);
  if (fingerprint) loaded.fingerprint = text.fingerprint();
  return loaded;
}

}  // namespace postroom::cli
