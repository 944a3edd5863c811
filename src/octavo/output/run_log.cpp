#include "octavo/output/run_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "octavo/io/files.h"

namespace octavo {

RunLog::RunLog(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw FileError(path_, errno);

  // A line that a crash has cut short must not spoil the next one.
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  char last = '\n';
  if (end > 0 && pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n')
    if (!write_all(descriptor_, "\n")) throw FileError(path_, errno);
}

RunLog::~RunLog() { close(descriptor_); }

std::string RunLog::write(const nlohmann::ordered_json& event) {
  std::string line = event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  line += '\n';
  if (!write_all(descriptor_, line)) throw FileError(path_, errno);
  line.pop_back();
  return line;
}

namespace {

nlohmann::ordered_json json_of(const LedgerLine& line) {
  return {{"change", line.change()}, {"sources", line.sources},     {"outflow", line.outflow},
          {"decay", line.decay},     {"advection", line.advection}, {"solids", line.solids}};
}

}  // namespace

nlohmann::ordered_json json_of(const StepReport& r) {
  nlohmann::ordered_json json{{"step", r.step},
                              {"time", r.time},
                              {"dt", r.dt},
                              {"substeps", r.substeps},
                              {"leaves", r.leaves},
                              {"faces", r.faces},
                              {"nodes", r.nodes},
                              {"strictness", r.strictness},
                              {"cfl", r.cfl},
                              {"iterations", r.iterations},
                              {"converged", r.all_converged},
                              {"residual_before", r.pressure.residual_before},
                              {"residual_after", r.pressure.residual_after},
                              {"largest_divergence", r.largest_divergence},
                              {"kinetic_energy", r.kinetic_energy},
                              {"bytes", r.bytes},
                              {"peak_bytes", r.peak_bytes},
                              {"seconds",
                               {{"total", r.seconds.total},
                                {"criteria", r.seconds.criteria},
                                {"mesh", r.seconds.mesh},
                                {"advection", r.seconds.advection},
                                {"obstacles", r.seconds.obstacles},
                                {"forces", r.seconds.forces},
                                {"pressure", r.seconds.pressure},
                                {"report", r.seconds.report}}}};
  if (r.seconds.surface > 0) json["seconds"]["surface"] = r.seconds.surface;
  for (const LedgerLine& line : r.ledger) {
    json["total_" + line.field] = line.after;
    json["ledger"][line.field] = json_of(line);
  }
  for (const FurtherNumber& n : r.further) json[n.name] = n.value;
  return json;
}

}  // namespace octavo
