#pragma once

// This is another program: it is given arguments as they are, without a shell, and bytes on its standard input.
//
//   ChildProcess sort("sort", {"-o", "sorted.txt"});
//   sort.write("b\na\n");
//   const ChildEnd end = sort.finish();
//   if (!end.well()) ... end.errors
//
// It does not hear of Ctrl-C, which is for this program; when a ChildProcess goes before finish(), its process is
// killed.

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace octavo {

struct ChildEnd {
  int code = 0;        // what it returned; -1 if a signal has ended it
  std::string errors;  // what it wrote to standard error

  bool well() const { return code == 0; }
};

class ChildProcess {
 public:
  // The program is looked for in PATH. Throws std::system_error if it cannot be started, with ENOENT if there is
  // none.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  // It is false if the program does not read any more.
  bool write(std::string_view bytes);

  // Nothing more comes; it waits for the program's end.
  ChildEnd finish();

 private:
  void close_input();

  int input_ = -1, errors_ = -1;
  pid_t process_ = -1;
};

}  // namespace octavo
