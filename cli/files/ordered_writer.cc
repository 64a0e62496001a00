#include "cli/files/ordered_writer.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <span>

namespace postroom::cli {
namespace {

struct Piece {
  std::size_t number = 0;
  std::size_t length = 0;
  std::vector<char> room;
};

/// As many as the box has, or as the program allows itself.
std::size_t threads_at_work() {
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(allowed, static_cast<std::size_t>(tbb::info::default_concurrency()));
}

}  // namespace

void write_in_order(ByteSink& sink, std::size_t pieces, const MakePiece& make) {
  const std::size_t in_flight = 3 * threads_at_work();
  // Pieces leave in order, so when piece k comes, piece k - in_flight has been written.
  std::vector<Piece> rooms(in_flight);
  std::size_t next = 0;

  const auto take = [&](tbb::flow_control& control) -> Piece* {
    if (next == pieces) {
      control.stop();
      return nullptr;
    }
    Piece* const piece = &rooms[next % in_flight];
    piece->number = next++;
    return piece;
  };
  const auto fill = [&](Piece* piece) {
    piece->length = make(piece->number, piece->room);
    return piece;
  };
  const auto write = [&](Piece* piece) {
    sink.write(std::as_bytes(std::span(piece->room)).first(piece->length));
  };
  tbb::parallel_pipeline(
      in_flight, tbb::make_filter<void, Piece*>(tbb::filter_mode::serial_in_order, take) &
                     tbb::make_filter<Piece*, Piece*>(tbb::filter_mode::parallel, fill) &
                     tbb::make_filter<Piece*, void>(tbb::filter_mode::serial_in_order, write));
}

}  // namespace postroom::cli
