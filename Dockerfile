# The final image does not contain npm. Node itself is one of the installed packages.
# Base images are pinned by the digest of their index. To renew one: docker pull node:24-bookworm-slim, then
# docker inspect --format '{{index .RepoDigests 0}}' node:24-bookworm-slim
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS install
WORKDIR /partita
COPY . .
RUN npm ci --omit=dev

FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
RUN useradd --system --uid 10001 --home-dir /data partita && install -d -o partita -g partita /data
COPY --from=install /partita /partita
WORKDIR /partita
ENV HOST=0.0.0.0 DATA_DIR=/data PATH=/partita/node_modules/.bin:$PATH
RUN install -d -o partita -g partita node_modules/.cache/node
USER partita
# Fills the compile cache, so that every start is faster.
RUN node bin/partita.js openapi > /dev/null
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "bin/partita.js"]
CMD ["serve"]
