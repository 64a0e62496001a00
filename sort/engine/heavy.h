// What deals with heavy keys: those that occur very often.
#pragma once

#include <type_traits>

#include "sort/engine/heavy_keys.h"
#include "sort/engine/heavy_records.h"

namespace postroom::sorting {

/// Of keys alone HeavyKeys, of other records HeavyRecords; both are used alike.
template <class Records>
using HeavyOf =
    typename std::conditional_t<Records::kWholeKeys, std::type_identity<HeavyKeys<Records>>,
                                std::type_identity<HeavyRecords<Records>>>::type;

}  // namespace postroom::sorting
