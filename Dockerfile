# Lapidary with what its commands need: C compilers, libclang, a JDK, Maven, Z3, git, bubblewrap.
#
#     docker build -t lapidary .
#     docker run --rm -v "$PWD":/work lapidary reduce input.c -- ./still-fails
#
# The program is built on an older system than it runs on, so that `target/dist` of the first stage
# suits most machines: docker build --target build -o type=local,dest=out .
#
# Some things need more than the image:
#
# - `--decompiler` and `triage --install-analyses` fetch tools with Maven when they are first used.
#   Keep them: docker run -v lapidary-cache:/root/.cache -v lapidary-maven:/root/.m2 ...
# - The sandbox needs user namespaces, which Docker denies unless `--security-opt` allows them
#   (`seccomp=unconfined`, `apparmor=unconfined` and `systempaths=unconfined`). Without them, commands
#   that use a sandbox by default say so and go on without one.
# - `lapidary farm` lacks its servers, PostgreSQL and BuildGrid. It is for trials on one machine,
#   where `scripts/setup farm` installs them. `reduce --remote` works, with a farm elsewhere.
# - Tests find only the tools in the image. Base an image on this one to add yours.

FROM rust:1.95-bullseye AS build
WORKDIR /lapidary
COPY . .
RUN scripts/dist && mkdir /dist && cp target/dist/* /dist/

FROM debian:bookworm-slim
# git is for `compare --git`, ca-certificates for Maven and `grpcs://`. The libraries in the second
# line are loaded by Lapidary. The slim image lacks the directory of the JDK's manual pages.
RUN mkdir -p /usr/share/man/man1 \
    && apt-get update \
    && apt-get install -y --no-install-recommends \
        bubblewrap ca-certificates g++ gcc git libc6-dev maven openjdk-17-jdk-headless \
        libclang1-14 libclang-common-14-dev libz3-4 \
        procps python3 util-linux \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /dist/*.deb /tmp/
RUN dpkg -i /tmp/*.deb && rm /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["lapidary"]
