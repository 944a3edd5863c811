#include "octavo/base/free_room.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t no_limit = std::size_t{1} << 62;
std::atomic<bool> ignored{false};

// This reads a number that is all a file holds; there is none if there is no such file, or it says "max".
std::optional<std::size_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  if (!(in >> number)) return {};
  return number;
}

// This reads the number after a word.
std::optional<std::size_t> number_after(const fs::path& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string word;
  std::size_t number = 0;
  while (in >> word)
    if (word == wanted && in >> number) return number;
  return {};
}

std::size_t less(std::size_t all, std::size_t taken) { return all > taken ? all - taken : 0; }

// These are the names of the files of a control group, in the two versions that there are.
struct GroupFiles {
  const char *limit, *used, *cache;
};
constexpr GroupFiles first_version{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                   "total_inactive_file"};
constexpr GroupFiles second_version{"memory.max", "memory.current", "inactive_file"};

// This is what a group has left. Files that the system keeps in memory and can let go of count as free.
std::size_t left_in_group(const fs::path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit), used = number_in(group / files.used);
  if (!limit || !used) return no_limit;
  const auto cache = number_after(group / "memory.stat", files.cache);
  return less(*limit, less(*used, cache.value_or(0)));
}

// Groups are in groups, and each may have a limit. In a container the path of a group may be one that only the
// machine outside knows: then its top is all there is.
std::size_t left_in_groups(const fs::path& top, const fs::path& group, const GroupFiles& files) {
  std::size_t left = left_in_group(top, files);
  fs::path place = top;
  for (const fs::path& part : group.relative_path())
    left = std::min(left, left_in_group(place /= part, files));
  return left;
}

// Lines of /proc/self/cgroup are "4:memory:/path", or "0::/path" in the second version.
std::size_t left_in_all_groups(const fs::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  const fs::path groups = root / "sys/fs/cgroup";
  std::size_t left = no_limit;
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (kind == "memory")
      left = std::min(left, left_in_groups(groups / "memory", path, first_version));
    if (kind.empty()) left = std::min(left, left_in_groups(groups, path, second_version));
  }
  return left;
}

std::size_t left_in_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  const auto pages = number_in("/proc/self/statm");
  return less(limit.rlim_cur, pages.value_or(0) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

std::size_t memory_left_by_system(const fs::path& root) {
  const auto kib = number_after(root / "proc/meminfo", "MemAvailable:");
  return std::min(kib ? *kib * 1024 : no_limit, left_in_all_groups(root));
}

std::size_t available_memory() {
  if (ignored) return no_limit;
  return std::min(memory_left_by_system(), left_in_address_space());
}

std::size_t available_disk(const fs::path& folder) {
  std::error_code error;
  fs::path place = fs::absolute(folder);
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const fs::space_info space = fs::space(place, error);
  const bool known = !error && space.capacity > 0;  // /proc and its like have none
  return known && !ignored ? static_cast<std::size_t>(space.available) : no_limit;
}

void ignore_limits() { ignored = true; }

std::string bytes_text(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", std::max(1.0, bytes / 1e6))
                     : fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace octavo
