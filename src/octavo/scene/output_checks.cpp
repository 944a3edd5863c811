#include "octavo/scene/output_checks.h"

#include <set>

#include "octavo/io/vdb.h"
#include "octavo/scene/build.h"
#include "octavo/scene/enum_names.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {
namespace {

template <int Dim>
class OutputChecks {
 public:
  OutputChecks(const Scene<Dim>& scene, const std::optional<Box<Dim>>& box, Complaints& say)
      : scene_(scene), box_(box), say_(say) {}

  void run() {
    output();
    for (std::size_t i = 0; i < scene_.probe.size(); ++i) probe(i);
  }

 private:
  void known_fields(const std::vector<std::string>& wanted, const std::string& path,
                    const std::vector<std::string>& more = {}) {
    if (say_.unread("scalar")) return;
    std::vector<std::string> all = names_of(fields_of(scene_));
    all.insert(all.begin(), more.begin(), more.end());
    std::set<std::string> seen;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", path, i);
      if (std::find(all.begin(), all.end(), wanted[i]) == all.end())
        say_.wrong(at, "there is no field '{}'; there are {}{}", wanted[i], joined(all, "and"),
                   did_you_mean(wanted[i], all));
      else if (!seen.insert(wanted[i]).second)
        say_.wrong(at, "'{}' is there twice", wanted[i]);
    }
  }

  void output() {
    const OutputScene& o = scene_.output;
    if (o.frames[0] > o.frames[1])
      say_.wrong("output.frames", "frames go from {} to {}; the first must not be above the last",
                 o.frames[0], o.frames[1]);
    if (!o.name.empty()) say_.require_word("output.name", o.name);
    if (o.level && *o.level > scene_.grid.max_level)
      say_.wrong("output.level", "'output.level' is {}, above 'grid.max_level', which is {}",
                 *o.level, scene_.grid.max_level);
    known_fields(o.volume, "output.volume");
    if (const auto roots = roots_of(scene_.domain); box_ && roots && !o.volume.empty()) {
      const double voxel = scene_.domain.size[0] / (*roots)[0] *
                           std::pow(0.5, o.level.value_or(scene_.grid.max_level));
      if (voxel < smallest_vdb_voxel)
        say_.wrong("output.volume",
                   "voxels would be {:.2g} m large; {} m is the least that OpenVDB has", voxel,
                   smallest_vdb_voxel);
    }
    known_fields(o.grid, "output.grid");
    std::vector<std::string> pictures{"level"};
    if (const std::string main = main_picture(scene_); !main.empty())
      pictures.insert(pictures.begin(), main);
    known_fields(o.picture, "output.picture", pictures);
  }

  void probe(std::size_t i) {
    const ProbeScene<Dim>& p = scene_.probe[i];
    const std::string path = item("probe", i);
    say_.require_word(path + ".name", p.name);
    if (!probe_names_.insert(p.name).second)
      say_.wrong(path + ".name", "the name '{}' is taken", p.name);
    known_fields(p.fields, path + ".fields");
    const int kinds = (p.points.empty() ? 0 : 1) + (p.line ? 1 : 0) + (p.plane ? 1 : 0);
    if (kinds != 1)
      say_.wrong(path, "a probe needs points, a line{}, and only one of them",
                 Dim == 3 ? " or a plane" : "");
    if (!box_) return;
    auto inside = [&](const Vec<Dim>& x, const std::string& at) {
      if (!box_->contains(x))
        say_.wrong(at, "the point {} is outside of the box, which goes from {} to {} m", text(x),
                   text(box_->lo), text(box_->hi));
    };
    for (std::size_t k = 0; k < p.points.size(); ++k)
      inside(p.points[k], fmt::format("{}.points[{}]", path, k));
    if (p.line) {
      inside(p.line->from, path + ".line.from");
      inside(p.line->to, path + ".line.to");
    }
    if (p.plane) {
      const int a = static_cast<int>(p.plane->normal);
      if (!(p.plane->at >= box_->lo[a] && p.plane->at <= box_->hi[a]))
        say_.wrong(path + ".plane.at",
                   "the plane is outside of the box, which goes from {} to {} m", box_->lo[a],
                   box_->hi[a]);
    }
  }

  const Scene<Dim>& scene_;
  const std::optional<Box<Dim>>& box_;
  Complaints& say_;
  std::set<std::string> probe_names_;
};

}  // namespace

template <int Dim>
void check_outputs(const Scene<Dim>& scene, const std::optional<Box<Dim>>& box, Complaints& say) {
  OutputChecks<Dim>(scene, box, say).run();
}

template void check_outputs(const Scene<2>&, const std::optional<Box<2>>&, Complaints&);
template void check_outputs(const Scene<3>&, const std::optional<Box<3>>&, Complaints&);

}  // namespace octavo
