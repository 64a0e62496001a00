// A processor of a LightMachine: see there.
//
// A send hands a copy of the message over, or its size alone, and is done; so a Pending of a send
// or a loan is empty, and no processor ever looks at another one's memory.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/light_machine.h"
#include "runtime/meeting.h"
#include "runtime/messages_under_way.h"
#include "runtime/processor.h"

namespace postroom {

class LightProcessor final : public Processor {
 public:
  LightProcessor(int id, LightMachine& machine)
      : Processor(id, machine.processors(), operation_), machine_(machine) {}

  void send_bytes(int target, ConstBytes data, Where where) override;
  Pending start_send_bytes(int target, ConstBytes data, Where where) override;
  Pending lend_bytes(int borrower, ConstBytes data, Where where) override;
  void receive_bytes(int source, Bytes data, Where where) override;
  Pending start_receive_bytes(int source, Bytes data, Where where) override;
  Borrowed borrow_bytes(int lender, Where where) override;
  void read_bytes(int source, std::size_t bytes, Reader reader, Where where) override;
  void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                      Where where) override;
  void barrier(Where where) override;
  void barrier_among(std::span<const int> members, int me, Where where) override;
  void sit_out(std::int64_t) override {}  // no trace is kept
  void yield() override;
  Time now() const override { return machine_.clock_->now(id()); }
  void compute(const Rational& units, Where where) override;
  bool shares_memory() const noexcept override { return false; }
  const PostalParameters* model() const noexcept override { return machine_.clock_->model(); }

  /// After the program, which an exception has ended or not: what outlives it ends here.
  void end(bool threw) noexcept { Pending::end_all(pending_, threw); }

 private:
  struct Started {
    int source;
    Channel channel;
    Bytes data;
    Where where;
    bool done;
    Time there;
  };

  void check(const char* call, const char* role, int peer, Where where) const;
  void post(int target, ConstBytes data);
  Channel channel() const noexcept { return channel_of(operation_); }
  /// Returns how many bytes the next one has.
  std::size_t await_message(int source, Channel channel, const char* call, Where where);
  void await_message_of(int source, Channel channel, std::size_t bytes, const char* call,
                        Where where);
  MessagesUnderWay::Message take_into(int source, Channel channel, Bytes data, const char* call,
                                      Where where);
  /// When the program may have it; so does receive_next.
  Time delivered(int source, const MessagesUnderWay::Message& message);
  Time receive_next(int source, Channel channel, Bytes data, const char* call, Where where);
  void go_on_at(Time time) { machine_.clock_->advance(id(), time); }

  void fill_next_started(int source, Channel channel);
  void fill_all_started(int source);
  Meeting swap_meetings(int to, int from, const Meeting& mine, Where where);

  void finish(std::uint64_t ticket, const char* call, Where where) override;
  std::size_t finish_any(std::span<const std::uint64_t> tickets, Where where) override;
  std::optional<Time> there(const Started& started) const;
  bool finished(std::uint64_t ticket) override;
  bool is_finished(std::uint64_t ticket);
  void abandon(std::uint64_t ticket, bool unwinding, const char* call,
               Where where) noexcept override;
  // A borrowed message is a copy.
  void fill_loan(const Borrowed&, ConstBytes, std::size_t) noexcept override {}
  void return_loan(Borrowed&) noexcept override {}

  LightMachine& machine_;
  const char* operation_ = nullptr;
  Pending::List pending_;
  std::uint64_t next_ticket_ = 0;
  unsigned looks_in_vain_ = 0;                          // of finished()
  std::vector<int> peers_;                              // of finish_any()
  std::unordered_map<std::uint64_t, Started> started_;  // by ticket
  // By channel_key of the source, none of them empty.
  std::unordered_map<std::uint64_t, std::deque<std::uint64_t>> not_done_;
};

}  // namespace postroom
