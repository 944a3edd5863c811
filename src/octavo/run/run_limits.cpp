#include "octavo/run/run_limits.h"

#include <algorithm>
#include <variant>

#include "octavo/base/buffer.h"
#include "octavo/base/free_room.h"
#include "octavo/refinement/refinement.h"
#include "octavo/run/trial.h"

namespace octavo {

Room room_for(const std::filesystem::path& folder) {
  return {static_cast<double>(available_memory()) + static_cast<double>(BufferMemory::now()),
          static_cast<double>(available_disk(folder))};
}

std::string lack_of_room(const std::string& who, const Room& needs, const Room& there) {
  std::string lack;
  auto compare = [&](double wanted, double left, const char* what) {
    if (wanted > left)
      lack += fmt::format("{}{} of {}, and {} are free", lack.empty() ? who + " " : ", and ",
                          bytes_text(wanted), what, bytes_text(left));
  };
  compare(needs.memory, there.memory, "memory");
  compare(needs.disk, there.disk, "disk space");
  return lack.empty() ? "" : lack + "; --ignore-limits goes on all the same";
}

void require_room(const std::string& who, const Room& needs, const Room& there) {
  const std::string lack = lack_of_room(who, needs, there);
  if (!lack.empty()) throw InputError("{}", lack);
}

double least_memory(const SceneFile& file) {
  return std::visit(
      []<int Dim>(const Scene<Dim>& scene) {
        return coarsest_leaves(scene) * least_bytes_per_leaf<Dim>;
      },
      file.scene);
}

template <int Dim>
double saved_bytes(const SavedState<Dim>& state) {
  std::size_t bytes = state.leaves.size() * sizeof(Key<Dim>);
  for (const SavedArray& a : state.arrays)
    std::visit([&](const auto& v) { bytes += v.size() * sizeof(v[0]); }, a.values);
  return static_cast<double>(bytes);
}

// A volume may still be on its way to the disk: then it is that of the frame before which counts.
void NextFrame::saw(const StepReport& report, int frame) {
  leaves_before_ = leaves_;
  leaves_ = static_cast<double>(report.leaves);
  memory_ = static_cast<double>(std::max(report.peak_bytes, BufferMemory::peak()));
  auto bytes_of = [&](int f) {
    double bytes = 0;
    for (const auto& path : {folder_.volume(f), folder_.grid(f)}) {
      std::error_code error;
      const std::uintmax_t size = std::filesystem::file_size(path, error);
      if (!error) bytes += static_cast<double>(size);
    }
    return bytes;
  };
  const double files = std::max(bytes_of(frame), bytes_of(frame - 1));
  if (files > 0) files_ = files;
}

// The growth is that of leaves; what has more than doubled will hardly do so again.
double NextFrame::growth() const {
  return leaves_before_ > 0 ? std::clamp(leaves_ / leaves_before_, 1.0, 2.0) : 1.0;
}

// There must be room for the files of two frames, one of which is being written, and for a checkpoint to stop with.
template <int Dim>
Room NextFrame::needed(const SavedState<Dim>& now) const {
  const double least = static_cast<double>(now.leaves.size()) * least_bytes_per_leaf<Dim>;
  return {std::max(least, memory_ * growth()), 2 * files_ * growth() + saved_bytes(now)};
}

template double saved_bytes(const SavedState<2>&);
template double saved_bytes(const SavedState<3>&);
template Room NextFrame::needed(const SavedState<2>&) const;
template Room NextFrame::needed(const SavedState<3>&) const;

}  // namespace octavo
