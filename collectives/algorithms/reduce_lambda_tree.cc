#include "collectives/algorithms/reduce_lambda_tree.h"

#include <ranges>
#include <vector>

#include "collectives/parts/borrow.h"
#include "collectives/parts/partial.h"

namespace postroom {
namespace {

// The other leader of a range that was cut, and on which side of ours its part lies.
struct Partner {
  int processor;
  bool before;
};

// The way of one processor down to the range that is only itself.
struct Path {
  std::vector<Partner> children;  // as a broadcast would send to them
  int parent = -1;
};

// How many of `count` stay with a leader that has so many of them before it. Its part is the first
// so many or the last. Where less than half is kept it may lie in neither; then the larger part
// stays.
int kept_with(int before_leader, int count, const SplitRule& rule) {
  const auto kept = static_cast<int>(rule.kept(count));
  const bool is_in_either = before_leader < kept || before_leader >= count - kept;
  return is_in_either ? kept : count - kept;
}

Path path_of(int self, int root, int processors, const SplitRule& rule) {
  Path path;
  int begin = 0;
  int count = processors;
  int leader = root;
  while (count > 1) {
    const int kept = kept_with(leader - begin, count, rule);
    const bool keeps_first = leader < begin + kept;
    const int other_begin = keeps_first ? begin + kept : begin;
    const int other_end = keeps_first ? begin + count : begin + count - kept;
    const int other = other_begin;  // leads the other part
    if (self == leader) path.children.push_back({other, !keeps_first});
    if (other_begin <= self && self < other_end) {
      path.parent = leader;
      leader = other;
      begin = other_begin;
      count -= kept;
    } else {
      if (!keeps_first) begin = other_end;
      count = kept;
    }
  }
  return path;
}

}  // namespace

void reduce_lambda_tree(Processor& self, int root, ConstBytes in, Bytes memory, const Operator& op,
                        const SplitRule& rule, Where where) {
  const Operation operation(self, operation_or(self, "reduce"));
  const Path path = path_of(self.id(), root, self.count(), rule);
  Partial partial(self, in, memory, op);
  for (const Partner& child : path.children | std::views::reverse) {
    const Borrowed result = borrow_exactly(self, child.processor, in.size(), where);
    if (child.before) {
      partial.prepend(result.bytes());
    } else {
      partial.append(result.bytes());
    }
  }
  if (path.parent >= 0) self.send_bytes(path.parent, partial.bytes(), where);
  if (self.id() == root) partial.writable();  // one processor alone has not yet copied
}

Cost reduce_lambda_tree_cost(const SplitRule& rule, int processors, std::int64_t bytes) {
  return split_time(rule, processors, 1).numerator() * Cost::round(bytes);
}

}  // namespace postroom
