#include "tests/sort/columns.h"

namespace postroom::sorting {

template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint8_t, false>,
                              const SortOptions&, const SortConfig*);
template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint16_t, false>,
                              const SortOptions&, const SortConfig*);
template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint32_t, false>,
                              const SortOptions&, const SortConfig*);
template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint64_t, false>,
                              const SortOptions&, const SortConfig*);
template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint32_t, true>,
                              const SortOptions&, const SortConfig*);
template void sort_columns<4>(std::byte*, std::byte*, std::size_t, WholeKey<std::uint64_t, true>,
                              const SortOptions&, const SortConfig*);

}  // namespace postroom::sorting
