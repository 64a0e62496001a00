#include "collectives/algorithms/alltoall_tiled.h"

#include <vector>

#include "collectives/models/shared_times.h"
#include "collectives/parts/borrow.h"
#include "collectives/parts/counted_on.h"
#include "runtime/copy.h"

namespace postroom {
namespace {

/// Who copies what. All numbers are of processors.
struct Tiling {
  explicit Tiling(int p) {
    for (int divisor = 1; divisor * divisor <= p; ++divisor) {
      if (p % divisor == 0) row_groups = divisor;
    }
    column_groups = p / row_groups;
  }

  /// The processor that copies from the lists of row group `g` to those of column group `k`.
  int copier(int g, int k) const { return g * column_groups + k; }
  int row_group_of(int row) const { return row / column_groups; }
  int column_group_of(int column) const { return column / row_groups; }
  int first_row(int processor) const { return row_group_of(processor) * column_groups; }
  int first_column(int processor) const { return processor % column_groups * row_groups; }
  int rows() const { return column_groups; }  // of a tile
  int columns() const { return row_groups; }

  int row_groups = 1;
  int column_groups = 1;
};

/// To each copier of the blocks that this processor sends: those; then, to each copier of the
/// blocks that it receives: their places.
std::vector<Pending> lend_lists(Processor& self, const Tiling& tiling, ConstBytes send,
                                Bytes receive, const Blocks& blocks, Where where) {
  const int me = self.id();
  std::vector<Pending> lent;
  for (int k = 0; k < tiling.column_groups; ++k) {
    const int copier = tiling.copier(tiling.row_group_of(me), k);
    if (copier == me) continue;
    lent.push_back(self.lend_bytes(
        copier, blocks.of(send, tiling.first_column(copier), tiling.columns()), where));
  }
  for (int g = 0; g < tiling.row_groups; ++g) {
    const int copier = tiling.copier(g, tiling.column_group_of(me));
    if (copier == me) continue;
    lent.push_back(self.lend_bytes(
        copier, blocks.of(receive, tiling.first_row(copier), tiling.rows()), where));
  }
  return lent;
}

}  // namespace

void alltoall_tiled(Processor& self, ConstBytes send, Bytes receive, const Blocks& blocks,
                    Where where) {
  const Tiling tiling(self.count());
  const int me = self.id();
  const int first_row = tiling.first_row(me);
  const int first_column = tiling.first_column(me);
  std::vector<Pending> lent = lend_lists(self, tiling, send, receive, blocks, where);

  // Given back before what was lent is waited for, also where an exception comes by.
  std::vector<Borrowed> borrowed(static_cast<std::size_t>(tiling.rows() + tiling.columns()));
  CountedOn counted_on(self, where);
  std::vector<ConstBytes> sources;
  auto next = borrowed.begin();
  for (int row = first_row; row < first_row + tiling.rows(); ++row) {
    const ConstBytes mine = blocks.of(send, first_column, tiling.columns());
    if (row != me) *next = borrow_exactly(self, row, mine.size(), where);
    sources.push_back(row != me ? next++->bytes() : mine);
  }
  for (int column = first_column; column < first_column + tiling.columns(); ++column) {
    const Bytes mine = blocks.of(receive, first_row, tiling.rows());
    if (column != me) *next = borrow_exactly(self, column, mine.size(), where);
    const Bytes target = column != me ? writable(*next++) : mine;
    const std::size_t bytes = blocks.bytes(column);
    for (std::size_t row = 0; row < sources.size(); ++row) {
      push_memory(target.data() + row * bytes,
                  sources[row].data() + static_cast<std::size_t>(column - first_column) * bytes,
                  bytes, receive.size());
    }
  }
  counted_on.end();
  for (Borrowed& loan : borrowed) loan.give_back();
  for (Pending& loan : lent) loan.wait();
}

Cost alltoall_tiled_cost(int processors, std::int64_t block_bytes) {
  const Tiling tiling(processors);
  const std::int64_t to_rows = tiling.column_groups - 1;
  // Nobody else copies a list of its own column group where that is its own tile.
  const std::int64_t to_columns = tiling.row_groups == 1 ? 0 : tiling.row_groups;
  return to_rows * Cost::round(tiling.columns() * block_bytes) +
         to_columns * Cost::round(tiling.rows() * block_bytes);
}

double alltoall_tiled_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  const Tiling tiling(processors);
  return shared_loans_time(tiling.rows() + tiling.columns() - 1,
                           static_cast<double>(processors) * static_cast<double>(block_bytes),
                           model);
}

}  // namespace postroom
