// Archives and HDF5 itself: other programs can read ours, and what they make, or claim to have made, is
// read only if it is what it says.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <zlib.h>

#include "octavo/base/error.h"
#include "octavo/io/archive.h"
#include "octavo/io/hdf5_image.h"
#include "temporary_folder.h"

namespace octavo {
namespace {

using Handle = Hdf5Handle;

// A file made by HDF5 as fill(file) wants it, with the right first lines.
template <class Fill>
std::string file_with(const TemporaryFolder& folder, Fill&& fill) {
  const std::string path = (folder / "raw").string();
  {
    const Handle list(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(list.id(), 512);
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, list.id(), H5P_DEFAULT), H5Fclose);
    fill(file.id());
  }
  const std::string body = read_text(path).substr(512);
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  std::string header = fmt::format("Octavo archive 1\ncrc32 {:08x}\nbytes {}\n", crc, body.size());
  header.resize(512, '\0');
  return header + body;
}

// A dataset "x", not written yet.
Handle add(hid_t file, hid_t type, const std::vector<hsize_t>& size, hid_t list = H5P_DEFAULT) {
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                     H5Sclose);
  return {H5Dcreate2(file, "x", type, space.id(), H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose};
}

void write(const Handle& set, const std::vector<float>& values) {
  H5Dwrite(set.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

Handle chunked(const std::vector<hsize_t>& chunk) {
  Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data());
  return list;
}

// What is said when "x" of the file is asked for.
template <class Fill, class Ask>
std::string answer(Fill&& fill, Ask&& ask) {
  TemporaryFolder folder;
  const std::string file = file_with(folder, fill);
  try {
    const ArchiveReader in({reinterpret_cast<const unsigned char*>(file.data()), file.size()},
                           "the file");
    return ask(in);
  } catch (const InputError& error) {
    return error.what();
  }
}

template <class Fill>
std::string array_answer(Fill&& fill) {
  return answer(fill, [](const ArchiveReader& in) {
    return fmt::format("{} values", in.array<float>("x").size());
  });
}

TEST(ForeignArchive, OthersCanReadOurs) {
  TemporaryFolder folder;
  const std::vector<float> values{1, 2.5, -3};
  ArchiveWriter out;
  out.add_array("density", View(values.data(), 3));
  out.add_text("scene", "a plume");
  out.commit(folder / "file.h5");

  const Handle file(H5Fopen((folder / "file.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  ASSERT_TRUE(file);
  const Handle list(H5Fget_create_plist(file.id()), H5Pclose);
  hsize_t user_block = 0;
  H5Pget_userblock(list.id(), &user_block);
  EXPECT_EQ(user_block, 512u);
  const Handle set(H5Dopen2(file.id(), "density", H5P_DEFAULT), H5Dclose);
  std::vector<float> read(3);
  ASSERT_GE(H5Dread(set.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  EXPECT_EQ(read, values);
}

TEST(ForeignArchive, WhatIsInOrderIsRead) {
  const std::vector<float> values{1, 2, 3};
  EXPECT_EQ(array_answer([&](hid_t file) { write(add(file, H5T_IEEE_F32LE, {3}), values); }),
            "3 values");
  EXPECT_EQ(array_answer([&](hid_t file) {
              write(add(file, H5T_IEEE_F32LE, {3}, chunked({2}).id()), values);
            }),
            "3 values");
}

// None of these may be believed: memory would be taken for what is not there.
TEST(ForeignArchive, ClaimsOfSizesAreNotBelieved) {
  constexpr hsize_t huge = hsize_t{1} << 40;
  const std::string refusal = "'x' claims to be larger than the archive 'the file' that it is in";
  EXPECT_EQ(
      array_answer([](hid_t file) { add(file, H5T_IEEE_F32LE, {huge}, chunked({1024}).id()); }),
      refusal);
  EXPECT_EQ(array_answer([](hid_t file) { add(file, H5T_IEEE_F32LE, {huge}); }), refusal);
  EXPECT_EQ(array_answer([](hid_t file) { add(file, H5T_IEEE_F32LE, {100}); }), refusal);
  EXPECT_EQ(array_answer([](hid_t file) {
              const Handle list = chunked({1 << 20});
              H5Pset_deflate(list.id(), 9);
              write(add(file, H5T_IEEE_F32LE, {1 << 20}, list.id()), std::vector<float>(1 << 20));
            }),
            refusal);
  EXPECT_EQ(answer(
                [](hid_t file) {
                  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose),
                      space(H5Screate(H5S_SCALAR), H5Sclose);
                  H5Tset_size(type.id(), std::size_t{1} << 31);
                  H5Tset_cset(type.id(), H5T_CSET_UTF8);
                  Handle(H5Dcreate2(file, "x", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT,
                                    H5P_DEFAULT),
                         H5Dclose);
                },
                [](const ArchiveReader& in) { return in.text("x"); }),
            refusal);
}

TEST(ForeignArchive, OtherTypesAndRanksAreRefused) {
  const std::string refusal = "'x' in the archive 'the file' is not an array of float numbers";
  for (const hid_t type : {H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_STD_I32LE})
    EXPECT_EQ(array_answer([&](hid_t file) { add(file, type, {3}); }), refusal);
  EXPECT_EQ(array_answer([](hid_t file) { add(file, H5T_IEEE_F32LE, {1, 3}); }), refusal);
  EXPECT_EQ(array_answer([](hid_t file) {
              const Handle space(H5Screate(H5S_NULL), H5Sclose);
              Handle(H5Dcreate2(file, "x", H5T_IEEE_F32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT),
                     H5Dclose);
            }),
            refusal);
  EXPECT_EQ(answer(
                [](hid_t file) {
                  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
                  H5Tset_size(type.id(), H5T_VARIABLE);
                  add(file, type.id(), {1});
                },
                [](const ArchiveReader& in) { return in.text("x"); }),
            "'x' in the archive 'the file' is not a text");
}

TEST(ForeignArchive, OnlyDataOfTheFileItself) {
  const std::string none = "there is no 'x' in the archive 'the file'";
  EXPECT_EQ(array_answer([](hid_t file) {
              H5Lcreate_external("/tmp/other", "x", file, "x", H5P_DEFAULT, H5P_DEFAULT);
            }),
            none);
  EXPECT_EQ(
      array_answer([](hid_t file) { H5Lcreate_soft("y", file, "x", H5P_DEFAULT, H5P_DEFAULT); }),
      none);
  EXPECT_EQ(array_answer([](hid_t file) {
              const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
              H5Pset_external(list.id(), "/etc/passwd", 0, 12);
              add(file, H5T_IEEE_F32LE, {3}, list.id());
            }),
            "'x' claims to be larger than the archive 'the file' that it is in");
  EXPECT_EQ(array_answer([](hid_t file) {
              Handle(H5Gcreate2(file, "x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
            }),
            "'x' in the archive 'the file' is no data");
}

TEST(ForeignArchive, RightFirstLinesDoNotMakeAnArchive) {
  for (const std::string body : {"", "not HDF5", "\x89HDF\r\n\x1a\n"}) {
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
    std::string file = fmt::format("Octavo archive 1\ncrc32 {:08x}\nbytes {}\n", crc, body.size());
    file.resize(512, '\0');
    file += body;
    try {
      const ArchiveReader in({reinterpret_cast<const unsigned char*>(file.data()), file.size()},
                             "the file");
      ADD_FAILURE() << body;
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "'the file' is not an archive: it is no HDF5 file");
    }
  }
}

}  // namespace
}  // namespace octavo
