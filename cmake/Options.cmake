# Compiler settings that every target of the project shares, and the function that makes a layer.

# What compiles and links faster where it is there.
if(OCTAVO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  endif()
endif()
find_program(LLD ld.lld)
mark_as_advanced(LLD)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

add_library(octavo_options INTERFACE)
target_compile_options(octavo_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(OCTAVO_WERROR)
  target_compile_options(octavo_options INTERFACE -Werror)
endif()
# No contraction into fused operations: the same numbers on every processor the build can run on.
target_compile_options(octavo_options INTERFACE -ffp-contract=off)

if(OCTAVO_NATIVE)
  target_compile_options(octavo_options INTERFACE -march=native)
  set(OCTAVO_MARCH "native")
else()
  set(OCTAVO_MARCH "portable")
endif()

if(OCTAVO_SANITIZE)
  target_compile_options(octavo_options INTERFACE
    -fsanitize=${OCTAVO_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(octavo_options INTERFACE -fsanitize=${OCTAVO_SANITIZE})
  if(OCTAVO_SANITIZE MATCHES "thread")
    target_compile_definitions(octavo_options INTERFACE OCTAVO_THREAD_SANITIZER)
  endif()
  if(OCTAVO_SANITIZE MATCHES "undefined")
    target_compile_options(octavo_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
if(OCTAVO_FUZZ)
  target_compile_options(octavo_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(OCTAVO_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(octavo_options INTERFACE OCTAVO_DEBUG_CHECKS _GLIBCXX_ASSERTIONS)
endif()

# octavo_unity(TARGET [COUNT]): its sources are compiled so many at a time, eight unless given, since most of each is
# what headers make of templates. Their names must not collide then; each must compile by itself as well, as it does without OCTAVO_UNITY.
function(octavo_unity target)
  if(OCTAVO_UNITY)
    set(count 8 ${ARGN})
    list(GET count -1 count)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
    # To the compiler, what is in a source's anonymous namespace then seems to be a header's.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# octavo_layer(NAME SOURCES ... APART ... LINKS ... PRIVATE_LINKS ...): the folder NAME as the library
# octavo::NAME; without sources it is made of headers only. A class template that is instantiated in several sources
# has only one of them among the SOURCES; the others stand APART, where each is compiled by itself.
function(octavo_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;APART;LINKS;PRIVATE_LINKS" ${ARGN})
  if(LAYER_SOURCES)
    add_library(octavo_${name} STATIC ${LAYER_SOURCES} ${LAYER_APART})
    set_source_files_properties(${LAYER_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    set(scope PUBLIC)
    target_link_libraries(octavo_${name} PRIVATE octavo_options ${LAYER_PRIVATE_LINKS})
    octavo_unity(octavo_${name})
  else()
    add_library(octavo_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(octavo::${name} ALIAS octavo_${name})
  target_include_directories(octavo_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(octavo_${name} ${scope} ${LAYER_LINKS})
  set_property(GLOBAL APPEND PROPERTY OCTAVO_LAYERS octavo::${name})
endfunction()
