// Keys with values of four bytes beside them, which many tests sort: compiled once, in columns.cc.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sort/engine/config.h"
#include "sort/front.h"
#include "sort/keys.h"
#include "sort/options.h"

namespace postroom::sorting {

extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint8_t, false>, const SortOptions&,
                                     const SortConfig*);
extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint16_t, false>, const SortOptions&,
                                     const SortConfig*);
extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint32_t, false>, const SortOptions&,
                                     const SortConfig*);
extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint64_t, false>, const SortOptions&,
                                     const SortConfig*);
extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint32_t, true>, const SortOptions&,
                                     const SortConfig*);
extern template void sort_columns<4>(std::byte*, std::byte*, std::size_t,
                                     WholeKey<std::uint64_t, true>, const SortOptions&,
                                     const SortConfig*);

}  // namespace postroom::sorting
