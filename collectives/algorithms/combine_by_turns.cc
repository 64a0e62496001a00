// The reductions of collectives/algorithms/by_turns.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "collectives/algorithms/by_turns.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/combine_lists.h"
#include "collectives/parts/few.h"
#include "collectives/parts/pooled.h"
#include "collectives/parts/scratch.h"
#include "collectives/parts/slices.h"
#include "numa/rounding.h"
#include "runtime/copy.h"

namespace postroom {
namespace {

// Up to this size each thread of an allreduce combines for its own processors: to combine twice
// costs less than to write into the other core's lines.
constexpr std::size_t kEachBytes = 4096;

// So much of each list is scanned at a time: with the sums so far it fits into an L1 cache.
constexpr std::size_t kScanBlockBytes = 8 * 1024;

bool in_place(const Pool& pool) {
  for (int p = 0; p < pool.processors(); ++p) {
    if (pool.in(p).data() == pool.out(p).data()) return true;
  }
  return false;
}

bool each_for_its_own(std::int64_t bytes, bool in_place) {
  return bytes <= static_cast<std::int64_t>(kEachBytes) && !in_place;
}

/// What combine_lists copies beside what it writes to results after the first.
std::int64_t copied_past_caches(std::int64_t bytes) {
  return bytes >= static_cast<std::int64_t>(kStreamBytes) ? bytes : 0;
}

/// Combines slice `part` of all lists and writes it to the lists of `results`, the first of which
/// may be that of processor `pivot`.
void combine_slice(const Pool& pool, const Slices& slices, int part, std::size_t bytes, int pivot,
                   std::span<Bytes> results, const Operator& op, Where where) {
  Few<ConstBytes> lists(pool.processors());
  for (int p = 0; p < pool.processors(); ++p) {
    lists[p] = slices.of(pooled_in(pool, p, bytes, where), part);
  }
  if (slices.bytes(part) == 0) return;
  for (Bytes& result : results) result = slices.of(result, part);
  combine_lists(lists.all(), pivot, results, bytes, op);
}

/// Prefix sums of the lists from `first` on, for `slice` of them, block by block in the cache.
void scan_slice(const Pool& pool, std::size_t list_bytes, const Slices& slices, int slice,
                int first, int last, bool exclusive, const Operator& op, Where where) {
  Few<ConstBytes> in(last);
  for (int p = 0; p < last; ++p) in[p] = pooled_in(pool, p, list_bytes, where);
  Few<Bytes> out(last);
  for (int p = first; p < last; ++p) out[p] = pooled_out(pool, p, list_bytes, where);
  const std::size_t element = op.element_bytes();
  const std::size_t step = std::max(kScanBlockBytes / element, std::size_t{1}) * element;
  const std::size_t end = slices.begin(slice) + slices.bytes(slice);
  Scratch memory(nullptr, 2 * std::min(step, slices.bytes(slice)));
  for (std::size_t begin = slices.begin(slice); begin < end; begin += step) {
    const std::size_t bytes = std::min(step, end - begin);
    Bytes held = memory.bytes(0, bytes);
    Bytes next = memory.bytes(memory.bytes().size() / 2, bytes);
    copy_bytes(in[0].subspan(begin, bytes), held);
    if (first == 0 && !exclusive) copy_bytes(held, out[0].subspan(begin, bytes));
    for (int p = 1; p < last; ++p) {
      // Read before it is written, where a processor's two lists are one.
      op.combine(held, in[p].subspan(begin, bytes), next);
      if (p >= first) copy_bytes(exclusive ? held : next, out[p].subspan(begin, bytes));
      std::swap(held, next);
    }
  }
}

void scan_by_turns(Processor& self, Pool::Call call, ConstBytes in, Bytes out, bool exclusive,
                   const Operator& op, Where where) {
  const auto combine = [&](const Pool& pool) {
    const bool each = call.copies || (in.size() <= kEachBytes && !in_place(pool));
    const Slices slices(each ? 1 : pool.parts(), in.size(), op.element_bytes());
    scan_slice(pool, in.size(), slices, each ? 0 : pool.part(), each ? pool.first() : 0,
               each ? pool.last() : pool.processors(), exclusive, op, where);
  };
  together(self, call, {in, out}, combine, where);
}

}  // namespace

void reduce_by_turns(Processor& self, int root, ConstBytes in, Bytes out, const Operator& op,
                     Where where) {
  const auto combine = [&](const Pool& pool) {
    Bytes result = pooled_out(pool, root, in.size(), where);
    const Slices slices(pool.parts(), in.size(), op.element_bytes());
    combine_slice(pool, slices, pool.part(), in.size(), root, {&result, 1}, op, where);
  };
  together(self, {"reduce", root}, {in, self.id() == root ? out : Bytes()}, combine, where);
}

void allreduce_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                        Where where) {
  const Pool::Call call = call_with(self, "allreduce", in.size());
  const auto combine = [&](const Pool& pool) {
    // A list that is its own result may be read by others to the end.
    const bool each = call.copies || (in.size() <= kEachBytes && !in_place(pool));
    const int first = each ? pool.first() : 0;
    const int last = each ? pool.last() : pool.processors();
    Few<Bytes> results(last - first);
    for (int p = first; p < last; ++p) results[p - first] = pooled_out(pool, p, in.size(), where);
    const Slices slices(each ? 1 : pool.parts(), in.size(), op.element_bytes());
    // From processor 0 on at all threads: they come to the same result to the last bit.
    combine_slice(pool, slices, each ? 0 : pool.part(), in.size(), 0, results.all(), op, where);
  };
  together(self, call, {in, out}, combine, where);
}

