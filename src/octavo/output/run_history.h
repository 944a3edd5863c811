#pragma once

// This is what the log of a run says of its steps and frames. The run may be going on.
//
//   const RunHistory history = read_history("runs/plume");
//   history.frames.at(1).steps.back().at("leaves");

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octavo {

// These are numbers of a step or a frame by the names they have in the log; those of an object in it are named
// like "seconds.pressure".
using LogNumbers = std::map<std::string, double>;

struct RunHistory {
  struct Frame {
    std::vector<LogNumbers> steps;    // in the order of time
    std::optional<LogNumbers> whole;  // when it is done
  };
  std::string name;             // of the folder
  std::map<int, Frame> frames;  // by number
};

// Lines that are broken or of other events are passed over. A run that was resumed has gone back: what it computed
// again replaces what there was from there on. It throws InputError if there is no log.
RunHistory read_history(const std::filesystem::path& folder);

}  // namespace octavo
