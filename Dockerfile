# The final image does not contain npm. Node itself is one of the installed packages.
FROM node:24-bookworm-slim AS install
WORKDIR /partita
COPY . .
RUN npm ci --omit=dev

FROM debian:bookworm-slim
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
