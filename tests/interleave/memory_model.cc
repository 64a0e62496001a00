#include "tests/interleave/memory_model.h"

#include <algorithm>
#include <cstddef>

namespace postroom::interleave {
namespace {

bool acquires(std::memory_order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}

bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void MemoryModel::Knowledge::clear() {
  clock.fill(0);
  stores.clear();
}

MemoryModel::StoreNumber MemoryModel::Knowledge::of(Location location) const {
  const auto index = static_cast<std::size_t>(location);
  return index < stores.size() ? stores[index] : 0;
}

void MemoryModel::Knowledge::raise(Location location, StoreNumber store) {
  const auto index = static_cast<std::size_t>(location);
  if (index >= stores.size()) stores.resize(index + 1, 0);
  stores[index] = std::max(stores[index], store);
}

void MemoryModel::Knowledge::join_stores(const UntrackedVector<StoreNumber>& others) {
  if (others.size() > stores.size()) stores.resize(others.size(), 0);
  for (std::size_t i = 0; i < others.size(); ++i) stores[i] = std::max(stores[i], others[i]);
}

void MemoryModel::Knowledge::join(const Knowledge& other) {
  for (int t = 0; t < kMaxThreads; ++t) clock[t] = std::max(clock[t], other.clock[t]);
  join_stores(other.stores);
}

void MemoryModel::reset(int history) {
  history_ = history;
  locations_ = 0;
  sequential_.clear();
  for (int t = 0; t < kMaxThreads; ++t) {
    Thread& thread = threads_[t];
    thread.known.clear();
    thread.known.clock[t] = 1;
    thread.loaded.clear();
    thread.released.clear();
    thread.spin_of_load.clear();
    thread.spin = 1;
  }
}

Location MemoryModel::construct(int thread, std::uint64_t value) {
  const Location location = locations_++;
  if (atomics_.size() < static_cast<std::size_t>(locations_)) atomics_.emplace_back();
  Atomic& atomic = atomics_[location];
  atomic.stores.resize(history_);
  atomic.newest = 0;
  append(thread, location, value, std::memory_order_relaxed, false);
  return location;
}

bool MemoryModel::knows(int thread, Location location) const {
  return threads_[thread].known.of(location) != 0;
}

const MemoryModel::Store& MemoryModel::at(Location location, int age) const {
  const Atomic& atomic = atomics_[location];
  return atomic.stores[(atomic.newest - age) % history_];
}

std::uint64_t MemoryModel::value(Location location, int age) const {
  return at(location, age).value;
}

int MemoryModel::readable(int thread, Location location, std::memory_order order) const {
  StoreNumber oldest = threads_[thread].known.of(location);
  if (order == std::memory_order_seq_cst) oldest = std::max(oldest, sequential_.of(location));
  return std::min<int>(atomics_[location].newest - oldest + 1, history_);
}

void MemoryModel::take_in(Thread& thread, Location location, int age, std::memory_order order) {
  const StoreNumber number = atomics_[location].newest - age;
  const Store& store = at(location, age);
  thread.known.raise(location, number);
  if (order == std::memory_order_seq_cst) sequential_.raise(location, number);
  (acquires(order) ? thread.known : thread.loaded).join(store.released);
}

std::uint64_t MemoryModel::load(int id, Location location, int age, std::memory_order order) {
  Thread& thread = threads_[id];
  take_in(thread, location, age, order);
  ++thread.known.clock[id];
  if (thread.spin_of_load.size() < static_cast<std::size_t>(locations_)) {
    thread.spin_of_load.resize(locations_, 0);
  }
  thread.spin_of_load[location] = thread.spin;
  return at(location, age).value;
}

bool MemoryModel::append(int id, Location location, std::uint64_t value, std::memory_order order,
                         bool continues_release_sequence) {
  Thread& thread = threads_[id];
  Atomic& atomic = atomics_[location];
  const Store& before = at(location, 0);
  Store& store = atomic.stores[++atomic.newest % history_];

  thread.known.raise(location, atomic.newest);
  if (order == std::memory_order_seq_cst) sequential_.raise(location, atomic.newest);

  store.value = value;
  store.released = releases(order) ? thread.known : thread.released;
  if (continues_release_sequence) store.released.join(before.released);
  ++thread.known.clock[id];  // what the thread does from now on is not handed on by this store
  return value != before.value;
}

bool MemoryModel::store(int thread, Location location, std::uint64_t value,
                        std::memory_order order) {
  return append(thread, location, value, order, false);
}

bool MemoryModel::read_modify_write(int thread, Location location, std::uint64_t value,
                                    std::memory_order order) {
  take_in(threads_[thread], location, 0, order);
  return append(thread, location, value, order, true);
}

void MemoryModel::fence(int id, std::memory_order order) {
  Thread& thread = threads_[id];
  if (acquires(order)) thread.known.join(thread.loaded);
  if (order == std::memory_order_seq_cst) {
    sequential_.join_stores(thread.known.stores);
    thread.known.join_stores(sequential_.stores);
  }
  if (releases(order)) thread.released = thread.known;
  ++thread.known.clock[id];
}

bool MemoryModel::catch_up(int id) {
  Thread& thread = threads_[id];
  bool news = false;
  for (std::size_t i = 0; i < thread.spin_of_load.size(); ++i) {
    const auto location = static_cast<Location>(i);
    if (thread.spin_of_load[i] != thread.spin) continue;
    news |= thread.known.of(location) < atomics_[location].newest;
    see_newest(id, location);
  }
  ++thread.spin;
  return news;
}

void MemoryModel::see_newest(int thread, Location location) {
  threads_[thread].known.raise(location, atomics_[location].newest);
}

void MemoryModel::start(int parent, int child) {
  threads_[child].known.join(threads_[parent].known);
  ++threads_[parent].known.clock[parent];
}

void MemoryModel::join(int parent, int child) {
  threads_[parent].known.join(threads_[child].known);
}

}  // namespace postroom::interleave
