#include "octavo/io/apart.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fstream>
#include <istream>
#include <new>
#include <ostream>
#include <sstream>
#include <system_error>
#include <utility>

#include "octavo/io/files.h"
#include "octavo/io/pipe_stream.h"

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

std::size_t memory_of_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// The pipe is closed with this object.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_from();
    close_to();
  }

  int from() const { return ends_[0]; }
  int to() const { return ends_[1]; }
  void close_from() { close_end(0); }
  void close_to() { close_end(1); }

 private:
  void close_end(std::size_t i) {
    if (ends_[i] >= 0) close(std::exchange(ends_[i], -1));
  }

  std::array<int, 2> ends_{};
};

// The exit code tells how the work went. What an exception says fits in the pipe without a reader.
constexpr int finished = 0, failed = 1, threw = 3;
constexpr std::size_t longest_message = 4000;

// Ctrl-C is for the program; what it does with it is its own.
void become_child(const ApartLimits& limits) {
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(s, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  alarm(10 * limits.seconds);  // for what waits instead of working
  if (!can_limit_memory) return;
  limit(RLIMIT_AS, address_space() + std::min(limits.bytes, memory_of_machine()));
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void work_as_child(Pipe& result, Pipe& message, const ApartLimits& limits,
                                const std::function<void(std::ostream&)>& give) {
  result.close_from();
  message.close_from();
  become_child(limits);
  try {
    PipeOutput buffer(result.to());
    std::ostream out(&buffer);
    give(out);
    _exit(out.flush() ? finished : failed);
  } catch (const std::bad_alloc&) {
    _exit(failed);  // what is too large here would be too large for the program
  } catch (const std::exception& e) {
    _exit(write_all(message.to(), std::string(e.what()).substr(0, longest_message)) ? threw
                                                                                    : failed);
  } catch (...) {
    _exit(failed);
  }
}

std::string rest_of(std::istream& in) {
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

std::string message_of(int from) {
  PipeInput buffer(from);
  std::istream in(&buffer);
  return rest_of(in);
}

// It takes all that the child gives, so that the child can end, and returns what goes wrong with
// that.
std::exception_ptr taken(int from, const std::function<void(std::istream&)>& take) {
  PipeInput buffer(from);
  std::istream in(&buffer);
  std::exception_ptr error;
  try {
    take(in);
  } catch (...) {
    error = std::current_exception();
  }
  buffer.drain();
  return error;
}

}  // namespace

Apart do_apart(const ApartLimits& limits, const std::function<void(std::ostream&)>& give,
               const std::function<void(std::istream&)>& take) {
  Pipe result, message;
  const pid_t child = fork();
  if (child == 0) work_as_child(result, message, limits, give);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  result.close_to();
  message.close_to();
  const std::exception_ptr error = taken(result.from(), take);
  int status = 0;
  retry([&] { return waitpid(child, &status, 0); });
  if (WIFEXITED(status) && WEXITSTATUS(status) == threw)
    return {Apart::End::threw, message_of(message.from())};
  const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == finished;
  if (ended_well && error) std::rethrow_exception(error);
  return {ended_well ? Apart::End::finished : Apart::End::died, {}};
}

Apart do_apart(const ApartLimits& limits, const std::function<std::string()>& work) {
  std::string bytes;
  Apart result = do_apart(
      limits, [&](std::ostream& out) { out << work(); },
      [&](std::istream& in) { bytes = rest_of(in); });
  if (result.end == Apart::End::finished) result.bytes = std::move(bytes);
  return result;
}

}  // namespace octavo
