// A loser tree: which of many rows, each in order, has the smallest first key.
//
// Each inner node remembers who lost there; when the winner's key changes, only the way from its
// leaf to the root is played again: log2(rows) comparisons for each record that is merged. Among
// equal keys the row with the smaller number wins, so merging by it is stable.
//
// Source: Knuth, The Art of Computer Programming, vol. 3, section 5.4.1. Memory: two keys
// and two numbers a row, of which there are a power of two.
//
//   LoserTree<std::uint64_t> tree(rows);
//   for (std::size_t row = 0; row < rows; ++row) tree.enter(row, first_key(row));
//   for (tree.start(); !tree.empty();) …   // takes from tree.row(); then next(key) or end_row()
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace postroom::sorting {

template <class Key>
class LoserTree {
 public:
  /// Fewer than 2^31 rows. A row that does not enter is empty. No key is larger than `largest`.
  explicit LoserTree(std::size_t rows, Key largest = std::numeric_limits<Key>::max())
      : leaves_(std::bit_ceil(rows < 2 ? std::size_t{2} : rows)),
        largest_(std::move(largest)),
        nodes_(leaves_) {
    entrants_.reserve(leaves_);
    for (std::size_t row = 0; row < leaves_; ++row) entrants_.push_back(ended(row));
  }

  void enter(std::size_t row, Key key) {
    entrants_[row] = {std::move(key), static_cast<std::uint32_t>(row)};
    ++live_;
  }
  /// After all have entered.
  void start() { winner_ = play(1); }

  bool empty() const noexcept { return live_ == 0; }
  /// The row with the smallest key, and the key. Precondition: !empty().
  std::size_t row() const noexcept { return winner_.rank; }
  const Key& key() const noexcept { return winner_.key; }

  /// The key of that row is now this one.
  void next(Key key) { replay({std::move(key), winner_.rank}, winner_.rank); }
  /// That row has no more.
  void end_row() {
    --live_;
    replay(ended(winner_.rank), winner_.rank);
  }

 private:
  struct Entrant {
    Key key{};
    std::uint32_t rank = 0;  // the row; of one that has ended, behind all that have not

    bool beats(const Entrant& other) const noexcept {
      return key < other.key || (key == other.key && rank < other.rank);
    }
  };

  Entrant ended(std::size_t row) const {
    return {largest_, static_cast<std::uint32_t>(leaves_ + row)};
  }

  // The winner below `node`; the losers stay behind.
  Entrant play(std::size_t node) {
    if (node >= leaves_) return entrants_[node - leaves_];
    Entrant left = play(2 * node);
    Entrant right = play(2 * node + 1);
    if (right.beats(left)) std::swap(left, right);
    nodes_[node] = right;
    return left;
  }

  void replay(Entrant entrant, std::size_t row) {
    for (std::size_t node = (leaves_ + row) / 2; node > 0; node /= 2) {
      Entrant& held = nodes_[node];
      const bool loses = held.beats(entrant);
      const Entrant loser = loses ? entrant : held;
      entrant = loses ? held : entrant;
      held = loser;
    }
    winner_ = entrant;
  }

  std::size_t leaves_;
  Key largest_;
  std::vector<Entrant> nodes_;     // of node 1 on: who lost there
  std::vector<Entrant> entrants_;  // before the start
  Entrant winner_;
  std::size_t live_ = 0;  // rows that still have records
};

}  // namespace postroom::sorting
