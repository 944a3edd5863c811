#pragma once

// How much memory and how much of a disk is free, so that what would not fit can be refused before it is begun.

#include <cstddef>
#include <filesystem>
#include <string>

namespace octavo {

// Bytes that the program may still take: what the machine has left, or less if control groups or limits of the
// process leave less. Takes about a tenth of a millisecond.
std::size_t available_memory();

// What the files of the system say about it, which are in /proc and /sys; limits of the process are not among them.
std::size_t memory_left_by_system(const std::filesystem::path& root = "/");

// Bytes that can be written to a folder, or to where it is going to be made.
std::size_t available_disk(const std::filesystem::path& folder);

// From now on there is always enough of both.
void ignore_limits();

// "12 MB" or "3.4 GB".
std::string bytes_text(double bytes);

}  // namespace octavo
