// Lists that are lent, borrowed and read where they lie.
#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/runtime/message_lists.h"
#include "tests/runtime/testing.h"

namespace postroom {
namespace {

TEST(Loans, ALoanIsReadInPlaceAndGivenBack) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    std::vector<int> lent = counting(1000, 0);
    machine.run([&](Processor& self) {
      if (self.id() == 0) {
        Pending loan = self.lend(1, lent);
        loan.wait();
        lent[0] = 17;  // a race, were the loan not over
      } else {
        Borrowed borrowed = self.borrow_bytes(0);
        EXPECT_EQ(borrowed.as<int>().data(), lent.data());
        EXPECT_EQ(borrowed.as<int>()[999], 999);
        Borrowed moved = std::move(borrowed);
        EXPECT_EQ(moved.as<int>()[0], 0);
        moved.give_back();
        EXPECT_TRUE(moved.bytes().empty());
      }
    });
  }
}

TEST(Loans, LoansAreGivenBackInAnyOrder) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      constexpr int kLoans = 10;
      if (self.id() == 0) {
        std::vector<int> data = counting(kLoans, 0);
        std::vector<Pending> loans;
        for (int i = 0; i < kLoans; ++i) loans.push_back(self.lend(1, std::span(&data[i], 1)));
        for (int i = 0; i < kLoans; ++i) loans[i].wait();
      } else {
        std::vector<Borrowed> borrowed;
        for (int i = 0; i < kLoans; ++i) borrowed.push_back(self.borrow_bytes(0));
        for (int i = kLoans - 1; i >= 0; --i) {
          EXPECT_EQ(borrowed[i].as<int>()[0], i);
          borrowed[i].give_back();
        }
      }
    });
  }
}

TEST(Loans, BorrowTakesWhatWasSentAndReceiveWhatWasLent) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      for (const std::size_t n : kMessageSizes) {
        const std::vector<int> out = counting(n, 2);
        if (self.id() == 0) {
          self.send(1, out);
          self.lend(1, out).wait();
        } else {
          Borrowed borrowed = self.borrow_bytes(0);
          EXPECT_TRUE(std::ranges::equal(borrowed.as<int>(), out));
          borrowed.give_back();
          std::vector<int> in(n);
          self.receive(0, in);
          EXPECT_EQ(in, out);
        }
      }
    });
  }
}

TEST(Loans, TwoListsAreLentAsOneMessage) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      const std::vector<int> data = counting(1000, 0);
      std::vector<int> place(1000);
      if (self.id() == 0) {
        self.lend_both_bytes(1, bytes_of(data), writable_bytes_of(place)).wait();
        EXPECT_EQ(place, counting(1000, 0));
        self.lend_both_bytes(1, {}, {}).wait();
        self.lend(1, data).wait();
      } else {
        Borrowed borrowed = self.borrow_bytes(0);
        Borrowed moved;
        moved = std::move(borrowed);
        EXPECT_TRUE(borrowed.place().empty());
        std::ranges::copy(moved.bytes(), moved.place().begin());
        moved.give_back();
        EXPECT_TRUE(moved.place().empty());
        EXPECT_TRUE(self.borrow_bytes(0).place().empty());
        EXPECT_TRUE(self.borrow_bytes(0).place().empty());
      }
    });
  }
}

// By the borrower alone, or with the help of a lender that waits at once, later, or not before the
// loan is over.
TEST(Loans, WhatIsLentIsFilled) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      for (const std::size_t n : kMessageSizes) {
        for (const int barriers : {0, 1, 2}) {
          std::vector<int> data = counting(n, self.id() == 0 ? 0 : barriers + 1);
          if (self.id() == 0) {
            Pending loan = self.lend(1, data);
            for (int i = 0; i < barriers; ++i) self.barrier();
            loan.wait();
            EXPECT_EQ(data, counting(n, barriers + 1));
            data.assign(n, 17);  // a race, were the loan not over
          } else {
            Borrowed place = self.borrow_bytes(0);
            if (barriers > 0) self.barrier();
            place.fill(bytes_of(data), data.size() * sizeof(int));
            EXPECT_TRUE(place.bytes().empty());
            place.fill(bytes_of(data), data.size() * sizeof(int));  // nothing more
            if (barriers > 1) self.barrier();
          }
        }
      }
    });
  }
}

TEST(Loans, WhatIsSentOrLentIsReadWhereItLies) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      for (const std::size_t n : kMessageSizes) {
        const std::vector<int> out = counting(n, 2);
        if (self.id() == 0) {
          self.send(1, out);
          self.lend(1, out).wait();
          self.send(1, out);
        } else {
          std::vector<int> first(n);
          Pending receive = self.start_receive(0, first);  // comes before
          int calls = 0;
          const auto read = [&](ConstBytes message) {
            ++calls;
            EXPECT_TRUE(std::ranges::equal(message, bytes_of(out)));
          };
          self.read(0, n * sizeof(int), read);
          self.read(0, n * sizeof(int), read);
          EXPECT_EQ(calls, 2);
          receive.wait();
          EXPECT_EQ(first, out);
        }
      }
    });
  }
}

TEST(Loans, AReaderMayThrow) {
  for (const MachineOptions& way : ways_to_carry(2)) {
    Machine machine(way);
    machine.run([](Processor& self) {
      for (const std::size_t n : kMessageSizes) {
        std::vector<int> data = counting(n, 3);
        if (self.id() == 0) {
          self.send(1, data);
          self.send(1, data);
        } else {
          const auto read = [](ConstBytes) { throw std::domain_error("unreadable"); };
          EXPECT_THROW(self.read(0, n * sizeof(int), read), std::domain_error);
          std::ranges::fill(data, 0);
          self.receive(0, data);
          EXPECT_EQ(data, counting(n, 3));
        }
      }
    });
  }
}

}  // namespace
}  // namespace postroom
