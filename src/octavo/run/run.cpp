#include "octavo/run/run.h"

#include "octavo/base/build_info.h"
#include "octavo/base/text.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/png.h"
#include "octavo/output/checkpoint.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/interrupt.h"
#include "octavo/output/probe_files.h"
#include "octavo/output/run_log.h"
#include "octavo/pictures/frame_pictures.h"
#include "octavo/pictures/picture_record.h"
#include "octavo/pictures/refinement_picture.h"
#include "octavo/run/run_checks.h"
#include "octavo/run/run_limits.h"
#include "octavo/run/undrawn_pictures.h"
#include "octavo/run/warnings.h"
#include "octavo/scene/build.h"
#include "octavo/scene/problems.h"

namespace octavo {
namespace {

template <int Dim>
class Run {
 public:
  Run(const SceneFile& file, const Scene<Dim>& scene, const RunOptions& options)
      : file_(file),
        scene_(scene),
        options_(options),
        record_(SceneRecord::of(file)),
        folder_(options.folder, scene.output.name),
        simulation_(simulation_of(scene, *file.files)),
        files_(scene_, folder_),
        pictures_(scene_, *file.files),
        progress_(options.progress, scene.output.frames[1]) {}

  RunOutcome go() {
    const bool begun = folder_.holds_run();
    require_usable(folder_, file_, options_);
    const std::string scene = recorded_scene(folder_, file_);
    require_room("the run needs at least", {least_memory(file_), 0}, room_for(options_.folder));
    if (options_.from)
      branch();
    else if (!options_.resume)
      begin();
    if (!options_.resume)
      require_room("the first frame needs at least", next_frame_.needed(simulation_->state()),
                   room_for(options_.folder));
    if (!options_.resume) require_frame_to_explain();
    folder_.open();
    if (options_.overwrite) remove_pictures_of_run(options_.folder);
    if (options_.overwrite) folder_.clear();
    if (options_.resume && !resume()) {
      if (begun) restart();
      begin();
    }
    require_frame_to_explain();
    open_probes();
    log_.emplace(folder_.log());
    write_file(folder_.scene(), scene);
    note({{"event", "start"},
          {"program", build_info().version},
          {"threads", threads()},
          {"frame", position_.moment.frame},
          {"last_frame", last_frame()},
          {"substep", position_.moment.substep},
          {"time", simulation_->time()},
          {"origins", origins_.by_first_frame()}});
    if (options_.from) save();  // so that it can be resumed from the first moment on
    progress_.begin(position_.moment.frame);
    try {
      return run_frames();
    } catch (const std::exception& e) {
      give_up(e.what());
      throw;
    }
  }

 private:
  int last_frame() const { return scene_.output.frames[1]; }

  void note(const nlohmann::ordered_json& event) { progress_.log(log_->write(event)); }

  // This begins from the initial state.
  void begin() {
    simulation_->start(start_of(scene_, *file_.files));
    origins_.begin(0);
    first_frame_ = is_written(scene_.output, 0);
    for (const ProbeScene<Dim>& p : scene_.probe)
      for (const int frame : p.frames) first_frame_ = first_frame_ || frame == 0;
  }

  // There is no checkpoint, but there may be frames: they are of the same scene, unless they are not wanted.
  void restart() {
    if (!options_.force) require_same_as_recorded(folder_, record_);
    progress_.say(fmt::format(
        "{}; starting from the beginning",
        folder_.checkpoints().empty() ? "there is no checkpoint" : "no checkpoint can be used"));
  }
  // This continues from the newest checkpoint that is not damaged; the result is false if there is none.
  bool resume() {
    for (const CheckpointFile& c : folder_.checkpoints()) {
      try {
        load(c.path, !options_.force);
        return resumed_ = true;
      } catch (const SceneError&) {
        throw;
      } catch (const InputError& e) {
        progress_.say(fmt::format("warning: {}; trying the checkpoint before it", e.what()));
      }
    }
    return false;
  }

  // A file that is damaged is an InputError, a scene that has changed a SceneError.
  void load(const std::filesystem::path& path, bool same_scene) {
    try {
      const ArchiveReader archive(path);
      const CheckpointHeader header = read_checkpoint_header(archive);
      require_same_kind(header, path);
      if (same_scene) require_same_scene(record_, header.scene, options_.folder);
      require_fitting_scene(record_, header.scene);
      simulation_->restore(StoredState<Dim>(archive, header).state());
      position_ = header.position;
      origins_ = header.origins;
      if (!differences(record_, header.scene).empty()) origins_.begin(position_.moment.frame + 1);
    } catch (const SceneError&) {
      throw;
    } catch (const InputError& e) {
      throw InputError("the checkpoint '{}' cannot be used: {}", path.string(), e.what());
    }
  }

