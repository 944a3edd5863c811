#pragma once

// Whether this build looks for mistakes in the use of memory or threads, and is many times slower: what
// is repeated only to be accurate may then be done on a smaller problem.

namespace octavo::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace octavo::test
