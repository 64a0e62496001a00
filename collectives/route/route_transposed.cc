#include "collectives/route/route_transposed.h"

#include "collectives/alltoall.h"
#include "collectives/parts/borrow.h"
#include "collectives/parts/partner_order.h"
#include "fat_trees/box_tree.h"

namespace postroom {
namespace {

// From here on an alltoall in shared memory would be `shared` on any number of processors, and that
// has the messages of the loans.
constexpr std::size_t kLentBytes = 32768;

}  // namespace

bool lends_blocks(const Processor& self, std::size_t block_bytes) {
  if (block_bytes < kLentBytes || !self.shares_memory()) return false;
  const BoxTree* const box = self.box();
  return box == nullptr || !box->has_order();
}

TransposedBlocks::TransposedBlocks(Processor& self, std::span<std::byte* const> begins,
                                   std::size_t block_bytes, std::byte* copies, Where where)
    : lent_(lends_blocks(self, block_bytes)), blocks_(begins.size()) {
  if (lent_) {
    lend(self, begins, block_bytes, where);
    return;
  }
  const std::size_t bytes = begins.size() * block_bytes;
  alltoall_bytes(self, {begins.front(), bytes}, {copies, bytes}, Algorithm::automatic, where);
  for (const std::byte*& block : blocks_) {
    block = copies;
    copies += block_bytes;
  }
}

void TransposedBlocks::lend(Processor& self, std::span<std::byte* const> begins,
                            std::size_t block_bytes, Where where) {
  const auto index = [](int processor) { return static_cast<std::size_t>(processor); };
  loans_.reserve(blocks_.size());
  borrowed_.reserve(blocks_.size());
  for_each_partner(self, [&](int target, int) {
    loans_.push_back(self.lend_bytes(target, {begins[index(target)], block_bytes}, where));
  });
  blocks_[index(self.id())] = begins[index(self.id())];
  for_each_partner(self, [&](int, int source) {
    borrowed_.push_back(borrow_exactly(self, source, block_bytes, where));
    blocks_[index(source)] = borrowed_.back().bytes().data();
  });
}

void TransposedBlocks::close() {
  borrowed_.clear();
  for (Pending& loan : loans_) loan.wait();
  loans_.clear();
}

}  // namespace postroom
