#pragma once

// This tells how much memory and how much of a disk is free, so that what would not fit can be refused before
// it is begun.

#include <cstddef>
#include <filesystem>
#include <string>

namespace octavo {

// These are the bytes that the program may still take: what the machine has left, or less if control groups or
// limits of the process leave less. Asking takes about a tenth of a millisecond.
std::size_t available_memory();

// This is what the files of the system say about it, which are in /proc and /sys; limits of the process are not
// among them.
std::size_t memory_left_by_system(const std::filesystem::path& root = "/");

// These are the bytes that can be written to a folder, or to where it is going to be made.
std::size_t available_disk(const std::filesystem::path& folder);

// After this there always counts as enough of both.
void ignore_limits();

// This writes "12 MB" or "3.4 GB".
std::string bytes_text(double bytes);

}  // namespace octavo
