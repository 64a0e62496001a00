#include "collectives/parts/circulant_schedule.h"

#include <algorithm>
#include <utility>

#include "collectives/models/cost.h"
#include "collectives/parts/kept_last.h"
#include "numa/once.h"

namespace postroom {
namespace {

/// The block that the root sends first on the way to `processor`: the least skip of the sum of
/// different skips, taken from the largest on, that leads there; q for the root.
int first_block(const std::vector<int>& skips, int processor) {
  const int q = static_cast<int>(skips.size()) - 1;
  for (int k = q - 1; k >= 0 && processor > 0; --k) {
    const int skip = skips[static_cast<std::size_t>(k)];
    if (processor == skip) return k;
    if (processor > skip) processor -= skip;
  }
  return q;
}

// For each round k, the search finds the processor nearest below the sender (the one skip(k)
// before) and no nearer than the sender of the next round whose first block is not yet taken: that
// block the sender has by then. It goes through the sums of skips in decreasing order, so that what
// was found for one round bounds what can be found for the next.
class ReceiveSearch {
 public:
  // Counting from p + processor, so that senders before the root come out right.
  ReceiveSearch(const std::vector<int>& skips, int processor)
      : skips_(skips),
        q_(static_cast<int>(skips.size()) - 1),
        target_(skips.back() + processor),
        below_(2 * skips.back()),
        next_(skips.size() + 1),
        previous_(skips.size() + 1),
        found_(static_cast<std::size_t>(q_)) {
    // A list of the skips that are left, from the largest on; its head is one above the largest.
    for (int e = 0; e <= q_ + 1; ++e) {
      next_[at(e)] = e - 1;
      previous_[at(e)] = e + 1;
    }
    const int first = first_block(skips, processor);
    take(first);
    descend(0, next_[at(q_ + 1)]);
    for (int& block : found_) block = block == q_ ? first : block - q_;
  }

  std::vector<int> found() && { return std::move(found_); }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  void take(int e) {
    next_[at(previous_[at(e)])] = next_[at(e)];
    if (next_[at(e)] >= 0) previous_[at(next_[at(e)])] = previous_[at(e)];
  }
  /// The nearest that still is a sender of round `round_`.
  int nearest() const { return target_ - skips_[at(round_)]; }
  /// From here on it is a sender of the next round.
  int sender_after() const { return target_ - skips_[at(round_ + 1)]; }

  // `reached` is the sum so far; skip e and smaller ones may be added.
  void descend(int reached, int e) {
    for (; e >= 0 && round_ < q_; e = next_[at(e)]) {
      const int further = reached + skips_[at(e)];
      if (further > nearest() || further >= below_) continue;
      if (further <= sender_after()) {
        descend(further, next_[at(e)]);
        if (round_ == q_) return;
      }
      if (reached > sender_after()) return;
      below_ = further;
      found_[at(round_)] = e;
      ++round_;
      take(e);
    }
  }

  const std::vector<int>& skips_;
  int q_;
  int target_;
  int below_;
  int round_ = 0;
  std::vector<int> next_;
  std::vector<int> previous_;
  std::vector<int> found_;
};

std::vector<int> make_receives_of_all(int processors) {
  const std::vector<int> skips = circulant_skips(processors);
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(processors) * (skips.size() - 1));
  for (int processor = 0; processor < processors; ++processor) {
    const std::vector<int> receives = circulant_receives(skips, processor);
    all.insert(all.end(), receives.begin(), receives.end());
  }
  return all;
}

}  // namespace

std::vector<int> circulant_skips(int processors) {
  std::vector<int> skips(static_cast<std::size_t>(doubling_rounds(processors)) + 1, processors);
  for (std::size_t k = skips.size() - 1; k-- > 0;) skips[k] = (skips[k + 1] + 1) / 2;
  return skips;
}

std::vector<int> circulant_receives(const std::vector<int>& skips, int processor) {
  return ReceiveSearch(skips, processor).found();
}

std::shared_ptr<const std::vector<int>> circulant_receives_of_all(int processors) {
  static constinit MadeOnce<KeptLast<int, std::vector<int>>> kept;
  return kept.get().get(processors, [&] { return make_receives_of_all(processors); });
}

// From the largest skip down, the processor lies in a part of `size` processors whose first one is
// known to send `block` in this round. Those in front of the skip send what the first one sends,
// those behind it form a part of their own, whose first one has got block k - q from the phase
// before. Only where a part is cut off by p can a receiver have that block already, and then it
// says itself what it receives.
std::vector<int> circulant_sends(const std::vector<int>& skips, int processor) {
  const int processors = skips.back();
  const int q = static_cast<int>(skips.size()) - 1;
  std::vector<int> sends(static_cast<std::size_t>(q));
  const int first = first_block(skips, processor);
  int place = processor;  // in its part
  int size = processors;
  int block = first;
  for (int k = q - 1; k >= 0; --k) {
    const auto at = static_cast<std::size_t>(k);
    const int skip = skips[at];
    const int next_skip = k > 0 ? skips[at - 1] : 0;
    const bool behind = place >= skip;
    bool plain = true;
    if (processor == 0) {
      block = k;
    } else if (k == 0) {
      block = first - q;
    } else if (behind) {
      block = k - q;
      plain = k == 1 || place > skip || size - skip < next_skip;
    } else {
      plain = place + skip < size || size < next_skip || (k == 1 && first > 0);
    }
    sends[at] = plain ? block : circulant_receives(skips, (processor + skip) % processors)[at];
    if (behind) place -= skip;
    size = behind ? size - skip : std::min(size, skip);
  }
  return sends;
}

CirculantRounds::CirculantRounds(int processors, int blocks)
    : phase_(doubling_rounds(processors)),
      blocks_(blocks),
      rounds_(blocks - 1 + phase_),
      before_((phase_ - rounds_ % phase_) % phase_) {}

int CirculantRounds::block(int round, int relative) const {
  const int block = relative + (round + before_) / phase_ * phase_ - before_;
  return std::min(block, blocks_ - 1);
}

}  // namespace postroom
