#include "labs/heard.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace postroom::labs {

std::vector<std::uint64_t> heard_from(const Trace& trace) {
  // None is sent by what another one says that starts later.
  std::vector<Trace::Message> messages = trace.messages();
  std::ranges::stable_sort(messages, {}, &Trace::Message::start);
  std::vector<std::uint64_t> told(messages.size());
  const auto heard = [&](int processor, std::size_t among, Time until) {
    std::uint64_t from = std::uint64_t{1} << processor;
    for (std::size_t i = 0; i < among; ++i) {
      if (messages[i].target == processor && messages[i].arrival <= until) from |= told[i];
    }
    return from;
  };
  for (std::size_t i = 0; i < messages.size(); ++i) {
    told[i] = heard(messages[i].source, i, messages[i].start);
  }
  std::vector<std::uint64_t> list;
  for (int processor = 0; processor < trace.processors(); ++processor) {
    list.push_back(heard(processor, messages.size(), std::numeric_limits<Time>::max()));
  }
  return list;
}

}  // namespace postroom::labs
