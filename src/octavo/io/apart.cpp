#include "octavo/io/apart.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fstream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "octavo/base/error.h"
#include "octavo/io/files.h"

namespace octavo {
namespace {

// Sanitizers take address space by the terabyte.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_limit_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool can_limit_memory = false;
#else
constexpr bool can_limit_memory = true;
#endif
#else
constexpr bool can_limit_memory = true;
#endif

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string read_all(int from) {
  std::string bytes;
  std::array<char, 1 << 16> part{};
  for (;;) {
    const ssize_t n = retry([&] { return read(from, part.data(), part.size()); });
    if (n <= 0) return bytes;
    bytes.append(part.data(), static_cast<std::size_t>(n));
  }
}

// The exit code tells what the bytes are. Ctrl-C is for the program; what it does with it is its own.
constexpr int finished = 0, failed = 1, threw = 3;

[[noreturn]] void work_as_child(int to, const ApartLimits& limits,
                                const std::function<std::string()>& work) {
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(s, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  alarm(10 * limits.seconds);  // for what waits instead of working
  if (can_limit_memory) limit(RLIMIT_AS, address_space() + limits.bytes);
  int code = finished;
  std::string bytes;
  try {
    bytes = work();
  } catch (const std::bad_alloc&) {
    _exit(failed);  // what is too large here would be too large for the program
  } catch (const std::exception& e) {
    code = threw;
    bytes = e.what();
  }
  _exit(write_all(to, bytes) ? code : failed);
}

}  // namespace

Apart do_apart(const ApartLimits& limits, const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work_as_child(ends[1], limits, work);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw std::system_error(errno, std::generic_category(), "fork");
  }
  Apart result;
  result.bytes = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  retry([&] { return waitpid(child, &status, 0); });
  if (WIFEXITED(status) && WEXITSTATUS(status) == finished) result.end = Apart::End::finished;
  if (WIFEXITED(status) && WEXITSTATUS(status) == threw) result.end = Apart::End::threw;
  return result;
}

}  // namespace octavo
