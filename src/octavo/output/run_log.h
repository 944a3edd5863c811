#pragma once

// log.jsonl of a run has one JSON object on a line for each step, frame, checkpoint, beginning and end.
// After a run was resumed the lines of steps that were computed again are there again; the last ones count.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "octavo/flow/step_report.h"

namespace octavo {

class RunLog {
 public:
  explicit RunLog(const std::filesystem::path& path);
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;
  ~RunLog();

  // This returns the line that it writes.
  std::string write(const nlohmann::ordered_json& event);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// This says what a step or a frame was.
nlohmann::ordered_json json_of(const StepReport& report);

}  // namespace octavo
