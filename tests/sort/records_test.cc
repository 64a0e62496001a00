// Records of every kind of size, keys of every type at every place; compared with std::stable_sort.
#include "sort/records.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sort/field_key.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

struct Shape {
  std::size_t record_bytes;
  std::size_t key_offset;
  KeyType key;

  std::string text() const {
    return std::to_string(record_bytes) + " bytes, a " + to_string(key) + " at " +
           std::to_string(key_offset);
  }
};

// Calls use.operator()<T>() with the type of the key.
template <class Use>
auto with_type(KeyType key, Use&& use) {
  switch (key) {
    case KeyType::u8:
      return use.template operator()<std::uint8_t>();
    case KeyType::u16:
      return use.template operator()<std::uint16_t>();
    case KeyType::u32:
      return use.template operator()<std::uint32_t>();
    case KeyType::u64:
      return use.template operator()<std::uint64_t>();
    case KeyType::i8:
      return use.template operator()<std::int8_t>();
    case KeyType::i16:
      return use.template operator()<std::int16_t>();
    case KeyType::i32:
      return use.template operator()<std::int32_t>();
    case KeyType::i64:
      return use.template operator()<std::int64_t>();
    case KeyType::f32:
      return use.template operator()<float>();
    case KeyType::f64:
      return use.template operator()<double>();
  }
  throw std::logic_error("no such type");
}

