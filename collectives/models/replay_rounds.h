// Rounds of messages in a TimeReplay: everybody sends before anybody receives.
//
//   TimeReplay replay(model, p, 1);
//   // A ring.
//   replay_round(replay, p, [&](int i) { return (i + 1) % p; }, [&](int) { return 8; });
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/models/time_replay.h"

namespace postroom {

/// Processor i sends bytes_of(i) to target_of(i), which is a permutation.
template <class TargetOf, class BytesOf>
void replay_round(TimeReplay& replay, int processors, TargetOf target_of, BytesOf bytes_of) {
  std::vector<std::int64_t> sizes;
  std::vector<Time> arrivals;
  for (int i = 0; i < processors; ++i) {
    sizes.push_back(static_cast<std::int64_t>(bytes_of(i)));
    arrivals.push_back(replay.send(i, sizes.back()));
  }
  for (int i = 0; i < processors; ++i) {
    const auto message = static_cast<std::size_t>(i);
    replay.receive(target_of(i), sizes[message], arrivals[message]);
  }
}

/// In round `step` = 1 … p-1 processor i sends bytes_of(i, target) to the one `step` further.
template <class BytesOf>
void replay_shifts(TimeReplay& replay, int processors, BytesOf bytes_of) {
  for (int step = 1; step < processors; ++step) {
    const auto target_of = [&](int i) { return (i + step) % processors; };
    replay_round(replay, processors, target_of, [&](int i) { return bytes_of(i, target_of(i)); });
  }
}

/// The same messages all at once: nobody waits for one before all of his own are sent. They are the
/// last ones of the replay.
template <class BytesOf>
void replay_flood(TimeReplay& replay, int processors, BytesOf bytes_of) {
  const auto bytes = [&](int source, int target) {
    return static_cast<std::int64_t>(bytes_of(source, target));
  };
  TimeReplay sending = replay;  // where nobody receives, so that nobody waits
  for (int step = 1; step < processors; ++step) {
    for (int i = 0; i < processors; ++i) {
      const int target = (i + step) % processors;
      const std::int64_t size = bytes(i, target);
      replay.receive(target, size, sending.send(i, size));
    }
  }
}

}  // namespace postroom
