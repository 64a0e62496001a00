// The two channels from a processor to another: each delivers its messages in the order in which
// they were sent, whatever is on its way in the other one.
//
// So a collective never takes a message of the program, nor the program one of a collective, also
// where a receive was started before the collective and is filled after it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace postroom {

enum class Channel : std::uint8_t {
  kProgram,    ///< what a program sends
  kOperation,  ///< what is sent while there is an Operation (collective_support.h): collectives
};
inline constexpr std::size_t kChannels = 2;

/// Where a message goes that is sent during `operation`; null: during none.
constexpr Channel channel_of(const char* operation) noexcept {
  return operation != nullptr ? Channel::kOperation : Channel::kProgram;
}

/// One number, below 2^32, for another processor and a channel.
constexpr std::uint64_t channel_key(int peer, Channel channel) noexcept {
  return std::uint64_t{static_cast<std::uint32_t>(peer)} << 1U |
         static_cast<std::uint64_t>(channel);
}
constexpr int peer_of(std::uint64_t channel_key) noexcept {
  return static_cast<int>(channel_key >> 1U);
}
constexpr Channel channel_of(std::uint64_t channel_key) noexcept {
  return static_cast<Channel>(channel_key & 1U);
}

}  // namespace postroom
