#include "collectives/models/shared_times.h"

namespace postroom {

double shared_loans_time(std::int64_t loans, double bytes, const TimeModel& model) {
  if (!model.shares_memory) return kNotPredicted;
  if (loans == 0) return 0;
  const double given_back = model.arrival(0);
  return model.fan_in(loans, 0) + bytes * model.copy_per_byte_ns + given_back;
}

double shared_slices_time(int processors, std::int64_t bytes, const TimeModel& model) {
  // Slices of p lists are read, and p are written.
  return shared_loans_time(std::int64_t{processors} - 1, 2.0 * static_cast<double>(bytes), model);
}

double reduce_shared_time(int processors, std::int64_t bytes, const TimeModel& model) {
  const double lists = 1 + 1.0 / processors;
  return shared_loans_time(2 * (std::int64_t{processors} - 1), lists * static_cast<double>(bytes),
                           model);
}

double gather_shared_time(int processors, std::int64_t block_bytes, const TimeModel& model) {
  return shared_loans_time(processors - 1, static_cast<double>(block_bytes), model);
}

}  // namespace postroom
