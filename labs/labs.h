// What is to be written: five collectives, each in a file of its own that has a slow one to begin
// with. labs/README.md is the sheet; tools/grade says how good they are.
//
// They send and receive with `self`, by runtime/processor.h alone. self.id() is this processor,
// self.count() how many there are; all call the same function. `lambda` is the latency λ of the
// machine, the same for all.
#pragma once

#include <vector>

#include "runtime/processor.h"
#include "runtime/rational.h"

namespace postroom::labs {

/// Processor 0 has the item; at the end all have it.
void broadcast(Processor& self, const Rational& lambda, int& item);

/// Returns the sum of the values of all processors, on all of them.
long allreduce(Processor& self, const Rational& lambda, long value);

/// Returns the values of all processors, on all of them: at i that of processor i.
std::vector<int> allgather(Processor& self, int value);

/// `blocks` has one block for each processor, at i that for processor i, and all blocks are of one
/// size. Returns the blocks that the others have for this one: at i that of processor i.
std::vector<std::vector<int>> alltoall(Processor& self,
                                       const std::vector<std::vector<int>>& blocks);

/// Returns the sum of the values of the processors 0 to self.id().
long scan(Processor& self, long value);

}  // namespace postroom::labs
