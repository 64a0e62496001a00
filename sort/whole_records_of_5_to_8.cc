#include "sort/whole_records_sort.h"

namespace postroom::sorting {

template void sort_whole_records<5>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<6>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<7>(std::byte*, std::size_t, const Field&, const SortOptions&);
template void sort_whole_records<8>(std::byte*, std::size_t, const Field&, const SortOptions&);

}  // namespace postroom::sorting
