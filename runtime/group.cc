#include "runtime/group.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace postroom {
namespace {

const std::vector<int>& require_list(const Group::Members& members) {
  if (members == nullptr) {
    throw std::invalid_argument("group members: null is not allowed; a list of ranks");
  }
  return *members;
}

// Checks the members and returns the rank of `self` among them.
int rank_of(const Processor& self, const std::vector<int>& members) {
  std::vector<bool> seen(static_cast<std::size_t>(self.count()));
  for (const int member : members) {
    if (member < 0 || member >= self.count()) {
      throw std::invalid_argument(fmt::format("group member: {} is not a processor; 0 to {} are",
                                              member, self.count() - 1));
    }
    if (seen[static_cast<std::size_t>(member)]) {
      throw std::invalid_argument(
          fmt::format("group member: {} is named twice; each at most once", member));
    }
    seen[static_cast<std::size_t>(member)] = true;
  }
  const auto self_among = std::ranges::find(members, self.id());
  if (self_among == members.end()) {
    throw std::invalid_argument(
        fmt::format("group members: {} is not among the {} given; only members make a group",
                    self.id(), members.size()));
  }
  return static_cast<int>(self_among - members.begin());
}

bool are_all_in_order(const std::vector<int>& members, const Processor& self) {
  return members.size() == static_cast<std::size_t>(self.count()) &&
         std::ranges::is_sorted(members);
}

// The messages of an exchange with other ranks; one needs no allocation.
template <class Message>
class Readdressed {
 public:
  template <class NewRank>
  Readdressed(std::span<const Message> messages, NewRank new_rank) {
    if (messages.size() > 1) many_.reserve(messages.size());
    for (const Message& message : messages) {
      one_ = new_rank(message);
      if (messages.size() > 1) many_.push_back(one_);
    }
    all_ = messages.size() > 1 ? std::span<const Message>(many_)
                               : std::span<const Message>(&one_, messages.size());
  }
  Readdressed(const Readdressed&) = delete;
  Readdressed& operator=(const Readdressed&) = delete;

  std::span<const Message> all() const noexcept { return all_; }

 private:
  Message one_{};
  std::vector<Message> many_;
  std::span<const Message> all_;
};

}  // namespace

Group::Group(Processor& self, Members members)
    : Processor(rank_of(self, require_list(members)),
                static_cast<int>(require_list(members).size()), self),
      outside_(self),
      members_(std::move(members)) {
  const PostalParameters* const model = self.model();
  if (model == nullptr || model->lambda.uniform() || are_all_in_order(*members_, self)) return;
  // Between members, by their ranks here. There are no levels of a box: a tree of it has other
  // leaves.
  own_model_ = *model;
  own_model_->lambda = Latency([outside = model->lambda, all = members_](int source, int target) {
    return outside.of((*all)[static_cast<std::size_t>(source)],
                      (*all)[static_cast<std::size_t>(target)]);
  });
}

int Group::outside(const char* call, const char* role, int rank, Where where) const {
  if (rank < 0 || rank >= count()) {
    throw std::invalid_argument(
        fmt::format("{} {}: {} is not a rank of the group; 0 to {} are ({}:{})", call, role, rank,
                    count() - 1, where.file_name(), where.line()));
  }
  return (*members_)[static_cast<std::size_t>(rank)];
}

const BoxTree* Group::box() const {
  const BoxTree* const whole = outside_.box();
  if (whole == nullptr) return nullptr;
  if (!knows_box_) box_ = part_of(*whole, *members_);
  knows_box_ = true;
  return box_ && box_->has_teams() ? &*box_ : nullptr;
}

void Group::send_bytes(int target, ConstBytes data, Where where) {
  outside_.send_bytes(outside("send", "target", target, where), data, where);
}

void Group::receive_bytes(int source, Bytes data, Where where) {
  outside_.receive_bytes(outside("receive", "source", source, where), data, where);
}

Pending Group::start_send_bytes(int target, ConstBytes data, Where where) {
  return outside_.start_send_bytes(outside("start_send", "target", target, where), data, where);
}

Pending Group::start_receive_bytes(int source, Bytes data, Where where) {
  return outside_.start_receive_bytes(outside("start_receive", "source", source, where), data,
                                      where);
}

void Group::exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                           Where where) {
  const Readdressed<Outgoing> outgoing(out, [&](const Outgoing& message) {
    return Outgoing{outside("exchange", "target", message.target, where), message.data};
  });
  const Readdressed<Incoming> incoming(in, [&](const Incoming& message) {
    return Incoming{outside("exchange", "source", message.source, where), message.data};
  });
  outside_.exchange_bytes(outgoing.all(), incoming.all(), where);
}

Pending Group::lend_bytes(int borrower, ConstBytes data, Where where) {
  return outside_.lend_bytes(outside("lend", "borrower", borrower, where), data, where);
}

Pending Group::lend_both_bytes(int borrower, ConstBytes data, Bytes place, Where where) {
  return outside_.lend_both_bytes(outside("lend", "borrower", borrower, where), data, place, where);
}

Borrowed Group::borrow_bytes(int lender, Where where) {
  return outside_.borrow_bytes(outside("borrow", "lender", lender, where), where);
}

void Group::read_bytes(int source, std::size_t bytes, Reader reader, Where where) {
  outside_.read_bytes(outside("read", "source", source, where), bytes, reader, where);
}

void Group::barrier(Where where) { outside_.barrier_among(*members_, id(), where); }

void Group::barrier_among(std::span<const int> members, int me, Where where) {
  std::vector<int> outside_ranks;
  outside_ranks.reserve(members.size());
  for (const int member : members) {
    outside_ranks.push_back(outside("barrier", "member", member, where));
  }
  outside_.barrier_among(outside_ranks, me, where);
}

}  // namespace postroom
