#include "octavo/mesh/transfer.h"

#include <gtest/gtest.h>

#include "octavo/mesh/interpolate.h"
#include "octavo/mesh/nodal_velocity.h"
#include "octavo/tree/change.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class TransferTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(TransferTest, test::Dims);

// Another tree over the same box: leaves split (some several times), siblings merged, at random.
template <int Dim>
Octree<Dim> shaken(const Octree<Dim>& before, std::uint64_t seed) {
  Octree<Dim> tree(before);
  for (std::uint32_t round = 0; round < 3; ++round) {
    const Random random(seed + 1000 * round);
    std::vector<Mark> marks(tree.leaf_count());
    for (std::size_t i = 0; i < marks.size(); ++i) {
      // Siblings mostly decide together, or no family would ever be merged.
      const auto family = tree.keys()[i].level() > 0 ? tree.keys()[i].parent().bits : 0;
      const double x = random.uniform(family), y = random.uniform(i, 1);
      marks[i] = x < 0.4 ? Mark::coarsen : x < 0.6 && y < 0.4 ? Mark::refine : Mark::keep;
    }
    change<Dim>(tree, View<const Mark>(marks.data(), marks.size()));
  }
  return tree;
}

template <int Dim, class F>
void for_random_pairs(int count, F&& f) {
  test::for_random_trees<Dim>(count, [&](const Octree<Dim>& before, std::uint64_t seed) {
    const Octree<Dim> after = shaken(before, seed);
    const Mesh<Dim> old_mesh(before), new_mesh(after);
    f(old_mesh, new_mesh, seed);
  });
}

template <int Dim>
FaceField<double> random_faces(const Mesh<Dim>& mesh, std::uint64_t seed) {
  FaceField<double> field(mesh);
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    field[FaceId(f)] = Random(seed).uniform(f) - 0.5;
  return field;
}

// Net flux out of a leaf.
template <int Dim>
double outflow(const Mesh<Dim>& mesh, const FaceField<double>& u, LeafId leaf) {
  double sum = 0;
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId f : mesh.view().faces(leaf, side))
      sum += (side % 2 == 1 ? 1 : -1) * mesh.view().area(f) * u[f];
  return sum;
}

// Sums before(i) over the old and after(j) over the new leaves of each cell of the coarser of the two trees
// at each place, and expects both to agree.
template <int Dim, class Before, class After>
void for_common_cells(const Mesh<Dim>& from, const Mesh<Dim>& to, Before&& before, After&& after,
                      double tolerance) {
  const auto old_keys = from.tree().keys(), new_keys = to.tree().keys();
  std::size_t i = 0, j = 0;
  while (i < old_keys.size()) {
    const Key<Dim> cell = old_keys[i].contains(new_keys[j]) ? old_keys[i] : new_keys[j];
    double was = 0, is = 0;
    for (; i < old_keys.size() && cell.contains(old_keys[i]); ++i) was += before(i);
    for (; j < new_keys.size() && cell.contains(new_keys[j]); ++j) is += after(j);
    ASSERT_NEAR(is, was, tolerance);
  }
}

TYPED_TEST(TransferTest, OriginsAreTheLeavesAtTheLowestCorners) {
  constexpr int Dim = TestFixture::dim;
  std::size_t merged = 0, split = 0;
  for_random_pairs<Dim>(300, [&](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t) {
    const Transfer<Dim> transfer(from, to);
    bool refines = false;
    for (std::size_t i = 0; i < to.leaf_count(); ++i) {
      const LeafId o = transfer.origin()[i];
      ASSERT_EQ(o, from.tree().view().leaf_at(to.tree().view().lo(LeafId(i))));
      const int jump = from.tree().view().level(o) - to.tree().view().level(LeafId(i));
      merged += jump > 0 ? 1 : 0;
      split += jump < -1 ? 1 : 0;
      refines = refines || jump < 0;
    }
    ASSERT_EQ(transfer.refines(), refines);
  });
  EXPECT_GT(merged, 300u);
  EXPECT_GT(split, 300u);  // by two levels or more at once
}

