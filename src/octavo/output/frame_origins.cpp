#include "octavo/output/frame_origins.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "octavo/base/error.h"
#include "octavo/base/text.h"
#include "octavo/output/checkpoint.h"

namespace octavo {
namespace {

// The last line of the log about a beginning says this; there is no result if there is no such line.
std::optional<FrameOrigins> origins_in_log(const std::filesystem::path& log) {
  std::optional<FrameOrigins> origins;
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    if (line.find("\"start\"") == std::string::npos) continue;
    const nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || event.value("event", nlohmann::json()) != "start") continue;
    origins.emplace();
    if (event.contains("origins")) origins = FrameOrigins::from(event["origins"].dump());
  }
  return origins;
}

FrameOrigins origins_in_checkpoints(const std::filesystem::path& folder) {
  for (const CheckpointFile& c : checkpoints_in(folder)) try {
      return read_checkpoint_header(ArchiveReader(c.path)).origins;
    } catch (const InputError&) {  // it is damaged; there may be another one
    }
  return {};
}

}  // namespace

void FrameOrigins::begin(int frame) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  words_.erase(words_.lower_bound(frame), words_.end());
  words_[frame] = fmt::format(
      "{:x}-{:x}", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), getpid());
}

std::string FrameOrigins::of(int frame) const {
  const auto later = words_.upper_bound(frame);
  return later == words_.begin() ? "" : std::prev(later)->second;
}

std::map<std::string, std::string> FrameOrigins::by_first_frame() const {
  std::map<std::string, std::string> all;
  for (const auto& [frame, word] : words_) all[fmt::format("{}", frame)] = word;
  return all;
}

std::string FrameOrigins::text() const { return nlohmann::json(by_first_frame()).dump(); }

FrameOrigins FrameOrigins::from(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  FrameOrigins origins;
  bool good = json.is_object();
  for (const auto& [first, word] : json.items()) {
    const auto frame = whole_number(first);
    good = good && frame && word.is_string();
    if (good) origins.words_[*frame] = word.get<std::string>();
  }
  if (!good) throw InputError("what it says about the beginnings of its run makes no sense");
  return origins;
}

FrameOrigins frame_origins_in(const std::filesystem::path& folder) {
  try {
    if (const auto origins = origins_in_log(folder / "log.jsonl")) return *origins;
  } catch (const InputError&) {  // somebody has changed the log
  }
  return origins_in_checkpoints(folder);
}

}  // namespace octavo
