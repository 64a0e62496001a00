#include "sort/copy_sorted.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "sort/arguments.h"
#include "sort/compiled_sizes.h"
#include "sort/engine/config.h"
#include "sort/engine/layout.h"
#include "sort/engine/lease.h"
#include "sort/field_key.h"
#include "sort/piece_sort.h"
#include "sort/whole_keys.h"

namespace postroom {
namespace sorting {
namespace {

using RowSizes = std::index_sequence<8, 12, 16, 20, 24, 32, 40, 48, 64>;

}  // namespace

bool copy_sorted(const StoredRecords& stored, std::size_t most_bytes, const SortOptions& options,
                 const SortConfig* config) {
  check_field(0, stored.record_bytes, stored.key_offset, stored.key);
  check_options(options);
  if (!stored.read || !stored.write) {
    throw std::invalid_argument("stored: an empty `read` or `write` is not allowed");
  }
  if (options.algorithm != SortAlgorithm::automatic) return false;
  if (!can_copy_sorted(stored.record_bytes, stored.key)) return false;
  const Field field{stored.record_bytes, stored.key_offset, stored.key, options.descending};
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  Lease lease(options, stored.records, chosen.alone_records);
  if (config == nullptr) chosen = lease.config();
  bool done = false;
  const auto sort = [&]<std::size_t kBytes>(auto key_of) {
    using Records = Rows<kBytes, decltype(key_of)>;
    PieceSort<Records, decltype(key_of)> pieces(stored, key_of, most_bytes, lease.processors(),
                                                chosen, options.progress);
    lease.run([&](Team team) { pieces.run(team); });
    pieces.rethrow();
    done = pieces.done();
  };
  if (is_whole(field)) {
    with_key_of(format_of(field), [&]<class KeyOf>(KeyOf key_of) {
      if constexpr (KeyOf::kRecordBytes >= sizeof(std::uint32_t)) {
        sort.template operator()<KeyOf::kRecordBytes>(key_of);
      }
    });
  } else {
    with_size(field.record_bytes, RowSizes(), [&]<std::size_t kBytes>() {
      with_record_key<kBytes>(field,
                              [&](auto key_of) { sort.template operator()<kBytes>(key_of); });
    });
  }
  if (done && options.progress) options.progress(1);
  return done;
}

}  // namespace sorting

bool can_copy_sorted(std::size_t record_bytes, KeyType key) {
  if (record_bytes == key_bytes(key)) return record_bytes >= sizeof(std::uint32_t);
  return sorting::with_size(record_bytes, sorting::RowSizes(), []<std::size_t>() {});
}

bool copy_sorted(const StoredRecords& stored, std::size_t most_bytes, const SortOptions& options) {
  return sorting::copy_sorted(stored, most_bytes, options, nullptr);
}

}  // namespace postroom