void reduce_scatter_by_turns(Processor& self, ConstBytes in, const Blocks& blocks, Bytes out,
                             const Operator& op, Where where) {
  const auto combine = [&](const Pool& pool) {
    Few<ConstBytes> lists(pool.processors());
    for (int p = pool.first(); p < pool.last(); ++p) {
      const Bytes result = pooled_out(pool, p, blocks.bytes(p), where);
      if (result.empty()) continue;
      for (int q = 0; q < pool.processors(); ++q) {
        lists[q] = blocks.of(pooled_in(pool, q, blocks.total(), where), p);
      }
      combine_lists(lists.all(), 0, {&result, 1}, result.size(), op);
    }
  };
  together(self, call_with(self, "reduce_scatter", blocks.total()), {in, out}, combine, where);
}

void scan_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  scan_by_turns(self, call_with(self, "scan", in.size()), in, out, /*exclusive=*/false, op, where);
}

void exscan_by_turns(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  scan_by_turns(self, call_with(self, "exscan", in.size()), in, out, /*exclusive=*/true, op, where);
}

SharedWork reduce_by_turns_work(int processors, std::int64_t bytes) {
  return {.copied_bytes = copied_past_caches(bytes), .combined_bytes = (processors - 1) * bytes};
}

SharedWork allreduce_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place) {
  const bool put_in = copies_when_put_in(processors, threads, bytes);
  const int times = put_in || each_for_its_own(bytes, in_place) ? threads : 1;
  return {.copied_bytes =
              (processors - times + (put_in ? processors : 0)) * bytes + copied_past_caches(bytes),
          .combined_bytes = times * (processors - 1) * bytes};
}

SharedWork reduce_scatter_by_turns_work(const Blocks& blocks, int threads) {
  const int processors = blocks.processors();
  const auto total = static_cast<std::int64_t>(blocks.total());
  SharedWork work{.combined_bytes = (processors - 1) * total};
  if (copies_when_put_in(processors, threads, total)) work.copied_bytes = processors * total;
  for (int p = 0; p < processors; ++p) {
    work.copied_bytes += copied_past_caches(static_cast<std::int64_t>(blocks.bytes(p)));
  }
  return work;
}

SharedWork scan_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place) {
  const bool put_in = copies_when_put_in(processors, threads, bytes);
  const bool each = put_in || each_for_its_own(bytes, in_place);
  SharedWork work{.copied_bytes = (processors + (put_in ? processors : 0)) * bytes};
  // Whoever scans begins with a copy of the first list and goes on to its last processor.
  const int scans = each ? threads : 1;
  for (int scan = 1; scan <= scans; ++scan) {
    const std::int64_t last = ceil_divide<std::int64_t>(std::int64_t{scan} * processors, scans);
    work.copied_bytes += bytes;
    work.combined_bytes += (last - 1) * bytes;
  }
  return work;
}

SharedWork exscan_by_turns_work(int processors, int threads, std::int64_t bytes, bool in_place) {
  SharedWork work = scan_by_turns_work(processors, threads, bytes, in_place);
  work.copied_bytes -= bytes;  // that of processor 0
  return work;
}

}  // namespace postroom
