#pragma once

// Work that may crash, hang or take all memory is done apart: by a child process with limits.
//
//   const Apart result = do_apart({.seconds = 20, .bytes = 1 << 30}, [&] { return parse(file); });
//   if (result.died()) ...
//
// The work gives its result as bytes. It must not use our parallel loops, whose threads stay behind. What it complains
// of on standard error is not seen.

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

namespace octavo {

struct ApartLimits {
  unsigned seconds = 20;                     // of processor time, and ten times that by the clock
  std::size_t bytes = std::size_t{1} << 30;  // beside what the program has already
};

struct Apart {
  enum class End { finished, threw, died };
  End end = End::died;
  std::string bytes;  // what it gave, or the beginning of what the exception said

  bool died() const { return end == End::died; }
};

// The child never gets more memory than the machine has.
Apart do_apart(const ApartLimits& limits, const std::function<std::string()>& work);

// This is the same for large results: the child writes to a stream what `take` reads here meanwhile. When the child
// ends too early, so does the stream; what `take` throws then does not matter. No bytes are left in what is returned.
Apart do_apart(const ApartLimits& limits, const std::function<void(std::ostream&)>& give,
               const std::function<void(std::istream&)>& take);

}  // namespace octavo