  void require_same_kind(const CheckpointHeader& header, const std::filesystem::path& path) const {
    if (header.simulation != scene_.simulation.kind)
      throw SceneError("the checkpoint '{}' is of a run of [{}], and the scene is about [{}]",
                       path.string(), header.simulation, scene_.simulation.kind);
  }

  // Another run's checkpoint is the beginning of this one.
  void branch() {
    const BranchPoint& from = *options_.from;
    std::string there;
    for (const CheckpointFile& c : checkpoints_in(from.folder)) {
      if (c.moment == Moment{from.frame, 0}) {
        load(c.path, false);
        return origins_.begin(0);
      }
      if (c.moment.substep == 0) there += fmt::format(" {}", c.moment.frame);
    }
    if (there.empty()) throw InputError("there are no checkpoints in '{}'", from.folder.string());
    throw InputError("there is no checkpoint of frame {} in '{}'; there are those of frames{}",
                     from.frame, from.folder.string(), there);
  }

  void open_probes() {
    const int kept = resumed_ ? position_.moment.frame : -1;
    for (const ProbeScene<Dim>& p : scene_.probe)
      probes_.emplace_back(p, simulation_->grid().tree().domain(), folder_.probe(p.name), kept);
  }

  RunOutcome run_frames() {
    const Stopwatch watch;
    say_what_is_missing();
    if (first_frame_) write_frame(0);
    while (position_.moment.frame < last_frame()) {
      if (interrupted()) return stop();
      stop_without_room();
      const Stopwatch frame_watch;
      StepReport report;
      if (!advance(report)) return stop();
      finish_frame(report, frame_watch);
    }
    background_.wait();
    note({{"event", "done"}, {"frame", position_.moment.frame}, {"seconds", watch.seconds()}});
    warnings_.end();
    undrawn_.end();
    progress_.finish(options_.folder.string(), watch.seconds());
    return RunOutcome::done;
  }

  // Frames before the one it begins with cannot be written any more.
  void say_what_is_missing() {
    const int now = position_.moment.frame;
    if (now > 0 && now >= last_frame())
      progress_.say(fmt::format("frame {} has been reached already; the last one is to be {}", now,
                                last_frame()));
    int missing = 0;
    std::error_code error;
    for (int frame = scene_.output.frames[0]; frame <= std::min(now, last_frame()); ++frame)
      if (resumed_ && !scene_.output.volume.empty() && is_written(scene_.output, frame) &&
          !std::filesystem::exists(folder_.volume(frame), error))
        ++missing;
    if (missing > 0)
      progress_.say(fmt::format("warning: {} of the frames up to {} have no volume and get none",
                                missing, now));
  }

  // This makes the steps of a frame that are left; the result is false if it was interrupted before the last one.
  bool advance(StepReport& report) {
    const double seconds = 1 / scene_.output.fps;
    Moment& at = position_.moment;
    if (at.substep == 0) {
      position_.substeps = simulation_->substeps_for(seconds);
      position_.dt = seconds / position_.substeps;
      warnings_.begin_frame(at.frame + 1, simulation_->leaves_passed_in(seconds),
                            position_.substeps);
    }
    while (at.substep < position_.substeps) {
      const StepReport one = simulation_->step(position_.dt);
      ++at.substep;
      report.add(one);
      warnings_.step(at.frame + 1, one);
      nlohmann::ordered_json line{{"event", "step"}, {"frame", at.frame + 1}};
      line.update(json_of(one));
      note(line);
      progress_.step(at.frame + 1, at.substep, position_.substeps, one);
      if (interrupted() && at.substep < position_.substeps) return false;
    }
    at = {at.frame + 1, 0};
    return true;
  }

  void finish_frame(const StepReport& report, const Stopwatch& frame_watch) {
    const int frame = position_.moment.frame;
    const Stopwatch output_watch;
    write_frame(frame);
    const int every = scene_.output.checkpoint_every;
    if (frame == last_frame() || (every > 0 && frame % every == 0)) save();
    nlohmann::ordered_json line{{"event", "frame"}, {"frame", frame}};
    line.update(json_of(report));
    line["output_seconds"] = output_watch.seconds();
    line["wall_seconds"] = frame_watch.seconds();
    note(line);
    progress_.frame(frame, report, frame_watch.seconds());
    next_frame_.saw(report, frame);
  }

  void write_frame(int frame) {
    FrameFields<Dim> fields(*simulation_);
    if (is_written(scene_.output, frame)) {
      files_.write(frame, fields, background_);
      draw_pictures(frame, fields);
    }
    if (options_.explain == frame) explain(frame);
    for (const ProbeFile<Dim>& p : probes_)
      if (p.wants(frame)) p.write(frame, frame_time(scene_.output, frame), fields);
  }

