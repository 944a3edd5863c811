// Fields are found by their names and types; states that are not those of a simulation are refused.

#include "octavo/flow/field_table.h"

#include <gtest/gtest.h>

#include "octavo/flow/saved_state.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

using Fields = FieldTable<2, float>;

// Expects an InputError whose sentence has some words.
template <class Act>
void expect_input_error(Act&& act, const std::string& words) {
  try {
    act();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(FieldTable, NamesAreTakenOnce) {
  Fields fields;
  fields.add<NodeField<float>>({.name = "soot"});
  expect_input_error([&] { fields.add<NodeField<float>>({.name = "soot"}); }, "'soot'");
  expect_input_error([&] { fields.add<LeafField<float>>({.name = "soot"}); }, "'soot'");
  EXPECT_EQ(fields.columns().size(), 1u);
  fields.add<NodeField<float>>({.name = "Soot"});
  EXPECT_EQ(fields.columns().size(), 2u);
}

TEST(FieldTable, FindsByNameAndByType) {
  Fields fields;
  NodeField<float>& soot = fields.add<NodeField<float>>({.name = "soot", .unit = "kg/m^3"});
  LeafField<float>& charge = fields.add<LeafField<float>>({.name = "charge"});
  for (int i = 0; i < 20; ++i) fields.add<FaceField<float>>({.name = fmt::format("flux {}", i)});
  NodeField<float>& dye = fields.add<NodeField<float>>({.name = "dye"});
  EXPECT_EQ(fields.find("fog"), nullptr);
  EXPECT_EQ(fields.find(""), nullptr);
  ASSERT_NE(fields.find("soot"), nullptr);
  EXPECT_EQ(fields.find("soot")->info.title(), "soot, kg/m^3");
  EXPECT_EQ(fields.find("charge")->info.title(), "charge");

  // Fields stay where they are when others come.
  EXPECT_EQ(fields.find("soot")->as<NodeField<float>>(), &soot);
  EXPECT_EQ(fields.find("charge")->as<LeafField<float>>(), &charge);
  EXPECT_EQ(fields.find("charge")->as<NodeField<float>>(), nullptr);

  std::vector<std::string> names;
  std::vector<const NodeField<float>*> there;
  fields.for_each<NodeField<float>>([&](const FieldInfo& info, NodeField<float>& field) {
    names.push_back(info.name);
    there.push_back(&field);
  });
  EXPECT_EQ(names, (std::vector<std::string>{"soot", "dye"}));
  EXPECT_EQ(there, (std::vector<const NodeField<float>*>{&soot, &dye}));
}

// Fields of any type are numbers to those who save them.
TEST(FieldTable, NumbersOfAnyField) {
  const Octree<2> tree = Octree<2>::build({}, [](const Leaf<2>& l) { return l.level < 2; });
  const Mesh<2> mesh(tree);
  Fields fields;
  auto& wind = fields.add<NodeField<Vec<2, float>>>({.name = "wind", .shape = FieldShape::vector});
  fields.add<LeafField<float>>({.name = "charge"});
  EXPECT_EQ(fields.bytes(), 0u);
  for (const auto& column : fields.columns()) column.values->resize(mesh);
  EXPECT_EQ(fields.find("charge")->values->numbers().size(), mesh.leaf_count());
  wind[NodeId(3)] = {1, 2};
  const View<float> numbers = fields.find("wind")->values->numbers();
  ASSERT_EQ(numbers.size(), 2 * mesh.node_count());
  EXPECT_EQ(numbers[std::size_t{6}], 1);
  EXPECT_EQ(numbers[std::size_t{7}], 2);
  EXPECT_GE(fields.bytes(), 4 * (2 * mesh.node_count() + mesh.leaf_count()));
}

TEST(SavedState, WhatIsNotThereOrOfAnotherType) {
  const std::vector<float> soot(3, 1.5F);
  const std::vector<std::uint64_t> ids(2, 7u);
  SavedState<2> s;
  s.numbers = {{"strictness", 2}};
  s.arrays = {{"soot", View<const float>(soot.data(), soot.size())},
              {"ids", View<const std::uint64_t>(ids.data(), ids.size())}};
  EXPECT_EQ(s.number("strictness"), 2);
  EXPECT_EQ(s.array<float>("soot").data(), soot.data());
  EXPECT_EQ(s.array<std::uint64_t>("ids")[std::size_t{1}], 7u);
  expect_input_error([&] { s.number("soot"); }, "no soot");
  expect_input_error([&] { s.array<float>("strictness"); }, "no strictness");
  expect_input_error([&] { s.array<float>("fog"); }, "no fog");
  expect_input_error([&] { s.array<double>("soot"); }, "saved soot has values of another type");
  expect_input_error([&] { s.array<float>("ids"); }, "another type");
}

}  // namespace
}  // namespace octavo
