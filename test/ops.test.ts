/** The dashboard and alerts for operators must match the metrics of the service. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { measureProcess } from '../src/metrics.ts'
import { projectPath } from '../src/platform/project/paths.ts'
import { buildUsage, startWorker } from './metering/fixtures.ts'
import { listNames } from './scrape.ts'

const read = (...parts: string[]) => readFileSync(projectPath(...parts), 'utf8')
const alerts = read('ops', 'prometheus', 'alerts.yml')
  .split(/^ +- alert: /m)
  .slice(1)
  .map((text) => {
    const line = (name: string) => new RegExp(`^ +${name}: '?(.*?)'?$`, 'm').exec(text)?.[1] ?? ''
    return { name: text.split('\n', 1)[0]!, line }
  })

type Panel = { title: string; targets?: { expr: string }[] }
const dashboard = JSON.parse(read('ops', 'grafana', 'activity-booking.json')) as { panels: Panel[] }
const expressions = [
  ...alerts.map(({ name, line }) => ({ of: name, text: line('expr') })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ of: title, text: expr })),
  ),
]

/**
 * The metrics that an expression names: its words without strings, labels, durations, functions and
 * operators.
 */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .replaceAll(/\b(and|or|unless|bool)\b/g, ' ')
  return [...bare.matchAll(/\b[a-z_:][\w:]*\b(?! *\()/g)].map(([name]) => name)
}

/** The rows of the table of the service's own metrics. */
const documented = [
  ...read('docs', 'metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) \| (process|stores) \|/gm),
].map(([, name = '', type = '', labels = '', of = '']) => ({ name, type, labels, of }))

t.test('the metrics of a web process and a worker', async (t) => {
  const { services, url } = await buildUsage(t, 'postgres', { workers: 0 })
  const worker = await startWorker(t, services, url)
  const own = `${await worker.services.metrics.registry.metrics()}${await services.metrics.registry.metrics()}`
  measureProcess(services.metrics)
  const reported = new Set(['up', ...listNames(own), ...listNames(await services.metrics.registry.metrics())])

  t.test('include every metric that the dashboard and the alerts name', async (t) => {
    t.ok(expressions.length > 50, 'there are expressions')
    for (const { of, text } of expressions) {
      const names = metricsIn(text)
      t.ok(names.length > 0, `${of} names a metric`)
      for (const name of names) t.ok(reported.has(name), `${of}: ${name}`)
    }
  })

  t.test('are all described in docs/metrics.md, which has no others', async (t) => {
    const types = new Set(
      [...own.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`),
    )
    t.same(documented.map(({ name, type }) => `${name} ${type}`).sort(), [...types].sort())
  })
})

t.test('the dashboard and the alerts use only labels that exist', async (t) => {
  const labelsOf = new Map(documented.map(({ name, labels }) => [name, labels]))
  for (const { of, text } of expressions) {
    for (const [, name = '', inner = ''] of text.matchAll(/(\w+)\{([^}]*)\}/g)) {
      const labels = labelsOf.get(name.replace(/_(bucket|count|sum)$/, '')) ?? labelsOf.get(name) ?? ''
      for (const [, label] of inner.matchAll(/(\w+)(?==|!|~)/g))
        t.ok(label === 'job' || labels.includes(`\`${label}\``), `${of}: ${name} ${label}`)
    }
  }
})

t.test('every alert has a severity, a delay and a section in the runbooks', async (t) => {
  const headings = [...read('docs', 'runbooks.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  t.same(headings.sort(), alerts.map(({ name }) => name).sort())
  for (const { name, line } of alerts) {
    t.match(line('severity'), /^(critical|warning)$/, name)
    t.match(line('for'), /^\d+[mh]$/, name)
    t.match(line('summary'), /\.$/, name)
    t.equal(line('runbook'), `docs/runbooks.md#${name.toLowerCase()}`)
  }
})

t.test(
  'metrics of the stores, which every process reports in full, are not summed over processes',
  async (t) => {
    const shared = new Set(documented.filter(({ of }) => of === 'stores').map(({ name }) => name))
    t.ok(shared.size > 5)
    for (const { of, text } of expressions) {
      for (const [, by, name = ''] of text.matchAll(/\bsum( by \([^)]*\))? ?\((\w+)/g))
        t.notOk(by !== ' by (instance)' && shared.has(name), `${of}: ${name}`)
    }
  },
)
