#include "runtime/light_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "runtime/errors.h"

namespace postroom {

class LightProcessor final : public Processor {
 public:
  LightProcessor(int id, LightMachine& machine)
      : Processor(id, machine.processors()), machine_(machine) {}

  void send_bytes(int target, ConstBytes data, Where where) override {
    check("send", "target", target, where);
    machine_.post(id(), target, data);
  }
  Pending start_send_bytes(int target, ConstBytes data, Where where) override {
    check("start_send", "target", target, where);
    machine_.post(id(), target, data);
    return {};
  }
  Pending lend_bytes(int borrower, ConstBytes data, Where where) override {
    check("lend", "borrower", borrower, where);
    machine_.post(id(), borrower, data);
    return {};
  }

  void receive_bytes(int source, Bytes data, Where where) override {
    check("receive", "source", source, where);
    fill_all_from(source);
    advance(receive_next(source, data, "receive", where));
  }
  Pending start_receive_bytes(int source, Bytes data, Where where) override {
    check("start_receive", "source", source, where);
    started_.push_back({source, data, where, false, 0});
    return Pending(*this, started_.size() - 1, "wait of start_receive", where);
  }
  Borrowed borrow_bytes(int lender, Where where) override {
    check("borrow", "lender", lender, where);
    fill_all_from(lender);
    LightMachine::Message message = machine_.take(lender, id(), "borrow", where);
    advance(delivered(message));
    return hold(std::move(message.data));
  }

  void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                      Where where) override {
    for (const Outgoing& o : out) check("exchange", "target", o.target, where);
    for (const Incoming& i : in) check("exchange", "source", i.source, where);
    for (const Outgoing& o : out) machine_.post(id(), o.target, o.data);
    Time all_there = now();
    for (const Incoming& i : in) {
      fill_all_from(i.source);
      all_there = std::max(all_there, receive_next(i.source, i.data, "exchange", where));
    }
    advance(all_there);
  }

  void barrier(Where where) override { refuse("barrier", where); }
  void barrier_among(std::span<const int>, int, Where where) override { refuse("barrier", where); }
  void yield() override {}
  Time now() const override { return machine_.clock_->now(id()); }
  void compute(const Rational& units, Where where) override {
    if (units < 0) {
      throw std::invalid_argument(fmt::format("compute: {} is not allowed; at least 0 ({}:{})",
                                              to_string(units), where.file_name(), where.line()));
    }
    advance(machine_.clock_->computed(id(), units));
  }
  const char* name_operation(const char* name) noexcept override {
    return std::exchange(operation_, name);
  }
  /// A lent message is copied, so a pointer into the lender's memory may be to what is gone.
  bool shares_memory() const noexcept override { return false; }
  const PostalParameters* model() const noexcept override { return machine_.clock_->model(); }

 private:
  struct Started {
    int source;
    Bytes data;
    Where where;
    bool done;
    Time there;
  };

  void check(const char* call, const char* role, int peer, Where where) const {
    if (peer >= 0 && peer < count()) return;
    throw std::invalid_argument(fmt::format("{} {}: {} is not a processor; 0 to {} are ({}:{})",
                                            call, role, peer, count() - 1, where.file_name(),
                                            where.line()));
  }
  [[noreturn]] static void refuse(const char* call, Where where) {
    throw std::logic_error(fmt::format("{} at {}:{} needs all processors at a time: a Machine",
                                       call, where.file_name(), where.line()));
  }

  void advance(Time time) { machine_.clock_->advance(id(), time); }
  Time delivered(const LightMachine::Message& message) {
    return machine_.clock_->delivered(message.source, id(), message.data.size(), message.arrival);
  }
  Time receive_next(int source, Bytes data, const char* call, Where where) {
    const LightMachine::Message message = machine_.take(source, id(), call, where);
    if (message.data.size() != data.size()) {
      throw SizeMismatchError(fmt::format(
          "{} from processor {}: the message has {} bytes, but the buffer has {} ({}:{})", call,
          source, message.data.size(), data.size(), where.file_name(), where.line()));
    }
    if (!data.empty()) std::memcpy(data.data(), message.data.data(), data.size());
    return delivered(message);
  }