// A linear function of lattice positions has integer values, and interpolates without any rounding.
TYPED_TEST(TransferTest, LinearNodalFieldsAreKeptExactly) {
  constexpr int Dim = TestFixture::dim;
  auto linear = [](const Lattice<Dim>& p) {
    return 5.0 + 2.0 * p[0] - 3.0 * p[1] + 7.0 * p[Dim - 1];
  };
  for_random_pairs<Dim>(test::tree_count,
                        [&](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t) {
                          NodeField<double> field(from), carried;
                          for (std::size_t n = 0; n < from.node_count(); ++n)
                            field[NodeId(n)] = linear(from.view().lattice(NodeId(n)));
                          Transfer<Dim>(from, to)(field, carried);
                          ASSERT_EQ(carried.size(), to.node_count());
                          for (std::size_t n = 0; n < to.node_count(); ++n)
                            ASSERT_EQ(carried[NodeId(n)], linear(to.view().lattice(NodeId(n))));
                        });
}

// Nodal values are "either deleted or unchanged" when coarsening: nodes of both meshes that do not
// hang keep their bits; and nowhere does the field take a value it did not have at that point.
TYPED_TEST(TransferTest, NodalValuesAreTheOldField) {
  constexpr int Dim = TestFixture::dim;
  for_random_pairs<Dim>(300, [](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t seed) {
    NodeField<double> field(from), carried;
    for (std::size_t n = 0; n < from.node_count(); ++n) field[NodeId(n)] = Random(seed).uniform(n);
    constrain(from, field);
    Transfer<Dim>(from, to)(field, carried);
    std::vector<bool> hangs(to.node_count(), false);
    for (const auto& h : to.view().hanging) hangs[h.node] = true;
    for (std::size_t n = 0; n < to.node_count(); ++n) {
      if (hangs[n]) continue;
      const Vec<Dim> p = to.view().position(NodeId(n));
      ASSERT_NEAR(carried[NodeId(n)], (sample<double>(from.view(), std::as_const(field).view(), p)),
                  1e-10);
      const Lattice<Dim> at = to.view().lattice(NodeId(n));
      if (n < to.leaf_count()) {
        const LeafId o = from.tree().view().leaf_at(at);
        if (from.tree().view().lo(o) == at) {
          ASSERT_EQ(carried[NodeId(n)], field[NodeId(o.value)]);
        }
      }
    }
  });
}

// The flux out of every old leaf, through whatever faces there are now, is what it was; so is that
// of every new leaf that was merged from old ones.
TYPED_TEST(TransferTest, FluxOutOfEveryOldLeafIsKept) {
  constexpr int Dim = TestFixture::dim;
  for_random_pairs<Dim>(
      test::tree_count, [](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t seed) {
        const FaceField<double> u = random_faces(from, seed);
        FaceField<double> carried;
        Transfer<Dim>(from, to)(u, carried);
        ASSERT_EQ(carried.size(), to.face_count());
        const double scale = std::pow(from.tree().domain().root_size, Dim - 1);
        for_common_cells(
            from, to, [&](std::size_t i) { return outflow(from, u, LeafId(i)); },
            [&](std::size_t j) { return outflow(to, carried, LeafId(j)); }, 1e-12 * scale);
      });
}