  // The frame to explain has to come yet.
  void require_frame_to_explain() const {
    const int frame = options_.explain.value_or(last_frame()), now = position_.moment.frame;
    if (frame > last_frame() || (options_.explain && frame < now + (first_frame_ ? 0 : 1)))
      throw InputError("frame {} cannot be explained: the run goes from frame {} to frame {}",
                       frame, first_frame_ ? now : now + 1, last_frame());
  }

  void explain(int frame) {
    const RefinementReasons why = simulation_->refinement_reasons();
    const std::filesystem::path path = folder_.picture("refinement", frame);
    RunFolder::make_folder_of(path);
    write_png(path,
              refinement_picture(scene_, simulation_->grid().tree(), why, simulation_->time()));
    note({{"event", "refinement"},
          {"frame", frame},
          {"file", path.string()},
          {"criteria", json_of(why)}});
    progress_.say(fmt::format("why the octree of frame {} is as it is (picture: {})\n{}", frame,
                              path.string(), refinement_table(why)));
  }

  void draw_pictures(int frame, FrameFields<Dim>& fields) {
    const double time = frame_time(scene_.output, frame);
    for (const UndrawnPicture& u :
         pictures_.write(folder_, frame, origins_.of(frame), time, fields)) {
      undrawn_.add(frame, u);
      note({{"event", "no_picture"}, {"frame", frame}, {"picture", u.what}, {"reason", u.reason}});
    }
  }

  void save() {
    background_.wait();
    const std::filesystem::path path = folder_.checkpoint(position_.moment);
    RunFolder::make_folder_of(path);
    const Stopwatch watch;
    write_checkpoint(path, scene_.simulation.kind, simulation_->state(), position_, record_,
                     origins_);
    folder_.prune_checkpoints(position_.moment, scene_.output.checkpoints);
    note({{"event", "checkpoint"},
          {"frame", position_.moment.frame},
          {"substep", position_.moment.substep},
          {"file", path.filename().string()},
          {"seconds", watch.seconds()}});
  }

  // What is there is saved rather than lost halfway through the next frame.
  void stop_without_room() {
    const std::string lack =
        lack_of_room(fmt::format("frame {} needs about", position_.moment.frame + 1),
                     next_frame_.needed(simulation_->state()), room_for(options_.folder));
    if (lack.empty()) return;
    save();
    throw SimulationError("{}", lack);
  }

  RunOutcome stop() {
    save();
    note({{"event", "interrupted"},
          {"frame", position_.moment.frame},
          {"substep", position_.moment.substep}});
    warnings_.end();
    undrawn_.end();
    progress_.say(fmt::format("interrupted after frame {}; to continue: {}", position_.moment.frame,
                              options_.command));
    return RunOutcome::interrupted;
  }

  // This says what is left to be said when a file cannot be written or the simulation cannot go on.
  void give_up(const std::string& reason) {
    progress_.end_line();
    warnings_.end();
    try {
      note({{"event", "failed"}, {"frame", position_.moment.frame}, {"reason", reason}});
    } catch (const FileError&) {  // the disk may be full
    }
    const std::vector<CheckpointFile> left = folder_.checkpoints();
    if (!left.empty())
      progress_.say(fmt::format("the last checkpoint is that of frame {}; to continue from it: {}",
                                left.front().moment.frame, options_.command));
  }

  const SceneFile& file_;
  const Scene<Dim>& scene_;
  const RunOptions& options_;
  SceneRecord record_;
  RunFolder folder_;
  std::unique_ptr<Simulation<Dim>> simulation_;
  FrameFiles<Dim> files_;
  FramePictures<Dim> pictures_;
  Progress progress_;
  StepWarnings warnings_{
      {scene_.simulation.kind, scene_.simulation.flow.cfl, scene_.simulation.flow.max_substeps,
       scene_.simulation.flow.stop.max_iterations},
      progress_};
  std::optional<RunLog> log_;
  std::vector<ProbeFile<Dim>> probes_;
  RunPosition position_;
  FrameOrigins origins_;
  NextFrame next_frame_{folder_};
  bool first_frame_ = false;  // frame 0 is to be written
  bool resumed_ = false;
  UndrawnPictures undrawn_{options_.folder.string(), progress_};
  Background background_;  // the last member: it must have ended before the others go
};

}  // namespace

// Files are called as the scene says, or as its file; the name is part of what is recorded, so that a run has
// one name, whatever its scene is called when it is resumed.
RunOutcome run_scene(const SceneFile& file, const RunOptions& options) {
  SceneFile named = file;
  return std::visit(
      [&]<int Dim>(Scene<Dim>& scene) {
        if (scene.output.name.empty()) scene.output.name = as_word(file.name);
        return Run<Dim>(named, scene, options).go();
      },
      named.scene);
}

}  // namespace octavo