  /// The receives that were started for `source`, in their order.
  void fill_all_from(int source) { fill_from(source, started_.size()); }
  /// Those for the same source as `ticket`, that one included.
  void fill_up_to(std::uint64_t ticket) { fill_from(started_[ticket].source, ticket + 1); }
  void fill_from(int source, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      if (started_[i].source == source) fill(i);
    }
  }
  void fill(std::size_t i) {
    if (started_[i].done) return;
    const Started started = started_[i];
    started_[i].there =
        receive_next(started.source, started.data, "wait of start_receive", started.where);
    started_[i].done = true;
  }

  void finish(std::uint64_t ticket, const char*, Where) override {
    fill_up_to(ticket);
    advance(started_[ticket].there);
  }
  bool finished(std::uint64_t ticket) override {
    fill_up_to(ticket);
    return true;
  }
  void abandon(std::uint64_t ticket, const char*, Where) noexcept override {
    started_[ticket].done = true;
  }

  /// Large ones stay where they are until they are given back.
  Borrowed hold(std::vector<std::byte> data) {
    Borrowed borrowed;
    borrowed.size_ = data.size();
    if (data.size() <= Borrowed::kInlineBytes) {
      std::ranges::copy(data, borrowed.held_.begin());
    } else {
      auto held = std::make_unique<std::vector<std::byte>>(std::move(data));
      borrowed.remote_ = held->data();
      borrowed.borrower_ = this;
      borrowed.loan_ = held.release();
    }
    return borrowed;
  }
  void return_loan(Borrowed& borrowed) noexcept override {
    delete static_cast<std::vector<std::byte>*>(borrowed.loan_);
  }

  LightMachine& machine_;
  const char* operation_ = nullptr;
  std::vector<Started> started_;
};

LightMachine::LightMachine(int processors, std::shared_ptr<VirtualClock> clock)
    : clock_(std::move(clock)) {
  if (processors < 1 || processors > kMostProcessors) {
    throw std::invalid_argument(
        fmt::format("processors: {} is not allowed; 1 to {}", processors, kMostProcessors));
  }
  states_.resize(static_cast<std::size_t>(processors));
  inboxes_.resize(static_cast<std::size_t>(processors));
  clock_->start(processors);
}

void LightMachine::clear() {
  std::ranges::fill(states_, State::kNotYet);
  for (std::vector<Message>& inbox : inboxes_) inbox.clear();
  waiting_ = 0;
  clock_->start_run();
}

void LightMachine::run(const Program& program) {
  clear();
  program_ = &program;
  for (int processor = 0; processor < processors(); ++processor) {
    if (states_[static_cast<std::size_t>(processor)] == State::kNotYet) run_one(processor);
  }
  require_all_received();
}

void LightMachine::run_one(int processor) {
  states_[static_cast<std::size_t>(processor)] = State::kRunning;
  LightProcessor self(processor, *this);
  try {
    (*program_)(self);
  } catch (const ProcessorError&) {
    throw;  // of a processor that this one waited for
  } catch (const DeadlockError&) {
    throw;
  } catch (...) {
    throw ProcessorError(processor, std::current_exception());
  }
  states_[static_cast<std::size_t>(processor)] = State::kEnded;
}

void LightMachine::post(int source, int target, ConstBytes data) {
  const Flight flight = clock_->sent(source, target, data.size());
  inboxes_[static_cast<std::size_t>(target)].push_back(
      {source, flight.arrival, {data.begin(), data.end()}});
}

std::optional<LightMachine::Message> LightMachine::find(int source, int target) {
  std::vector<Message>& inbox = inboxes_[static_cast<std::size_t>(target)];
  const auto at = std::ranges::find(inbox, source, &Message::source);
  if (at == inbox.end()) return std::nullopt;
  Message message = std::move(*at);
  inbox.erase(at);
  return message;
}

LightMachine::Message LightMachine::take(int source, int target, const char* call, Where where) {
  if (std::optional<Message> there = find(source, target)) return std::move(*there);
  const State state = states_[static_cast<std::size_t>(source)];
  if (state == State::kRunning) {
    throw std::logic_error(fmt::format(
        "{} from processor {} at {}:{}: it waits for this processor in turn; such a program needs "
        "a Machine",
        call, source, where.file_name(), where.line()));
  }
  if (state == State::kNotYet) {
    if (waiting_ == kMostWaiting) {
      throw std::logic_error(
          fmt::format("{} at {}:{}: {} processors wait in a chain; such a program needs a Machine",
                      call, where.file_name(), where.line(), kMostWaiting));
    }
    ++waiting_;
    run_one(source);
    --waiting_;
    if (std::optional<Message> there = find(source, target)) return std::move(*there);
  }
  throw DeadlockError(
      fmt::format("processor {} waits in {} at {}:{} for processor {}, which has ended", target,
                  call, where.file_name(), where.line(), source));
}

void LightMachine::require_all_received() const {
  std::size_t under_way = 0;
  for (const std::vector<Message>& inbox : inboxes_) under_way += inbox.size();
  if (under_way == 0) return;
  for (std::size_t target = 0; target < inboxes_.size(); ++target) {
    if (inboxes_[target].empty()) continue;
    throw UnreceivedError(fmt::format("{} messages were never received: from {} to {}, …",
                                      under_way, inboxes_[target].front().source, target));
  }
}

}  // namespace postroom
