// That a compiler speaks the language of these headers. Without it the first line says what is
// missing, before hundreds that do not.
#pragma once

#if __cplusplus < 202002L
#error \
    "Postroom needs C++20: -std=c++20; CMake: target_compile_features(program PRIVATE cxx_std_20)"
#endif
