# What a newcomer needs: `make demo` and `make test`. CONTRIBUTING.md says what is where.

CARGO ?= cargo

.PHONY: demo build release test test-full lint bench setup setup-java clean

demo: release
	./target/release/lapidary demo

setup:
	@scripts/setup

# A JDK and Maven, for tests and for --decompiler.
setup-java:
	@scripts/setup java

build: setup
	$(CARGO) build --workspace

release: setup
	$(CARGO) build --release -p lapidary-cli

# Everything that must hold at every commit, in minutes.
test: setup-java
	$(CARGO) test --workspace --quiet

# The same with many more random cases.
test-full: setup-java
	PROPTEST_CASES=2000 $(CARGO) test --workspace --release

lint:
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

# The experiments behind the figures in the docs; each writes its results below bench/*/results.
bench: release
	bench/engine/run
	bench/peers/setup
	bench/peers/run
	bench/peers/table

clean:
	$(CARGO) clean
