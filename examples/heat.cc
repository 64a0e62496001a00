// Heat in a ring of cells, cut among processors: each keeps some cells, and in every step gets the
// ones beside them from its neighbours. All begins in one cell, and spreads until every cell has
// the same.
//
//   bazel run //examples:heat
//
// Source: the halo exchange that is the usual first program of MPI.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "collectives/allreduce.h"
#include "runtime/machine.h"
#include "runtime/processor.h"

using namespace postroom;

/// The cells of one processor, between one of each neighbour.
using Cells = std::vector<double>;

/// Gets the first and the last of the cells, which are the neighbours'.
void get_neighbours(Processor& self, Cells& cells) {
  const int next = (self.id() + 1) % self.count();
  const int previous = (self.id() + self.count() - 1) % self.count();
  const std::size_t end = cells.size() - 1;
  self.exchange(next, cells[end - 1], previous, cells[0]);
  self.exchange(previous, cells[1], next, cells[end]);
}

/// One step: a quarter of what a cell has goes to each side.
void spread(Processor& self, Cells& cells) {
  get_neighbours(self, cells);
  double left = cells[0];
  for (std::size_t i = 1; i + 1 < cells.size(); ++i) {
    const double own = cells[i];
    cells[i] = (left + 2 * own + cells[i + 1]) / 4;
    left = own;
  }
}

int main() try {
  constexpr int kProcessors = 16;
  constexpr std::size_t kEach = 8;
  constexpr double kMean = 100;
  constexpr double kHeat = kMean * kProcessors * kEach;
  constexpr double kNear = 0.01;
  int steps = 0;
  Machine machine({.processors = kProcessors});  // where there are fewer cores, they take turns
  machine.run([&](Processor& self) {
    Cells cells(kEach + 2, 0);
    if (self.id() == 0) cells[1] = kHeat;
    int own_steps = 0;
    for (double off = kHeat; off > kNear; ++own_steps) {
      spread(self, cells);
      double own_off = 0;
      for (std::size_t i = 1; i <= kEach; ++i) {
        own_off = std::max(own_off, std::abs(cells[i] - kMean));
      }
      off = allreduce(self, own_off, Maximum());  // all come to the same, and end together
    }
    const double own_heat = std::reduce(cells.begin() + 1, cells.end() - 1);
    if (std::abs(allreduce(self, own_heat, std::plus<>()) - kHeat) > 1e-6) {
      throw std::logic_error("heat was lost");
    }
    if (self.id() == 0) steps = own_steps;
  });
  std::cout << kProcessors << " processors, " << kEach << " cells each: after " << steps
            << " steps every cell is within " << kNear << " of " << kMean << '\n';
} catch (const std::exception& error) {
  std::cerr << "heat: " << error.what() << '\n';
  return 2;
}
