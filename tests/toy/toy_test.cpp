// A kind of simulation that the library has never heard of goes the way of all of them: what a run of it leaves.

#include "octavo/draw/slice.h"
#include "octavo/io/htg_read.h"
#include "octavo/io/mesh_import.h"
#include "octavo/io/png.h"
#include "octavo/io/vdb.h"
#include "octavo/output/checkpoint_grid.h"
#include "octavo/output/run_history.h"
#include "octavo/pictures/field_look.h"
#include "octavo/run/prediction.h"
#include "toy/toy_run.h"

namespace octavo {
namespace {

using namespace test;

template <class D>
class ToyFiles : public ToyRun<D> {};
TYPED_TEST_SUITE(ToyFiles, Dims);

TYPED_TEST(ToyFiles, ProbesHaveItsFields) {
  constexpr int Dim = TestFixture::dim;
  const fs::path table = this->out() / "probe" / "here.csv";
  EXPECT_TRUE(says(read_text(table), {Dim == 2 ? "frame,time,x,y,dye,age,velocity_x,velocity_y,salt"
                                               : "x,y,z,dye,age,velocity_x,velocity_y,velocity_z,"
                                                 "salt"}));
  const auto rows = rows_of(table);
  ASSERT_EQ(rows.size(), 2u * (last_frame + 1));
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const double frame = static_cast<double>(i) / 2;
    const double* in_source = rows[i].data() + 2 + Dim;
    EXPECT_NEAR(in_source[0], frame > 0 ? std::exp(-0.5 / 48) : 0, 1e-3);  // of a step
    EXPECT_NEAR(in_source[1], frame / 24, 1e-5);
    EXPECT_NEAR(in_source[2], 0, 1e-5);
    EXPECT_NEAR(in_source[3], -0.8, 1e-5);
    EXPECT_EQ(in_source[2 + Dim], frame > 0 ? 2 : 0);
    const double* in_corner = rows[i + 1].data() + 2 + Dim;
    EXPECT_NEAR(in_corner[0], 0, 1e-4);
    EXPECT_EQ(in_corner[1], 0);
  }
  EXPECT_TRUE(says(read_text(this->out() / "probe" / "usual.csv"), {"dye,age,velocity_x"}));
}

TYPED_TEST(ToyFiles, VolumesHaveItsFields) {
  const fs::path path = this->out() / "volume" / "toy.0006.vdb";
  const VdbContents contents = vdb_contents(path);
  std::vector<std::string> names;
  for (const VdbGridInfo& g : contents.grids) names.push_back(g.name);
  EXPECT_EQ(names, (std::vector<std::string>{"age", "dye", "salt", "vel"}));
  EXPECT_EQ(contents.metadata.at("dye_unit"), "g/l");
  EXPECT_EQ(contents.metadata.at("age_unit"), "s");
  const Vec3d in_source{0.3, 0.5, TestFixture::dim == 2 ? 0.0 : 0.5};
  EXPECT_NEAR(read_vdb_grid(path, "dye").number_at(in_source), 1, 0.05);
  EXPECT_NEAR(read_vdb_grid(path, "age").number_at(in_source), 0.25, 0.05);
  EXPECT_NEAR(read_vdb_grid(path, "vel").vector_at(in_source)[1], -0.8, 0.05);
}

TYPED_TEST(ToyFiles, GridsHaveItsFields) {
  constexpr int Dim = TestFixture::dim;
  const auto any = read_htg(this->out() / "grid" / "toy.0006.htg");
  const auto& grid = std::get<HtgGrid<Dim>>(any);
  EXPECT_EQ(grid.tree.deepest_level(), 4);
  EXPECT_EQ(grid.fields.size(), 2u + Dim);
  const auto leaf = grid.tree.view().leaf_at(Vec<Dim>::filled(0.5) - Vec<Dim>{0.2});
  EXPECT_NEAR(grid.fields.at("age")[leaf], 0.25, 1e-5);
  EXPECT_GT(grid.fields.at("dye")[leaf], 0.9);
  EXPECT_NEAR(grid.fields.at("velocity_y")[leaf], -0.8, 0.2);
}

TYPED_TEST(ToyFiles, MarkersAreWrittenAndMoveRound) {
  EXPECT_EQ(read_surface_mesh(this->out() / "mesh" / "toy.markers.0001.ply").triangles.size(), 1u);
  const SurfaceMesh markers = read_surface_mesh(this->out() / "mesh" / "toy.markers.0006.ply");
  EXPECT_EQ(markers.triangles.size(), 6u);
  EXPECT_EQ(markers.vertices.size(), 18u);
  for (std::size_t i = 0; i < markers.vertices.size(); i += 3) {
    const Vec3d x = (markers.vertices[i] + markers.vertices[i + 2]) * 0.5;
    EXPECT_NEAR(length(Vec2d{x[0] - 0.5, x[1] - 0.5}), 0.25, 0.01);
  }
}

TYPED_TEST(ToyFiles, PicturesAreDrawn) {
  for (const char* name : {".dye", ".age", ".velocity", ".level"}) {
    const Image image = read_png(this->out() / "image" / ("toy" + std::string(name) + ".0006.png"));
    EXPECT_GT(image.width, 40) << name;
    EXPECT_NE(*std::min_element(image.pixels.begin(), image.pixels.end()),
              *std::max_element(image.pixels.begin(), image.pixels.end()))
        << name;
  }
}

TYPED_TEST(ToyFiles, LogHasItsNumbers) {
  const RunHistory history = read_history(this->out());
  const LogNumbers& last = history.frames.at(last_frame).whole.value();
  EXPECT_EQ(last.at("markers"), 6);
  EXPECT_EQ(last.at("substeps"), 2);
  EXPECT_GT(last.at("leaves"), history.frames.at(1).whole->at("leaves"));
  EXPECT_GT(last.at("total_dye"), 0);
  EXPECT_LT(last.at("ledger.dye.decay"), 0);
}

// Of a checkpoint, without the simulation: what `octavo slice` does.
TYPED_TEST(ToyFiles, CheckpointsAreGridsWithItsFields) {
  constexpr int Dim = TestFixture::dim;
  const auto any = read_checkpoint_grid(this->out() / "checkpoint" / "toy.0006.h5");
  const auto& c = std::get<CheckpointGrid<Dim>>(any);
  EXPECT_EQ(c.frame, last_frame);
  EXPECT_EQ(c.fields.columns().size(), 5u);
  EXPECT_EQ(c.fields.find("dye")->info.unit, "g/l");
  const auto* dye = c.fields.find("dye")->template as<NodeField<float>>();
  const auto* age = c.fields.find("age")->template as<LeafField<float>>();
  const auto* salt = c.fields.find("salt")->template as<NodeField<float>>();
  ASSERT_TRUE(dye != nullptr && age != nullptr && salt != nullptr);
  Vec<Dim> x = Vec<Dim>::filled(0.5);
  x[0] = 0.3;
  const auto probed = rows_of(this->out() / "probe" / "here.csv")[2 * last_frame];
  EXPECT_EQ(sample<float>(c.grid.mesh().view(), dye->view(), x),
            static_cast<float>(probed[2 + Dim]));
  EXPECT_EQ((*age)[c.grid.tree().view().leaf_at(x)], static_cast<float>(probed[3 + Dim]));

  LeafPicture<Dim> picture{c.grid.tree().view()};
  picture.field = {.title = field_title("age"), .leaves = age->view()};
  EXPECT_EQ(picture.field->title, "age, s");
  EXPECT_EQ(draw_slice(picture, {.size = 32}).channels, 3);
}

// Its dye looks like haze, and that is what pictures of smoke show, whatever it is called.
TYPED_TEST(ToyFiles, DyeIsDrawnAsSmoke) {
  const fs::path folder = *this->folder_ / "smoke";
  run(scene<TestFixture::dim>({"output.frames=[1, 1]", "output.picture=[\"smoke\"]"}), folder);
  const Image image = read_png(folder / "image" / "toy.0001.png");
  EXPECT_EQ(image.width, 48);
  EXPECT_GT(*std::max_element(image.pixels.begin(), image.pixels.end()), 100);
}

TYPED_TEST(ToyFiles, IsPredicted) {
  constexpr int Dim = TestFixture::dim;
  const Prediction p = predict(scene<Dim>({"grid.max_level=5"}), 0.1);
  EXPECT_GT(p.leaves, 16);
  EXPECT_GT(p.bytes, 1000);
  EXPECT_GT(p.disk_bytes, 1000);
  EXPECT_GT(p.seconds, p.picture_seconds);
  EXPECT_GT(p.picture_seconds, 0);
}

// Nothing says what cameras see of it, so that nothing is refined for them; but they may see too little for it.
TYPED_TEST(ToyFiles, IsRefinedForAView) {
  constexpr int Dim = TestFixture::dim;
  const fs::path folder = *this->folder_ / "view";
  RunOptions options{.folder = folder, .progress = ProgressKind::quiet};
  if (Dim == 2) options.explain = 1;
  run_scene(scene<Dim>({"output.frames=[1, 1]", "output.picture=[]"},
                       "[view]\ncoarsest_pixels = 8\nfinest_pixels = 1\noutside = 1\n" +
                           std::string(Dim == 3 ? "hidden = 1\n" : "")),
            options);
  EXPECT_EQ(fs::exists(folder / "image" / "toy.refinement.0001.png"), Dim == 2);
}

}  // namespace
}  // namespace octavo
