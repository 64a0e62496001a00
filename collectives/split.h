// Split: processors fall into groups by what each says.
//
// MPI_Comm_split. All processors with the same color get the group of these, ordered by key and,
// where keys are equal, by id. Any color is a group: who wants to be in none takes a color of its
// own. With groups whose members are known without asking, make the Group itself: it costs nothing.
//
// Called by all processors of `self`, which may be a group and must outlive the result. Cost: one
// allgather of 8 bytes, and of p processors p log p steps and 4 bytes for each member. Errors:
// those of allgather. It looks at what it has received, so it is not for a LightMachine with
// Payload::none.
//
//   Group row = split(self, self.id() / columns);                 // ordered by id
//   Group column = split(self, self.id() % columns, -self.id());  // the last one first
//   allreduce(row, in, out, std::plus<>());
#pragma once

#include "runtime/group.h"
#include "runtime/processor.h"

namespace postroom {

[[nodiscard]] Group split(Processor& self, int color, int key = 0, Where where = Where::current());

}  // namespace postroom