// When leaves are split once, each child has its parent's divergence: its share of the outflow.
TYPED_TEST(TransferTest, ChildrenShareTheDivergenceEqually) {
  constexpr int Dim = TestFixture::dim;
  std::size_t children = 0;
  test::for_random_trees<Dim>(300, [&](const Octree<Dim>& before, std::uint64_t seed) {
    Octree<Dim> after(before);
    std::vector<Mark> marks(before.leaf_count());
    for (std::size_t i = 0; i < marks.size(); ++i)
      marks[i] = Random(seed).below(2, i) == 0 ? Mark::refine : Mark::keep;
    change<Dim>(after, View<const Mark>(marks.data(), marks.size()));
    const Mesh<Dim> from(before), to(after);
    const FaceField<double> u = random_faces(from, seed);
    const Transfer<Dim> transfer(from, to);
    FaceField<double> carried;
    transfer(u, carried);
    for (std::size_t i = 0; i < to.leaf_count(); ++i) {
      const LeafId o = transfer.origin()[i];
      if (from.tree().keys()[o] == to.tree().keys()[i]) continue;
      ++children;
      const double area = std::pow(from.tree().view().size(o), Dim - 1);
      ASSERT_NEAR(outflow(to, carried, LeafId(i)), outflow(from, u, o) / child_count<Dim>,
                  1e-12 * area);
    }
  });
  EXPECT_GT(children, 10000u);
}

// Faces of the old mesh that were split or merged: the flux through the place is the same, face by
// face.
TYPED_TEST(TransferTest, FluxThroughEverySideIsKept) {
  constexpr int Dim = TestFixture::dim;
  for_random_pairs<Dim>(200, [](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t seed) {
    const FaceField<double> u = random_faces(from, seed);
    FaceField<double> carried;
    Transfer<Dim>(from, to)(u, carried);
    const OctreeView<Dim> tree = to.tree().view();
    for (std::size_t i = 0; i < from.leaf_count(); ++i) {
      const Key<Dim> key = from.tree().keys()[i];
      const Cell cell = tree.cell_at(from.tree().view().lo(LeafId(i)), key.level());
      if (cell.is_leaf() && tree.level(cell.leaf()) < key.level()) continue;  // merged away
      for (int side = 0; side < side_count<Dim>; ++side) {
        const double before = mean_on_side<double>(from.view(), u.view(), Cell::leaf(i), side);
        const double after =
            mean_on_side<double>(to.view(), std::as_const(carried).view(), cell, side);
        ASSERT_NEAR(after, before, 1e-12);
      }
    }
  });
}

// Away from walls a linear velocity passes through any change of the tree unharmed.
TYPED_TEST(TransferTest, LinearVelocitiesAreKeptAwayFromWalls) {
  constexpr int Dim = TestFixture::dim;
  auto velocity = [](const Vec<Dim>& p, int a) {
    return 1.0 + p[a] * (a + 1) - 2 * p[(a + 1) % Dim];
  };
  std::size_t checked = 0;
  for_random_pairs<Dim>(300, [&](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t) {
    FaceField<double> u(from), carried;
    for (std::uint32_t f = 0; f < from.face_count(); ++f)
      u[FaceId(f)] = velocity(from.view().center(FaceId(f)), from.view().axis(FaceId(f)));
    const Transfer<Dim> transfer(from, to);
    transfer(u, carried);

    // The old nodes that know the linear field exactly are those that depend on no wall.
    const MeshView<Dim> m = from.view();
    const auto nodal = nodal_velocity(from, u);
    auto exact_side = [&](LeafId leaf) {
      for (int c = 0; c < child_count<Dim>; ++c)
        for (int a = 0; a < Dim; ++a) {
          const NodeId n = m.node(leaf, c);
          if (std::abs(nodal[n][a] - velocity(m.position(n), a)) > 1e-11) return false;
        }
      for (int side = 0; side < side_count<Dim>; ++side)
        for (const FaceId f : m.faces(leaf, side)) {
          const auto fine = m.finer(f);
          for (int c = 0; c < child_count<Dim>; ++c)
            for (int a = 0; a < Dim; ++a) {
              const NodeId n = m.node(fine.leaf, c);
              if (std::abs(nodal[n][a] - velocity(m.position(n), a)) > 1e-11) return false;
            }
        }
      return true;
    };
    for (std::uint32_t f = 0; f < to.face_count(); ++f) {
      const auto fine = to.view().finer(FaceId(f));
      const LeafId o = transfer.origin()[fine.leaf];
      if (m.tree.level(o) >= to.tree().view().level(fine.leaf) || !exact_side(o)) continue;
      ++checked;
      ASSERT_NEAR(carried[FaceId(f)],
                  velocity(to.view().center(FaceId(f)), to.view().axis(FaceId(f))), 1e-10);
    }
  });
  EXPECT_GT(checked, 500u);
}

