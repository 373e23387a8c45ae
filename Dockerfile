# Two stages: Bun builds the executable, a small image with nothing else runs it. No build step fetches anything but packages.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
COPY scripts/run.mjs scripts/
RUN node scripts/run.mjs --version
COPY . .
RUN node scripts/run.mjs run build

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/tollgate tollgate \
	&& mkdir -p /data && chown tollgate:tollgate /data
COPY --from=build /build/dist/tollgate /usr/local/bin/tollgate
USER tollgate
ENV TOLLGATE_HOST=0.0.0.0 TOLLGATE_PORT=4280 TOLLGATE_DATA_DIR=/data
VOLUME /data
EXPOSE 4280
# SIGTERM drains: answers that have begun are finished, threads put down their work.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["tollgate", "health"]
ENTRYPOINT ["tollgate"]
CMD ["serve"]
