// A processor that fails at a chosen call, to try out what a collective leaves behind.
//
// It hands every call on to another one, except that its n-th call (from 0) throws PlannedFailure.
//
//   machine.run([](Processor& self) {
//     FailingProcessor failing(self, self.id() == 2 ? 7 : FailingProcessor::kNever);
//     alltoall(failing, send, receive);
//   });
#pragma once

#include <limits>
#include <span>
#include <stdexcept>

#include "runtime/processor.h"

namespace postroom {

struct PlannedFailure : std::runtime_error {
  PlannedFailure() : std::runtime_error("planned failure") {}
};

/// Hands every call on to another processor.
class ForwardingProcessor : public Processor {
 public:
  explicit ForwardingProcessor(Processor& real)
      : Processor(real.id(), real.count(), real), real_(real) {}

  void send_bytes(int target, ConstBytes data, Where where) override {
    before_call();
    real_.send_bytes(target, data, where);
  }
  void receive_bytes(int source, Bytes data, Where where) override {
    before_call();
    real_.receive_bytes(source, data, where);
  }
  Pending start_send_bytes(int target, ConstBytes data, Where where) override {
    before_call();
    return real_.start_send_bytes(target, data, where);
  }
  Pending start_receive_bytes(int source, Bytes data, Where where) override {
    before_call();
    return real_.start_receive_bytes(source, data, where);
  }
  void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                      Where where) override {
    before_call();
    real_.exchange_bytes(out, in, where);
  }
  Pending lend_bytes(int borrower, ConstBytes data, Where where) override {
    before_call();
    return real_.lend_bytes(borrower, data, where);
  }
  Pending lend_both_bytes(int borrower, ConstBytes data, Bytes place, Where where) override {
    before_call();
    return real_.lend_both_bytes(borrower, data, place, where);
  }
  Borrowed borrow_bytes(int lender, Where where) override {
    before_call();
    return real_.borrow_bytes(lender, where);
  }
  void barrier(Where where) override {
    before_call();
    real_.barrier(where);
  }
  void barrier_among(std::span<const int> members, int me, Where where) override {
    before_call();
    real_.barrier_among(members, me, where);
  }
  void sit_out(std::int64_t rounds) override { real_.sit_out(rounds); }
  void yield() override { real_.yield(); }
  Time now() const override { return real_.now(); }
  void compute(const Rational& units, Where where) override { real_.compute(units, where); }
  bool shares_memory() const noexcept override { return real_.shares_memory(); }
  const BoxTree* box() const override { return real_.box(); }
  const PostalParameters* model() const noexcept override { return real_.model(); }
  void stop_unwound(Where where) noexcept override { real_.stop_unwound(where); }
  KeptMemory* kept_memory() noexcept override { return real_.kept_memory(); }

 private:
  virtual void before_call() {}

  // What is under way belongs to the real processor, so these are never called.
  void finish(std::uint64_t, const char*, Where) override {}
  std::size_t finish_any(std::span<const std::uint64_t>, Where) override { return 0; }
  bool finished(std::uint64_t) override { return true; }
  void abandon(std::uint64_t, bool, const char*, Where) noexcept override {}
  void fill_loan(const Borrowed&, ConstBytes, std::size_t) noexcept override {}
  void return_loan(Borrowed&) noexcept override {}

  Processor& real_;
};

/// As if each processor had its memory for itself.
class SeparateProcessor final : public ForwardingProcessor {
 public:
  using ForwardingProcessor::ForwardingProcessor;
  bool shares_memory() const noexcept override { return false; }
};

class FailingProcessor final : public ForwardingProcessor {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  FailingProcessor(Processor& real, int failing_call)
      : ForwardingProcessor(real), failing_call_(failing_call) {}

  /// How many calls were made so far.
  int calls() const noexcept { return calls_; }

 private:
  void before_call() override {
    if (calls_++ == failing_call_) throw PlannedFailure();
  }

  int failing_call_;
  int calls_ = 0;
};

}  // namespace postroom
