# Lapidary with what its commands need: a C compiler and libclang, a JDK and Maven, Z3, bubblewrap.
#
#     docker build -t lapidary .
#     docker run --rm -v "$PWD":/work lapidary reduce input.c -- ./still-fails
#
# The program is built on an older system than it runs on, so that `target/dist` of the first stage
# suits most machines: docker build --target build -o type=local,dest=out .

FROM rust:1.95-bullseye AS build
WORKDIR /lapidary
COPY . .
RUN scripts/dist && mkdir /dist && cp target/dist/* /dist/

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        bubblewrap g++ gcc libc6-dev libclang1-14 libclang-common-14-dev libz3-4 maven \
        openjdk-17-jdk-headless procps python3 util-linux \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /dist/*.deb /tmp/
RUN dpkg -i /tmp/*.deb && rm /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["lapidary"]
