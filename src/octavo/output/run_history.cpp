#include "octavo/output/run_history.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "octavo/base/error.h"

namespace octavo {
namespace {

using nlohmann::json;

void add_numbers(const json& object, const std::string& prefix, LogNumbers& numbers) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_number()) numbers[prefix + key] = value.get<double>();
    if (value.is_object()) add_numbers(value, prefix + key + ".", numbers);
  }
}

// This is the frame of an event; there is none if it has no such number.
std::optional<int> frame_of(const json& event) {
  const auto found = event.find("frame");
  if (found == event.end() || !found->is_number_integer()) return {};
  const auto frame = found->get<std::int64_t>();
  return frame < 0 || frame > 1000000000 ? std::nullopt : std::optional(static_cast<int>(frame));
}

// This takes away what is at a moment or after it: that step will come again, or has come.
void go_back(RunHistory& history, int frame, double time) {
  history.frames.erase(history.frames.upper_bound(frame), history.frames.end());
  const auto at = history.frames.find(frame);
  if (at == history.frames.end()) return;
  std::vector<LogNumbers>& steps = at->second.steps;
  std::erase_if(steps, [&](const LogNumbers& s) {
    const auto then = s.find("time");
    return then != s.end() && then->second >= time;
  });
  at->second.whole.reset();
}

void add(RunHistory& history, const json& event) {
  const auto frame = frame_of(event);
  const auto kind = event.find("event");
  if (!frame || kind == event.end()) return;
  LogNumbers numbers;
  add_numbers(event, "", numbers);
  const auto time = numbers.find("time");
  if (time == numbers.end()) return;
  if (*kind == "start") {  // after this frame, perhaps after some steps of the next one
    go_back(history, *frame + 1, time->second + 1e-9 * (1 + std::abs(time->second)));
  } else if (*kind == "step") {
    go_back(history, *frame, time->second);
    history.frames[*frame].steps.push_back(std::move(numbers));
  } else if (*kind == "frame") {
    history.frames[*frame].whole = std::move(numbers);
  }
}

}  // namespace

RunHistory read_history(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError("there is no folder '{}'", folder.string());
  std::ifstream log(folder / "log.jsonl");
  if (!log) throw InputError("'{}' is a folder without a run in it", folder.string());
  RunHistory history;
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  history.name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  for (std::string line; std::getline(log, line);) {
    const json event = json::parse(line, nullptr, false);
    if (event.is_object()) add(history, event);
  }
  return history;
}

}  // namespace octavo
