// What the tests of heavy keys and of heavy records share.
#pragma once

#include <gtest/gtest.h>

#include "runtime/machine.h"
#include "sort/engine/failure.h"
#include "sort/engine/steps.h"

namespace postroom::sorting {

/// Takes out what is heavy on so many processors, has one of them call `sort` for the light ones,
/// and puts it back. Returns whether `sort` failed.
template <class Heavy, class Sort>
bool take_out_and_put_back(Heavy& heavy, int processors, const Sort& sort) {
  Failure failure;
  Machine machine({.processors = processors, .pin = false});
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    EXPECT_TRUE(heavy.take_out(steps, {}));
    steps.in_any_case([&] {
      if (self.id() == 0) sort();
    });
    heavy.put_back(steps);
  });
  return failure.by(1000);
}

}  // namespace postroom::sorting