std::vector<std::byte> random_bytes(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Random bytes around keys of few different values, so that stability shows.
std::vector<std::byte> random_records(const Shape& shape, std::size_t records, std::uint64_t seed) {
  auto bytes = random_bytes(records * shape.record_bytes, seed);
  std::mt19937_64 random(seed);
  for (std::size_t i = 1; i < records; i += 2) {
    const std::size_t other = random() % i;
    std::copy_n(&bytes[other * shape.record_bytes + shape.key_offset], key_bytes(shape.key),
                &bytes[i * shape.record_bytes + shape.key_offset]);
  }
  return bytes;
}

template <class T>
T key_at(const std::byte* record, const Shape& shape) {
  T key;
  std::memcpy(&key, record + shape.key_offset, sizeof(T));
  return key;
}

std::vector<std::byte> expected(const std::vector<std::byte>& bytes, const Shape& shape,
                                bool descending) {
  return with_type(shape.key, [&]<class T>() {
    std::vector<Numbered<T>> keys;
    for (std::uint32_t i = 0; i * shape.record_bytes < bytes.size(); ++i) {
      keys.push_back({key_at<T>(&bytes[i * shape.record_bytes], shape), i});
    }
    std::vector<std::byte> sorted;
    for (const Numbered<T>& key : expected_order(keys, descending)) {
      const std::byte* record = &bytes[key.number * shape.record_bytes];
      sorted.insert(sorted.end(), record, record + shape.record_bytes);
    }
    return sorted;
  });
}

void expect_sorted(const Shape& shape, std::size_t records, const SortOptions& options) {
  const auto bytes = random_records(shape, records, /*seed=*/records + shape.record_bytes);
  auto sorted = bytes;
  sort_records(sorted, shape.record_bytes, shape.key_offset, shape.key, options);
  ASSERT_TRUE(same_bytes(sorted, expected(bytes, shape, options.descending)))
      << shape.text() << ", n = " << records << ", p = " << options.processors
      << (options.descending ? ", descending" : "") << ", " << to_string(options.algorithm);
  EXPECT_EQ(first_disorder(sorted, shape.record_bytes, shape.key_offset, shape.key, options),
            std::nullopt);
}

// First, middle and last place that a key can have.
std::vector<Shape> shapes_of(std::size_t record_bytes) {
  std::vector<Shape> shapes;
  for (const KeyType key : kKeyTypes) {
    if (key_bytes(key) > record_bytes) continue;
    const std::size_t last = record_bytes - key_bytes(key);
    shapes.push_back({record_bytes, 0, key});
    if (last >= 1) shapes.push_back({record_bytes, last, key});
    if (last >= 2) shapes.push_back({record_bytes, last / 2, key});
  }
  return shapes;
}

TEST(Records, EverySizeUpTo70AndEveryType) {
  for (std::size_t record_bytes = 1; record_bytes <= 70; ++record_bytes) {
    for (const Shape& shape : shapes_of(record_bytes)) {
      expect_sorted(shape, 150, {.descending = record_bytes % 2 == 0});
    }
  }
}

TEST(Records, LargeOnes) {
  for (const std::size_t record_bytes : {100, 127, 1000, 4096, 65535, 65536}) {
    for (const Shape& shape : shapes_of(record_bytes)) expect_sorted(shape, 40, {});
  }
}

TEST(Records, ManyOfThemOnSeveralProcessors) {
  for (const std::size_t record_bytes : {1, 2, 3, 4, 8, 12, 16, 24, 25, 64, 100}) {
    for (const int processors : {1, 2, 5}) {
      const Shape shape{record_bytes, record_bytes / 2, KeyType::i8};
      expect_sorted(shape, 40'000, {.processors = processors, .pin = false});
    }
  }
  expect_sorted({16, 8, KeyType::u64}, 100'000, {.processors = 2});
  expect_sorted({100, 3, KeyType::f64}, 100'000, {.processors = 2});
}

// Kinds of records that have code of their own (is_common_kind), and their neighbours that have
// not.
TEST(Records, CommonKindsInEveryOrder) {
  constexpr std::size_t kSize = 40'000;
  for (const std::size_t record_bytes : {8, 12, 16, 24}) {
    for (const Shape& shape : shapes_of(record_bytes)) {
      if (key_bytes(shape.key) < 4) continue;
      const bool descending = shape.key_offset % 2 == 1;
      expect_sorted(shape, kSize, {.processors = 2, .descending = descending});
      expect_sorted(shape, 3000, {.descending = !descending});
    }
  }
}

TEST(Records, CommonKindsInAnArrayOfTwoRows) {
  for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32}) {
    for (const std::size_t offset : {0, 4}) {
      const Shape shape{8, offset, key};
      auto rows = random_records(shape, 50'000, /*seed=*/offset);
      const std::span<std::byte> all(rows);
      sort_records(all.first(8 * 30'000), 8, offset, key);
      sort_records(all.subspan(8 * 30'000), 8, offset, key);
      auto sorted = rows;
      sort_records(sorted, 8, offset, key);
      EXPECT_TRUE(same_bytes(sorted, expected(rows, shape, false))) << shape.text();
    }
  }
}

TEST(KeyTypes, OfTypes) {
  enum class Small : std::int8_t {};
  static_assert(sorting::key_type_of<bool>() == KeyType::u8);
  static_assert(sorting::key_type_of<Small>() == KeyType::i8);
  static_assert(sorting::key_type_of<char16_t>() == KeyType::u16);
  static_assert(sorting::key_type_of<std::int16_t>() == KeyType::i16);
  static_assert(sorting::key_type_of<std::uint32_t>() == KeyType::u32);
  static_assert(sorting::key_type_of<int>() == KeyType::i32);
  static_assert(sorting::key_type_of<const std::uint64_t>() == KeyType::u64);
  static_assert(sorting::key_type_of<std::chrono::nanoseconds>() == KeyType::i64);
  static_assert(sorting::key_type_of<float>() == KeyType::f32);
  static_assert(sorting::key_type_of<std::chrono::duration<double>>() == KeyType::f64);
}

TEST(Records, AllAlgorithms) {
  for (const SortAlgorithm algorithm : kSortAlgorithms) {
    for (const std::size_t record_bytes : {4, 12, 29, 100}) {
      const Shape shape{record_bytes, 0, KeyType::f32};
      expect_sorted(shape, 3000, {.processors = 3, .pin = false, .algorithm = algorithm});
    }
  }
}

TEST(Records, UnalignedMemory) {
  const auto bytes = random_bytes(1 + 8 * 5000, 3);
  std::vector<std::byte> memory = bytes;
  sort_records(std::span(memory).subspan(1), 8, 0, KeyType::u64);
  EXPECT_EQ(memory[0], bytes[0]);
  EXPECT_EQ(first_disorder(std::span(memory).subspan(1), 8, 0, KeyType::u64), std::nullopt);
}

TEST(Records, FirstDisorder) {
  for (const std::size_t size : {2, 10, 100'000}) {
    std::vector<std::uint32_t> keys(size);
    std::iota(keys.begin(), keys.end(), 10);
    const auto first = [&](const SortOptions& options) {
      return first_disorder(std::as_bytes(std::span(keys)), 4, 0, KeyType::u32, options);
    };
    EXPECT_EQ(first({}), std::nullopt);
    EXPECT_EQ(first({.descending = true}), 1U);
    for (const std::size_t place : {size - 1, size / 2, std::size_t{1}}) {
      keys[place] = 0;
      for (const int processors : {1, 2, 3}) {
        EXPECT_EQ(first({.processors = processors}), place) << size;
      }
    }
  }
}

TEST(Records, FirstDisorderOfNothing) {
  EXPECT_EQ(first_disorder({}, 8, 0, KeyType::u64), std::nullopt);
  EXPECT_EQ(first_disorder(random_bytes(8, 1), 8, 0, KeyType::u64), std::nullopt);
}

// What a wrong call says, with the records untouched.
std::string refusal(std::size_t bytes, std::size_t record_bytes, std::size_t key_offset,
                    KeyType key, const SortOptions& options = {}) {
  const auto before = random_bytes(bytes, 1);
  auto data = before;
  std::string said;
  try {
    sort_records(data, record_bytes, key_offset, key, options);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  EXPECT_EQ(data, before);
  try {
    (void)first_disorder(data, record_bytes, key_offset, key, options);
    ADD_FAILURE() << "first_disorder accepted it";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), said);
  }
  return said;
}

TEST(Records, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(refusal(16, 0, 0, KeyType::u8), "record_bytes: 0 is not allowed; 1 to 65536");
  EXPECT_EQ(refusal(16, 65537, 0, KeyType::u8), "record_bytes: 65537 is not allowed; 1 to 65536");
  EXPECT_EQ(refusal(16, 4, 0, KeyType::u64), "key: a u64 is not allowed in records of 4 bytes");
  EXPECT_EQ(refusal(16, 8, 5, KeyType::f32),
            "key_offset: 5 is not allowed; a f32 in records of 8 bytes begins at 0 to 4");
  EXPECT_EQ(refusal(16, 8, ~std::size_t{0}, KeyType::u8),
            "key_offset: 18446744073709551615 is not allowed; a u8 in records of 8 bytes begins at "
            "0 to 7");
  EXPECT_EQ(refusal(17, 8, 0, KeyType::u64),
            "data: 17 bytes are not allowed; a multiple of record_bytes, 8");
  EXPECT_EQ(refusal(16, 8, 0, KeyType::u64, {.processors = -1}),
            "processors: -1 is not allowed; 1 to 1048576, or 0 for as many as the box gives");
}

TEST(KeyTypes, NamesAndSizes) {
  EXPECT_EQ(to_string(KeyType::f64), "f64");
  EXPECT_EQ(key_bytes(KeyType::i16), 2U);
  EXPECT_TRUE(is_signed(KeyType::f32));
  EXPECT_FALSE(is_signed(KeyType::u64));
  EXPECT_FALSE(is_floating(KeyType::i64));
}

TEST(Records, ByKeysOfBytes) {
  for (const std::size_t bytes : {1, 2, 3, 4, 7, 8, 9, 10, 16, 21}) {
    for (const std::size_t record_bytes : {bytes, bytes + 3, std::size_t{100}}) {
      for (const bool descending : {false, true}) {
        const std::size_t size = record_bytes == 100 ? 40'000 : 300;
        const std::size_t offset = (record_bytes - bytes) / 2;
        std::vector<std::byte> scratch(byte_key_scratch_bytes(size, record_bytes));
        SortOptions options{.processors = 2, .descending = descending};
        if (bytes % 2 == 0) options.scratch = scratch;
        auto data = random_bytes(size * record_bytes, bytes);
        // Many keys are alike, wholly or but for their last byte.
        for (std::size_t i = 1; i < size; i += 2) {
          std::copy_n(&data[(i - 1) * record_bytes + offset], bytes - i / 2 % 2,
                      &data[i * record_bytes + offset]);
        }
        std::vector<std::string> expected;
        const std::string all(reinterpret_cast<const char*>(data.data()), data.size());
        for (std::size_t i = 0; i < size; ++i) {
          expected.push_back(all.substr(i * record_bytes, record_bytes));
        }
        std::ranges::stable_sort(expected, [&](const std::string& a, const std::string& b) {
          const int order = a.compare(offset, bytes, b, offset, bytes);
          return descending ? order > 0 : order < 0;
        });
        sort_records(data, record_bytes, offset, ByteKey{bytes}, options);
        std::string sorted;
        for (const std::string& record : expected) sorted += record;
        EXPECT_EQ(std::memcmp(data.data(), sorted.data(), sorted.size()), 0)
            << bytes << " bytes of " << record_bytes << (descending ? ", descending" : "");
        EXPECT_FALSE(first_disorder(data, record_bytes, offset, ByteKey{bytes}, options));
        std::swap_ranges(&data[0], &data[record_bytes], &data[(size - 1) * record_bytes]);
        EXPECT_EQ(first_disorder(data, record_bytes, offset, ByteKey{bytes}, options), 1U);
      }
    }
  }
}

// Of three words, so that many, some or few are equal in one and apart in the next.
TEST(Records, ByKeysOfBytesThatBeginAlike) {
  constexpr std::size_t kSize = 100'000;
  constexpr std::size_t kBytes = 24;
  for (const auto& [first, second] : {std::pair(1, 1), std::pair(1, 7), std::pair(3, 40'000),
                                      std::pair(90, 2), std::pair(1'000, 90)}) {
    std::mt19937_64 random(kSize);
    std::vector<std::string> expected(kSize);
    for (std::string& record : expected) {
      const std::uint64_t words[] = {random() % first, random() % second, random() % kSize};
      record.assign(reinterpret_cast<const char*>(words), kBytes);
    }
    for (std::size_t i = 0; i < kSize; ++i) expected[i] += std::to_string(100'000 + i);
    std::vector<std::byte> unsorted;
    for (const std::string& record : expected) {
      const auto bytes = std::as_bytes(std::span(record));
      unsorted.insert(unsorted.end(), bytes.begin(), bytes.end());
    }
    std::ranges::stable_sort(expected, {},
                             [](const std::string& record) { return record.substr(0, kBytes); });
    std::string sorted;
    for (const std::string& record : expected) sorted += record;
    for (const SortAlgorithm algorithm : {SortAlgorithm::automatic, SortAlgorithm::radix_direct}) {
      for (const int processors : {1, 2, 5}) {
        std::vector<std::byte> data = unsorted;
        sort_records(data, kBytes + 6, 0, ByteKey{kBytes},
                     {.processors = processors, .pin = false, .algorithm = algorithm});
        EXPECT_EQ(std::memcmp(data.data(), sorted.data(), sorted.size()), 0)
            << first << " and " << second << ", p = " << processors << ", " << to_string(algorithm);
      }
    }
  }
}

// The number as eight bytes, the first the most significant.
std::string big_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

std::vector<std::byte> bytes_of(const std::vector<std::string>& records) {
  std::vector<std::byte> bytes;
  for (const std::string& record : records) {
    const auto own = std::as_bytes(std::span(record));
    bytes.insert(bytes.end(), own.begin(), own.end());
  }
  return bytes;
}

// Pairs that are equal in the first word; a second word is the first of the pair before, so that
// rows of one processor could be taken for rows of the next.
TEST(Records, ByKeysOfBytesThatBeginAlikeInPairs) {
  constexpr std::uint64_t kSize = 60'000;
  std::vector<std::string> records;
  for (std::uint64_t i = 0; i < kSize; ++i) {
    const std::uint64_t second = i % 2 == 1 ? std::uint64_t{1} << 63 : i / 2 - 1;
    records.push_back(big_endian(i / 2) + big_endian(second));
  }
  std::ranges::shuffle(records, std::mt19937_64(kSize));
  const std::vector<std::byte> unsorted = bytes_of(records);
  std::ranges::stable_sort(records);
  const std::vector<std::byte> expected = bytes_of(records);
  for (const int processors : {2, 5}) {
    for (int times = 0; times < 20; ++times) {
      std::vector<std::byte> data = unsorted;
      sort_records(data, 16, 0, ByteKey{16}, {.processors = processors, .pin = false});
      ASSERT_TRUE(same_bytes(data, expected)) << "p = " << processors << ", seed " << kSize;
    }
  }
}

// Runs it on a thread with a stack of 256 KiB.
void on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} << 10), 0);
  const auto call = [](void* given) -> void* {
    (*static_cast<std::function<void()>*>(given))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

TEST(Records, ByKeysOfManyBytesOnASmallStack) {
  constexpr std::size_t kBytes = 10'000;
  constexpr std::size_t kWords = kBytes / 8;
  // Equal but for the number behind the key.
  std::vector<std::string> equal;
  for (int i = 0; i < 1'100; ++i) equal.push_back(std::string(kBytes, 'k') + big_endian(i));
  // Each word tells one more from all others.
  std::vector<std::string> apart;
  for (std::size_t i = 0; i < 1'000; ++i) {
    std::string record;
    for (std::size_t word = 0; word < kWords; ++word) record += big_endian(word >= i ? 1 : 0);
    apart.push_back(record + big_endian(i));
  }
  std::ranges::shuffle(apart, std::mt19937_64(kBytes));
  for (std::vector<std::string>& records : {std::ref(equal), std::ref(apart)}) {
    std::vector<std::byte> data = bytes_of(records);
    on_small_stack([&] { sort_records(data, kBytes + 8, 0, ByteKey{kBytes}); });
    std::ranges::stable_sort(records, {}, [](const std::string& record) {
      return std::string_view(record).substr(0, kBytes);
    });
    EXPECT_TRUE(same_bytes(data, bytes_of(records))) << "seed " << kBytes;
  }
}

TEST(Records, KeysOfBytesThatAreRefused) {
  std::vector<std::byte> data(20);
  EXPECT_THROW(sort_records(data, 10, 1, ByteKey{9}, {.scratch = data}), std::invalid_argument);
  std::vector<std::byte> too_little(byte_key_scratch_bytes(2, 10) - 1);
  EXPECT_THROW(sort_records(data, 10, 1, ByteKey{9}, {.scratch = too_little}),
               std::invalid_argument);
  EXPECT_THROW(sort_records(data, 10, 1, ByteKey{10}), std::invalid_argument);
  EXPECT_THROW(sort_records(data, 10, 1, ByteKey{0}), std::invalid_argument);
  EXPECT_THROW(sort_records(data, 10, 10, ByteKey{1}), std::invalid_argument);
  EXPECT_THROW(sort_records(data, 15, 0, ByteKey{1}), std::invalid_argument);
}

}  // namespace
}  // namespace postroom
