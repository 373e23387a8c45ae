# Two stages: Bun builds the executable, a small image with nothing else runs it. No build step fetches anything but packages.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
COPY scripts/run.mjs scripts/
RUN node scripts/run.mjs --version
COPY . .
RUN node scripts/run.mjs run build

FROM debian:bookworm-slim
RUN groupadd --system --gid 10001 tollgate \
	&& useradd --system --uid 10001 --gid 10001 --create-home --home-dir /var/lib/tollgate tollgate \
	&& mkdir -p /data /backups && chown 10001:10001 /data /backups
COPY --from=build /build/dist/tollgate /usr/local/bin/tollgate
# By number: Kubernetes refuses a name where `runAsNonRoot` is set.
USER 10001:10001
ENV TOLLGATE_HOST=0.0.0.0 TOLLGATE_PORT=4280 TOLLGATE_DATA_DIR=/data
VOLUME /data
EXPOSE 4280
# SIGTERM drains: the server finishes the answers that it has begun, and its threads end their work.
STOPSIGNAL SIGTERM
# Liveness: a restart helps a server that hangs, and none whose disk is full. Ask /readyz before you send requests to it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["tollgate", "health", "--alive"]
ENTRYPOINT ["tollgate"]
CMD ["serve"]
