#include "octavo/io/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

#include "octavo/io/files.h"

namespace octavo {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// This is what a process begins with: its streams, a group of its own and signals as they usually are.
class SpawnPlan {
 public:
  SpawnPlan(int input, int errors) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int s : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&usual, s);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

std::string contents_of(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const auto at = static_cast<off_t>(text.size());
    const ssize_t n = retry([&] { return pread(descriptor, part.data(), part.size(), at); });
    if (n <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

// Its input is a socket and not a pipe, because writing to a pipe that nobody reads ends this program, unless it
// ignores SIGPIPE; what it complains of goes into a file in memory, which never has to be emptied in time.
ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(errno, program);
  input_ = ends[0];
  errors_ = memfd_create("errors", MFD_CLOEXEC);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const SpawnPlan plan(ends[1], errors_);
  const int error = posix_spawnp(&process_, program.c_str(), &plan.actions, &plan.attributes,
                                 pointers.data(), environ);
  close(ends[1]);
  if (error == 0) return;
  close_input();
  close(errors_);
  fail(error, program);
}

ChildProcess::~ChildProcess() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    retry([&] { return waitpid(process_, nullptr, 0); });
  }
  close_input();
  close(errors_);
}

bool ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = retry([&] { return send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL); });
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void ChildProcess::close_input() {
  if (input_ >= 0) close(std::exchange(input_, -1));
}

ChildEnd ChildProcess::finish() {
  close_input();
  int status = 0;
  retry([&] { return waitpid(process_, &status, 0); });
  process_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents_of(errors_)};
}

}  // namespace octavo
