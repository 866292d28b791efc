# The same image as `npm run image` makes without an engine: docker build --tag plinth .
# The first stage lays out the root file system with the same script; the second one is that and nothing else.
FROM node:24.21.0-bookworm AS build
WORKDIR /source
COPY . .
RUN apt-get update && npm ci --no-audit --no-fund && npm run build:console --if-present && npm run image -- --root /image

FROM scratch
COPY --from=build /image/ /
COPY --from=build --chown=65532:65532 /image/var/lib/plinth/ /var/lib/plinth/
ENV PATH=/usr/local/bin:/usr/bin:/bin
ENV NODE_ENV=production
ENV HOME=/var/lib/plinth
ENV NODE_COMPILE_CACHE=/tmp/plinth-compiled
ENV PLINTH_SERVER_HOST=0.0.0.0
ENV PLINTH_DATA_DIR=/var/lib/plinth
ENV MALLOC_ARENA_MAX=2
ENV MALLOC_MMAP_THRESHOLD_=262144
USER 65532:65532
WORKDIR /var/lib/plinth
EXPOSE 7007/tcp
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=4", "--heap-growing-percent=20", "--no-allocation-site-pretenuring", "--flush-code-based-on-time", "--no-memory-protection-keys", "--wasm-wrapper-tiering-budget=2147483647", "/app/dist/plinth.js"]
CMD ["start"]
LABEL org.opencontainers.image.title="plinth"
LABEL org.opencontainers.image.version="0.1.0"
LABEL org.opencontainers.image.licenses="Apache-2.0"
