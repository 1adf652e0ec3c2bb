# uwf as one image: `start` (bot and worker), `start --threads 0` (bot alone), `worker` (worker alone).
# docs/deployment.md says how to run it, and which security options bubblewrap needs inside a container.

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
# Only what npm reads, so that a change of the sources installs nothing again.
COPY package.json package-lock.json .npmrc ./
# No production dependency needs its install script: what is native comes prebuilt. Node runs no TypeScript below
# node_modules and reads no source maps unless told to: that is two thirds of the packages' size. npm takes the compiler
# along because a package names it as an optional peer.
RUN npm ci --omit=dev --ignore-scripts \
    && rm -rf /root/.npm node_modules/typescript \
    && find node_modules -type f '(' -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' ')' -delete

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="uwf" \
      org.opencontainers.image.description="Turns issues into pull requests." \
      org.opencontainers.image.licenses="MIT"
# tini is the first process: it collects what outlives git and bubblewrap, and passes SIGTERM to uwf alone, so that
# running commands may finish.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git ripgrep tini \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log
# A number, so that Kubernetes can see that it is not root. The storage root is the home too, and nobody else's to read.
RUN groupadd --system --gid 10001 uwf \
    && useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/uwf --no-create-home --shell /usr/sbin/nologin uwf \
    && install --directory --owner=uwf --group=uwf --mode=0700 /var/lib/uwf \
    && ln -s /app/bin/uwf.js /usr/local/bin/uwf
# Not below /usr or /opt, which sandboxed commands see.
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY workflows workflows
COPY src src
ENV NODE_ENV=production \
    UWF_STORAGE_ROOT=/var/lib/uwf \
    HOST=0.0.0.0 \
    PORT=3000
USER 10001:10001
VOLUME /var/lib/uwf
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "uwf"]
CMD ["start"]
