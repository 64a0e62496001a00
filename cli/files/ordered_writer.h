// Pieces of text that threads make at the same time and that are written in their order.
//
// A pipeline of oneTBB: a few pieces are in the making while the earlier ones are written, so the
// disk or the pipe and the processors work at once. Memory: a few pieces' room. An exception, of
// the maker or of the sink, ends all and reaches the caller.
//
//   write_in_order(output, pieces, [&](std::size_t piece, std::vector<char>& room) {
//     room.resize(most_characters);
//     return print(piece, room);   // how many characters it holds
//   });
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cli/files/byte_sink.h"

namespace postroom::cli {

/// Makes the piece of that number at the beginning of `room`, which it may enlarge and which holds
/// leavings of other pieces; returns the piece's length.
using MakePiece = std::function<std::size_t(std::size_t piece, std::vector<char>& room)>;

/// Writes the pieces 0 … pieces-1 to `sink`.
void write_in_order(ByteSink& sink, std::size_t pieces, const MakePiece& make);

}  // namespace postroom::cli
