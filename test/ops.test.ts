/** What operators are given to watch the service with: that it fits what the service really tells. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { measureProcess } from '../src/metrics/metrics.ts'
import { projectPath } from '../src/platform/paths.ts'
import { listNames } from './scrape.ts'
import { buildUsage, startWorker } from './usage/fixtures.ts'

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

/** The metrics that an expression names: its words without texts, labels, durations, functions and operators. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .replaceAll(/\b(and|or|unless|bool)\b/g, ' ')
  return [...bare.matchAll(/\b[a-z_:][\w:]*\b(?! *\()/g)].map(([name]) => name)
}

/** What a web process and a worker tell, process metrics included, as text. */
async function scrapeAll(t: Test): Promise<{ web: string; worker: string; all: string }> {
  const { services, url } = await buildUsage(t, 'postgres', { workers: 0 })
  const worker = await startWorker(t, services, url)
  measureProcess(services.metrics)
  const [ofWeb, ofWorker] = await Promise.all(
    [services, worker.services].map(({ metrics }) => metrics.registry.metrics()),
  )
  return { web: ofWeb!, worker: ofWorker!, all: `${ofWeb}\n${ofWorker}` }
}

t.test(
  'every metric that the dashboard and the alerts name is told by a running web or worker',
  async (t) => {
    const told = new Set(['up', ...listNames((await scrapeAll(t)).all)])
    t.ok(expressions.length > 50, 'there are expressions')
    for (const { of, text } of expressions) {
      const names = metricsIn(text)
      t.ok(names.length > 0, `${of} names a metric`)
      for (const name of names) t.ok(told.has(name), `${of}: ${name}`)
    }
  },
)

t.test('every metric of the service’s own is described, and none that it does not tell', async (t) => {
  const { worker } = await scrapeAll(t)
  const told = [...worker.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const described = [...read('docs', 'metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  t.same(described.sort(), told.sort())
})

t.test('every alert says how bad it is, waits a while, and has its part in the runbooks', async (t) => {
  const headings = [...read('docs', 'runbooks.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
  t.same(headings.sort(), alerts.map(({ name }) => name).sort())
  for (const { name, line } of alerts) {
    t.match(line('severity'), /^(critical|warning)$/, name)
    t.match(line('for'), /^\d+[mh]$/, name)
    t.match(line('summary'), /\.$/, name)
    t.equal(line('runbook'), `docs/runbooks.md#${name.toLowerCase()}`)
  }
})

t.test('what every process tells alike is summed over processes nowhere', async (t) => {
  const rows = read('docs', 'metrics.md').matchAll(/^\| `(\w+)` \| gauge \| .* \| stores \|/gm)
  const shared = new Set([...rows].map(([, name]) => name))
  t.ok(shared.size > 5)
  for (const { of, text } of expressions) {
    for (const [, by, name] of text.matchAll(/\bsum( by \([^)]*\))? ?\((\w+)/g))
      t.notOk(by !== ' by (instance)' && shared.has(name), `${of}: ${name}`)
  }
})
