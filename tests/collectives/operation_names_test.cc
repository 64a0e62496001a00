// A trace says of each message which operation it was part of.
#include <gtest/gtest.h>

#include <string>

#include "runtime/trace.h"
#include "tests/collectives/all_collectives.h"
#include "tests/collectives/testing.h"

namespace postroom {
namespace {

TEST(OperationNames, AreThoseOfTheCollectives) {
  constexpr int p = 4;
  Machine& machine = tracing_machine_of(p);
  for (const Collective& collective : all_collectives(p)) {
    if (collective.needs_shared_threads()) continue;
    SCOPED_TRACE(collective.name);
    machine.run([&](Processor& self) { collective.call(self, 1, 31); });
    ASSERT_FALSE(machine.trace().messages().empty());
    for (const Trace::Message& message : machine.trace().messages()) {
      EXPECT_EQ(operation_of(message), collective.name.substr(0, collective.name.find(' ')));
    }
  }
}

}  // namespace
}  // namespace postroom
