// A group: some of the processors of a machine, in an order of their own.
//
// Adapts a Processor, so every collective runs on it unchanged. The members are given as ranks of
// the processor that it adapts (of the machine, or of another group); in the group they are 0, 1, …
// in the order given. All members make the group with the same list. Groups cost no messages to
// make, so several can be used at once, and a processor may be in several; messages of overlapping
// groups between the same pair arrive in the order in which they were sent, as always.
//
// Who may call: like the processor that it adapts, which must outlive it. Memory: the list, at each
// member; share one where groups are large. Cost: an index into the list for each message.
// Errors: a rank outside, one named twice, a list without the caller: std::invalid_argument that
// names it; so is no list. Reports and traces speak of processors by the machine's numbers; a rank
// that is wrong within the group is reported as it was given.
//
//   machine.run([](Processor& self) {
//     if (self.id() % 2 != 0) return;
//     Group even(self, {6, 4, 2, 0});
//     broadcast(even, 0, data);   // from processor 6
//   });
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fat_trees/box_tree.h"
#include "runtime/postal_parameters.h"
#include "runtime/processor.h"

namespace postroom {

class Group final : public Processor {
 public:
  using Members = std::shared_ptr<const std::vector<int>>;

  Group(Processor& self, std::vector<int> members)
      : Group(self, std::make_shared<const std::vector<int>>(std::move(members))) {}
  /// So that {0} is a list of one, and not a pointer.
  Group(Processor& self, std::initializer_list<int> members)
      : Group(self, std::vector<int>(members)) {}
  Group(Processor& self, Members members);

  /// The members' ranks outside; the first is rank 0 of the group.
  const std::vector<int>& members() const noexcept { return *members_; }

  // --- Processor.

  void send_bytes(int target, ConstBytes data, Where where = Where::current()) override;
  void receive_bytes(int source, Bytes data, Where where = Where::current()) override;
  Pending start_send_bytes(int target, ConstBytes data, Where where = Where::current()) override;
  Pending start_receive_bytes(int source, Bytes data, Where where = Where::current()) override;
  void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                      Where where = Where::current()) override;
  Pending lend_bytes(int borrower, ConstBytes data, Where where = Where::current()) override;
  Pending lend_both_bytes(int borrower, ConstBytes data, Bytes place,
                          Where where = Where::current()) override;
  Borrowed borrow_bytes(int lender, Where where = Where::current()) override;
  void read_bytes(int source, std::size_t bytes, Reader reader,
                  Where where = Where::current()) override;
  void barrier(Where where = Where::current()) override;
  void barrier_among(std::span<const int> members, int me, Where where = Where::current()) override;
  void sit_out(std::int64_t rounds) override { outside_.sit_out(rounds); }
  void yield() override { outside_.yield(); }
  Time now() const override { return outside_.now(); }
  void compute(const Rational& units, Where where = Where::current()) override {
    outside_.compute(units, where);
  }
  bool shares_memory() const noexcept override { return outside_.shares_memory(); }
  const PostalParameters* model() const noexcept override {
    return own_model_ ? &*own_model_ : outside_.model();
  }
  void stop_unwound(Where where) noexcept override { outside_.stop_unwound(where); }
  KeptMemory* kept_memory() noexcept override { return outside_.kept_memory(); }
  /// The members' part of the box outside, if they are in rising order; made when first asked for.
  const BoxTree* box() const override;

 private:
  /// The rank in the machine or group outside. Throws when there is no such member.
  int outside(const char* call, const char* role, int rank, Where where) const;

  // What is under way belongs to the processor outside, so these are never called.
  void finish(std::uint64_t, const char*, Where) override {}
  std::size_t finish_any(std::span<const std::uint64_t>, Where) override { return 0; }
  bool finished(std::uint64_t) override { return true; }
  void abandon(std::uint64_t, bool, const char*, Where) noexcept override {}
  void fill_loan(const Borrowed&, ConstBytes, std::size_t) noexcept override {}
  void return_loan(Borrowed&) noexcept override {}

  Processor& outside_;
  Members members_;
  std::optional<PostalParameters> own_model_;  // where λ depends on the pair
  mutable bool knows_box_ = false;
  mutable std::optional<BoxTree> box_;
};

}  // namespace postroom
