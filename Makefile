# What a newcomer needs: `make demo` and `make test`. CONTRIBUTING.md says what is where.

CARGO ?= cargo

.PHONY: demo build release dist test test-full test-faults lint ci pictures bench setup setup-java setup-c setup-tests clean

demo: release
	./target/release/lapidary demo

setup:
	@scripts/setup

# A JDK and Maven, for tests and for --decompiler.
setup-java:
	@scripts/setup java

# libclang and a sandbox, for C and C++.
setup-c:
	@scripts/setup c

setup-tests:
	@scripts/setup java c symbolic browser farm

build: setup
	$(CARGO) build --workspace

release: setup
	$(CARGO) build --release -p lapidary-cli

# A tar.gz and a Debian package in target/dist.
dist: setup
	@scripts/dist

# Everything that must hold at every commit, in minutes. Without incremental compilation, whose
# files take as much disk as all that is built.
test: setup-tests
	CARGO_INCREMENTAL=0 $(CARGO) test --workspace --quiet

# The same with many more random cases, and a minute of damaged files for each reader.
test-full: setup-tests
	PROPTEST_CASES=2000 LAPIDARY_FUZZ_SECONDS=60 $(CARGO) test --workspace --release

# Kills, full disks, lost power: more than 10,000 faults, and the tables of docs/reliability.md.
test-faults: setup-tests release
	bench/faults/run
	bench/faults/table

# The checks of .ci/run that run no test.
lint:
	$(CARGO) fmt --check
	scripts/dependencies
	scripts/components
	scripts/suites
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-Dwarnings -Arustdoc::private-intra-doc-links" $(CARGO) doc --workspace --no-deps --quiet

# What a change must pass before it lands.
ci:
	.ci/run

# The pictures in docs/images, of the examples, in the browser of the tests and in tmux.
pictures: setup-tests
	$(CARGO) build -p lapidary-cli
	scripts/pictures target/debug/lapidary

# The experiments behind the figures in the docs; each writes its results below bench/*/results. Some
# skip what their results already have. crash-truth needs gdb and valgrind.
bench: release
	bench/engine/run
	bench/peers/setup
	bench/peers/run
	bench/peers/table
	bench/crash/run
	bench/crash/table
	bench/crash-truth/run 2000
	bench/crash-truth/table
	bench/c-peers/install
	bench/c-peers/run
	bench/c-peers/table
	bench/c-scale/run
	bench/c-scale/validity
	bench/compare/run
	bench/compare/table
	bench/loupe/run
	bench/loupe/table
	bench/truth/run
	bench/java-inputs/fetch
	$(CARGO) build --release -p lapidary-callgraph --example reachable
	bench/triage/build
	bench/triage/run
	bench/sandbox/run
	bench/sandbox/table
	bench/faults/run
	bench/faults/table
	bench/live/run
	bench/live/table

clean:
	$(CARGO) clean
