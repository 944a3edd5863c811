# Two commands to start with:   make demo   and   make test
# Both install what they need first (Debian packages, see scripts/install-deps).
# The build itself is CMake's; what is written here are only the usual ways to call it.

# At most one compiler for each processor, and for each 1.5 GB of free memory.
JOBS ?= $(shell awk -v n="$$(nproc)" '/^MemAvailable/ { m = int($$2 / 1500000) } \
                  END { print m < 1 ? 1 : m < n ? m : n }' /proc/meminfo)

OCTAVO := build/release/apps/octavo/octavo
SOURCES = $(shell find src apps tests bench -name '*.h' -o -name '*.cpp')

# $(call timed,WHAT,COMMAND) runs the command and says how long it took, also in build/parts.txt.
timed = @start=$$(date +%s); { $(2); } && mkdir -p build && \
        echo "$(1): $$(($$(date +%s) - start)) s" | tee -a build/parts.txt | sed 's/^/== /'
# $(call build,PRESET[,TARGET]) configures and compiles; $(call tests,PRESET[,OPTIONS]) runs the tests.
build = $(call timed,configured and built $(1),\
          cmake --preset $(1) && cmake --build --preset $(1) --parallel $(JOBS) $(addprefix --target ,$(2)))
tests = $(call timed,tested $(1),\
          rm -rf build/$(1)/test_times && ctest --preset $(1) --output-on-failure --output-junit test_times.xml $(2))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps build demo gallery test quick tsan asan begin fuzz bench format tidy clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install the Debian packages that are missing
	$(call timed,packages,scripts/install-deps)

build: deps ## Compile, optimised, into build/release
	$(call build,release)

demo: deps ## Simulate a plume and render it; all in demo/
	$(call build,release,octavo)
	@rm -rf demo
	$(OCTAVO) run scenes/starter/plume.toml --output demo/plume
	$(OCTAVO) render demo/plume --resolution 480x640 --samples 8
	$(OCTAVO) slice demo/plume --output demo/plume/octree.png
	$(OCTAVO) plot demo/plume
	@echo 'Done. Look at demo/plume: movie.mp4, sheet.png, octree.png, image/, plot/'
	@echo 'volume/ has it for Blender, Houdini and ParaView (OpenVDB).'

gallery: deps ## Run and render every scene for docs/gallery.md
	$(call build,release,octavo)
	$(call timed,gallery,scripts/gallery)

test: begin deps ## Run all tests, also with sanitizers: threads, addresses, undefined behaviour
	$(call build,release)
	$(call tests,release)
	$(call build,tsan,tests)
	$(call tests,tsan)
	$(call build,asan,tests)
	$(call tests,asan)
	@scripts/test-report release tsan asan

quick: begin deps ## Run what proves most in little time, optimised only
	$(call build,release,tests)
	$(call tests,release,-LE slow)
	@scripts/test-report release

tsan: deps ## Run the tests of parallel code with the thread sanitizer
	$(call build,tsan,tests)
	$(call tests,tsan)

asan: deps ## Run the tests of what reads bytes or handles memory with the other sanitizers
	$(call build,asan,tests)
	$(call tests,asan)

begin:
	@rm -f build/parts.txt

# What they find is left in build/fuzz; new inputs that reach more code are added to the corpus there.
FUZZ_SECONDS ?= 600
fuzz: ## Fuzz what reads files, each for FUZZ_SECONDS
	scripts/install-deps clang libclang-rt-14-dev
	$(call build,fuzz,scene_fuzz checkpoint_fuzz mesh_fuzz htg_fuzz)
	@for name in scene checkpoint mesh htg; do \
	  mkdir -p build/fuzz/found/$$name && (cd build/fuzz/found && ../tests/fuzz/$${name}_fuzz -max_total_time=$(FUZZ_SECONDS) \
	    -rss_limit_mb=1024 -timeout=60 -print_final_stats=1 $$name ../../../tests/fuzz/corpus/$$name) || exit 1; done

bench: deps ## Run every benchmark, compiled for this machine's processor
	$(call build,native)
	@find build/native/bench -maxdepth 1 -type f -executable | sort | \
	  while read -r program; do echo "== $$program"; "$$program" || exit 1; done

format: deps ## Rewrite all sources in the project's format
	clang-format -i $(SOURCES)

# The preset debug is the one in which every source is compiled by itself.
tidy: deps ## Look for likely mistakes with clang-tidy
	cmake --preset debug
	run-clang-tidy -quiet -j $(JOBS) -p build/debug '/(src|apps)/octavo/'

clean: ## Remove all that was built and the demo
	rm -rf build demo
