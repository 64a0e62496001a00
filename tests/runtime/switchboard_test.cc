#include "runtime/switchboard.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory_resource>

#include "runtime/mailbox.h"
#include "runtime/wait.h"

namespace postroom {
namespace {

/// Counts what was asked for.
class CountedMemory final : public std::pmr::memory_resource {
 public:
  std::size_t bytes = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t alignment) override {
    bytes += size;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* memory, std::size_t size, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Whoever asks first, and whoever makes it larger: here it is all one thread.
TEST(Switchboard, AMailboxLiesInTheMemoryOfItsReceiver) {
  constexpr int kProcessors = 3;
  std::array<CountedMemory, kProcessors> memories;
  Switchboard board(kProcessors, WaitPolicy{}, nullptr, false);
  for (int id = 0; id < kProcessors; ++id) board.set_memory(id, &memories[id]);
  for (int source = 0; source < kProcessors; ++source) {
    for (int target = 0; target < kProcessors; ++target) {
      for (CountedMemory& memory : memories) memory.bytes = 0;
      Mailbox<>& mailbox = board.mailbox(source, target, Channel::kProgram);
      const std::size_t first_ring = memories[target].bytes;
      EXPECT_GT(first_ring, 0u);
      const std::array<std::byte, Mailbox<>::kNoteBytes> data{};
      mailbox.post_note(data);
      EXPECT_GE(memories[target].bytes, first_ring + Mailbox<>::kNotes * data.size());
      const std::size_t with_notes = memories[target].bytes;
      for (int i = 0; i < 100; ++i) mailbox.post_inline({});
      EXPECT_GT(memories[target].bytes, with_notes);
      EXPECT_EQ(&board.mailbox(source, target, Channel::kProgram), &mailbox);
      for (int id = 0; id < kProcessors; ++id) {
        EXPECT_EQ(memories[id].bytes != 0, id == target) << source << " to " << target;
      }
    }
  }
}

TEST(Switchboard, EachChannelHasMailboxesOfItsOwn) {
  Switchboard board(2, WaitPolicy{}, nullptr, false);
  Mailbox<>& programs = board.mailbox(0, 1, Channel::kProgram);
  Mailbox<>& operations = board.mailbox(0, 1, Channel::kOperation);
  EXPECT_NE(&programs, &operations);
  (void)operations.post_inline({});
  EXPECT_FALSE(programs.try_front());
  EXPECT_TRUE(operations.try_front());
  (void)programs.post_inline({});
  EXPECT_EQ(board.unreceived().find("\n  1 "), 0u);
}

}  // namespace
}  // namespace postroom
