// α: which part of the processors stays with the root, for the tree that splits as it goes.
//
// Source: [P], sections 2.4 and 2.5. A root of n processors keeps n' = round(α n) of them, half
// rounded up, at least 1 and at most n - 1, and gives the others to the receiver of its message.
// The tree is optimal when n' is a legal split (PostalModel::split) for every n that occurs. For
// some latencies one α serves all n; for the others a table of intervals of n does. Within the
// triangle of one time the range of α only narrows as n grows, so only its top is a constraint and
// the table is built from those corner points alone.
//
// Cost: O(corners) of PostalModel::corners(). Errors: those of PostalModel.
//
//   const PostalModel model(Rational(39, 20));
//   alpha_range(model, 13);                    // α from 15/26, below 17/26
//   alpha_table(model, 2000).size();           // 41 rows
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/models/postal_model.h"
#include "runtime/rational.h"

namespace postroom {

/// Optimal from `least` on, below `below`.
struct AlphaRange {
  Rational least;
  Rational below;
  friend bool operator==(const AlphaRange&, const AlphaRange&) = default;
};

/// round(alpha * processors), half rounded up, from 1 to processors - 1. Precondition: processors
/// >= 2.
std::int64_t alpha_split(Rational alpha, std::int64_t processors);

/// The α that split `processors` optimally. Precondition: processors >= 2.
AlphaRange alpha_range(const PostalModel& model, std::int64_t processors);

/// Up to `last` processors, from where the row before ends, `alpha` is optimal.
struct AlphaRow {
  std::int64_t last;
  AlphaRange range;  ///< all that would do
  Rational alpha;    ///< the one of them with the least denominator
};

/// Rows for 2 … `processors`, as few as there can be.
std::vector<AlphaRow> alpha_table(const PostalModel& model, std::int64_t processors);

}  // namespace postroom
