#include "collectives/models/alpha_table.h"

#include <algorithm>

namespace postroom {
namespace {

Rational part(std::int64_t halves, std::int64_t processors) {
  return Rational(halves, 2 * processors);
}

/// round() may fall below 1 and reach n, and is then put right: a split of 1 has no least α above
/// 0, one of n - 1 no bound below 1.
AlphaRange range_of(std::int64_t processors, PostalModel::Split split) {
  return {split.fewest <= 1 ? Rational(0) : part(2 * split.fewest - 1, processors),
          split.most >= processors - 1 ? Rational(1) : part(2 * split.most + 1, processors)};
}

bool empty(const AlphaRange& range) { return range.least >= range.below; }

AlphaRange common(const AlphaRange& a, const AlphaRange& b) {
  return {std::max(a.least, b.least), std::min(a.below, b.below)};
}

/// The fraction with the least denominator, above 0: down the tree of Stern and Brocot.
/// Precondition: not empty.
Rational simplest(const AlphaRange& range) {
  Rational low(0);
  Rational high(1);
  while (true) {
    const Rational middle(low.numerator() + high.numerator(),
                          low.denominator() + high.denominator());
    if (middle < range.least) {
      low = middle;
    } else if (middle >= range.below) {
      high = middle;
    } else {
      return middle;
    }
  }
}

}  // namespace

std::int64_t alpha_split(Rational alpha, std::int64_t processors) {
  __extension__ using Wide = __int128;
  const Wide twice = 2 * static_cast<Wide>(alpha.numerator()) * processors + alpha.denominator();
  const auto rounded =
      static_cast<std::int64_t>(twice / (2 * static_cast<Wide>(alpha.denominator())));
  return std::clamp<std::int64_t>(rounded, 1, processors - 1);
}

AlphaRange alpha_range(const PostalModel& model, std::int64_t processors) {
  return range_of(processors, model.split(processors));
}

std::vector<AlphaRow> alpha_table(const PostalModel& model, std::int64_t processors) {
  std::vector<AlphaRow> rows;
  for (const PostalModel::Corner& corner : model.corners(processors)) {
    // The last triangle may be cut off below its top.
    const std::int64_t top = std::min(corner.processors, processors);
    const std::int64_t given = corner.processors - corner.kept;
    const AlphaRange range =
        range_of(top, {std::max<std::int64_t>(1, top - given), std::min(top - 1, corner.kept)});
    if (!rows.empty() && !empty(common(rows.back().range, range))) {
      rows.back().range = common(rows.back().range, range);
      rows.back().last = top;
    } else {
      rows.push_back({top, range, Rational(1, 2)});
    }
  }
  for (AlphaRow& row : rows) row.alpha = simplest(row.range);
  return rows;
}

}  // namespace postroom
