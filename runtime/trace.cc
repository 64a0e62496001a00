#include "runtime/trace.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace postroom {
namespace {

// The part of `signature` before the parameter list that it ends in.
std::string_view without_parameters(std::string_view signature) {
  std::size_t at = signature.rfind(')');
  for (int open = 0; at != std::string_view::npos && at < signature.size(); --at) {
    if (signature[at] == ')') ++open;
    if (signature[at] == '(' && --open == 0) return signature.substr(0, at);
  }
  return signature;
}

// "void postroom::gather(Processor&, …) [with …]" is gather; what a lambda does, the function
// around it does.
std::string_view short_name(std::string_view signature) {
  signature = signature.substr(0, signature.find(" [with "));
  signature = signature.substr(0, signature.find("::<lambda"));
  signature = without_parameters(signature);
  const std::size_t before = signature.find_last_of(": *&");
  return before == std::string_view::npos ? signature : signature.substr(before + 1);
}

}  // namespace

Trace::Trace(std::vector<Message> messages, int processors, Time ticks_per_unit, bool is_wall_time)
    : messages_(std::move(messages)),
      processors_(processors),
      ticks_per_unit_(ticks_per_unit),
      is_wall_time_(is_wall_time) {
  for (const Message& message : messages_) {
    processors_ = std::max({processors_, message.source + 1, message.target + 1});
  }
}

int Trace::rounds() const {
  int last = 0;
  for (const Message& message : messages_) last = std::max(last, message.round);
  return last;
}

std::size_t Trace::volume() const {
  std::vector<std::size_t> largest(static_cast<std::size_t>(rounds()) + 1);
  for (const Message& message : messages_) {
    std::size_t& round = largest[static_cast<std::size_t>(message.round)];
    round = std::max(round, message.bytes);
  }
  return std::accumulate(largest.begin(), largest.end(), std::size_t{0});
}

std::size_t Trace::total_bytes() const {
  return std::accumulate(
      messages_.begin(), messages_.end(), std::size_t{0},
      [](std::size_t sum, const Message& message) { return sum + message.bytes; });
}

std::string operation_of(const Trace::Message& message) {
  if (message.operation != nullptr) return message.operation;
  return std::string(short_name(message.where.function_name()));
}

void settle_arrivals(std::span<Trace::Message> messages,
                     std::span<const std::vector<Trace::Delivery>> deliveries) {
  const auto key_of_sent = [](const Trace::Message* message) {
    return channel_key(message->source, channel_of(message->operation));
  };
  const auto key_of_received = [](const Trace::Delivery& delivery) {
    return channel_key(delivery.source, delivery.channel);
  };
  // By target; those of one target by source and channel, and by time within these.
  std::vector<std::vector<Trace::Message*>> sent(deliveries.size());
  for (Trace::Message& message : messages) {
    sent[static_cast<std::size_t>(message.target)].push_back(&message);
  }
  for (std::size_t target = 0; target < deliveries.size(); ++target) {
    std::vector<Trace::Delivery> received = deliveries[target];
    std::ranges::stable_sort(received, {}, key_of_received);
    std::ranges::stable_sort(sent[target], {}, key_of_sent);
    auto next = sent[target].begin();
    for (const Trace::Delivery& delivery : received) {
      while (key_of_sent(*next) < key_of_received(delivery)) ++next;  // that nobody received
      (*next++)->arrival = delivery.arrival;
    }
  }
}

}  // namespace postroom
