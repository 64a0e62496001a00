#include "sort/counting_sort.h"

#include <stdexcept>

#include "collectives/alltoall.h"
#include "numa/rounding.h"

namespace postroom::sorting {
namespace {

/// One digit's count on the processors before this one, and on all.
struct Scan {
  std::uint64_t before;
  std::uint64_t total;
};

/// Step 3. counts[k * rows + j] is the count of row j on processor k; the scans lie alike.
std::vector<Scan> prefix_sums(std::span<const std::uint64_t> counts, std::size_t rows) {
  std::vector<Scan> scans(counts.size());
  std::vector<std::uint64_t> sums(rows);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::uint64_t& sum = sums[i % rows];
    scans[i].before = sum;
    sum += counts[i];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) scans[i].total = sums[i % rows];
  return scans;
}

std::string size_message(const char* name, std::size_t size, std::uint64_t block, int processor) {
  return std::string(name) + ": " + std::to_string(size) + " elements are not allowed; " +
         std::to_string(block) + ", the block of processor " + std::to_string(processor);
}

}  // namespace

std::size_t padded_digits(std::size_t digits, int processors) noexcept {
  return round_up(digits, static_cast<std::size_t>(processors));
}

DigitRanks find_ranks(Processor& self, std::span<const std::uint64_t> counts, Where where) {
  const std::size_t rows = counts.size() / static_cast<std::size_t>(self.count());
  std::vector<std::uint64_t> row_counts(counts.size());
  alltoall(self, counts, row_counts, Algorithm::automatic, where);  // Step 2
  const std::vector<Scan> scans = prefix_sums(row_counts, rows);    // Step 3
  std::vector<Scan> mine(counts.size());
  alltoall(self, scans, mine, Algorithm::automatic, where);  // Step 4
  DigitRanks ranks;                                          // Step 5
  for (const Scan& scan : mine) {
    ranks.first.push_back(ranks.elements);
    ranks.mine.push_back(ranks.elements + scan.before);
    ranks.elements += scan.total;
  }
  return ranks;
}

Cost find_ranks_cost(int processors, std::size_t digits) {
  const std::size_t rows = padded_digits(digits, processors) / static_cast<std::size_t>(processors);
  return alltoall_cost(processors, static_cast<std::int64_t>(rows * sizeof(std::uint64_t))) +
         alltoall_cost(processors, static_cast<std::int64_t>(rows * sizeof(Scan)));
}

void check_counting_sort(const Processor& self, const BlockDistribution& blocks, std::size_t from,
                         std::size_t to, std::size_t digits) {
  if (blocks.processors() != self.count()) {
    throw std::invalid_argument("blocks: " + std::to_string(blocks.processors()) +
                                " are not allowed; " + std::to_string(self.count()) +
                                ", one for each processor");
  }
  const std::uint64_t block = blocks.size(self.id());
  if (from != block) throw std::invalid_argument(size_message("from", from, block, self.id()));
  if (to != block) throw std::invalid_argument(size_message("to", to, block, self.id()));
  if (digits == 0) throw std::invalid_argument("digits: 0 is not allowed; at least 1");
}

void check_elements(const BlockDistribution& blocks, std::uint64_t elements) {
  if (elements == blocks.elements()) return;
  throw std::invalid_argument("blocks: of " + std::to_string(blocks.elements()) +
                              " elements are not allowed; the processors have " +
                              std::to_string(elements));
}

void throw_bad_digit(std::size_t element, const std::string& digit, std::size_t digits) {
  throw std::invalid_argument("digit of element " + std::to_string(element) + ": " + digit +
                              " is not allowed; 0 to " + std::to_string(digits - 1));
}

DigitPlaces::DigitPlaces(const BlockDistribution& blocks, std::span<const std::uint64_t> ranks,
                         std::span<const std::uint64_t> counts)
    : blocks_(blocks), cursors_(ranks.size()) {
  for (std::size_t digit = 0; digit < ranks.size(); ++digit) {
    if (counts[digit] == 0) continue;
    const int owner = blocks.owner(ranks[digit]);
    cursors_[digit] = {ranks[digit] - blocks.first(owner), blocks.size(owner), owner};
  }
}

}  // namespace postroom::sorting