TYPED_TEST(TransferTest, LeafIntegralsAreKeptPlaceByPlace) {
  constexpr int Dim = TestFixture::dim;
  for_random_pairs<Dim>(300, [](const Mesh<Dim>& from, const Mesh<Dim>& to, std::uint64_t seed) {
    LeafField<double> field(from), carried;
    for (std::size_t i = 0; i < from.leaf_count(); ++i) field[LeafId(i)] = Random(seed).uniform(i);
    Transfer<Dim>(from, to)(field, carried);
    auto content = [](const Mesh<Dim>& mesh, const LeafField<double>& f, std::size_t i) {
      return f[LeafId(i)] * std::pow(mesh.tree().view().size(LeafId(i)), Dim);
    };
    for_common_cells(
        from, to, [&](std::size_t i) { return content(from, field, i); },
        [&](std::size_t j) { return content(to, carried, j); },
        1e-12 * from.tree().domain().volume());
  });
}

TYPED_TEST(TransferTest, FieldsOfOtherMeshesAreRefused) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> p{Domain<Dim>{}};
  const auto q = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
  const Mesh<Dim> from(p), to(q);
  LeafField<double> leaf, out;
  FaceField<float> face, face_out;
  NodeField<float> node, node_out;
  const Transfer<Dim> transfer(from, to);
  EXPECT_THROW(transfer(leaf, out), InvariantError);
  EXPECT_THROW(transfer(face, face_out), InvariantError);
  EXPECT_THROW(transfer(node, node_out), InvariantError);
  EXPECT_THROW(constrain(to, node), InvariantError);
  EXPECT_THROW(nodal_velocity(to, face), InvariantError);
}

// If one field cannot be carried, none is.
TYPED_TEST(TransferTest, FieldSetsMoveAllOrNone) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> p{Domain<Dim>{}};
  const auto q = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 2; });
  const Mesh<Dim> from(p), to(q);
  LeafField<double> good(from, 3.0), wrong(to, 4.0);
  FieldSet<Dim> fields;
  fields.add(good);
  EXPECT_THROW(fields.add(good), InputError);
  fields.add(wrong);
  EXPECT_THROW(fields.transfer(Transfer<Dim>(from, to)), InvariantError);
  EXPECT_TRUE(good.belongs_to(from));
  EXPECT_EQ(good[LeafId(0)], 3.0);
}

TYPED_TEST(TransferTest, BackAndForthIsTheIdentityWhenRefiningOnly) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(100, [](const Octree<Dim>& before, std::uint64_t seed) {
    Octree<Dim> after(before);
    std::vector<Mark> marks(before.leaf_count(), Mark::refine);
    change<Dim>(after, View<const Mark>(marks.data(), marks.size()));
    const Mesh<Dim> coarse(before), fine(after);
    const FaceField<double> u = random_faces(coarse, seed);
    FaceField<double> there, back;
    Transfer<Dim>(coarse, fine)(u, there);
    Transfer<Dim>(fine, coarse)(there, back);
    for (std::size_t f = 0; f < u.size(); ++f) ASSERT_NEAR(back[FaceId(f)], u[FaceId(f)], 1e-13);
  });
}

TYPED_TEST(TransferTest, OtherBoxesAreRefused) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> other;
  other.root_size = 2;
  const Octree<Dim> p{Domain<Dim>{}}, q{other};
  const Mesh<Dim> from(p), to(q);
  EXPECT_THROW(Transfer<Dim>(from, to), InputError);
}

}  // namespace
}  // namespace octavo
