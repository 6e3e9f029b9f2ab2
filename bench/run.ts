/**
 * `npm run bench`: measures every part, or those of `--only`, and writes the results. If a part fails, that
 * is reported and the others go on; the run fails if a part failed or a check does not hold. With
 * `--against` it compares this checkout with another commit instead.
 */

import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '../src/platform/project/paths.ts'
import { againstName, compareWith } from './against.ts'
import { availability } from './availability.ts'
import { booking } from './booking.ts'
import { drain } from './drain.ts'
import { fairness } from './fairness.ts'
import { describeMachine, hasProgram } from './harness/machine.ts'
import { stopEverything } from './harness/processes.ts'
import { type PartResult, saveResults, updateDocument } from './harness/results.ts'
import { startStores } from './harness/stores.ts'
import { log } from './log.ts'
import { manyProducts } from './many-products.ts'
import { measure, type Plan, roundsOf } from './measure.ts'
import { metering } from './metering.ts'
import { neighbours } from './neighbours.ts'
import { octo } from './octo.ts'
import { overload } from './overload.ts'
import type { Part } from './part.ts'
import { reports } from './reports.ts'
import { requestCost } from './request-cost.ts'
import { scaling } from './scaling.ts'
import { soak } from './soak.ts'
import { summary } from './summary.ts'
import { webhooks } from './webhooks.ts'

const allParts: Part[] = [
  booking,
  metering,
  requestCost,
  log,
  drain,
  summary,
  reports,
  availability,
  manyProducts,
  fairness,
  neighbours,
  overload,
  octo,
  webhooks,
  scaling,
  soak,
]
/** Runs only when it is named in `--only`, or with `--short`. */
const onDemand = ['soak']

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    against: { type: 'string' },
    node: { type: 'string' },
  },
})
const { short } = values
const seconds = aboveZero('--seconds', values.seconds) ?? (short ? 0.2 : 4)
const rounds = aboveZero('--rounds', values.rounds)
if (values.node && !values.against) throw new Error('--node needs --against')
const chosen = values.against
  ? [compareWith(values.against, values.node ?? null)]
  : choose(values.only?.split(','))
if (!(await hasProgram('wrk', '-v')))
  throw new Error('wrk is not on the PATH (on Debian: apt-get install wrk)')

const began = performance.now()
const expected = chosen.reduce(
  (sum, part) => sum + part.duration(seconds, roundsOf(part, { short, rounds })),
  0,
)
say(
  `${chosen.map(({ name }) => name).join(', ')}: ${short ? 'about a minute' : `about ${Math.ceil(expected / 60)} minutes, longer if rounds are repeated`}`,
)
const starting = startStores()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await stopEverything()
    await (await starting).stop()
    process.exit(130)
  })
const stores = await starting
const plan: Plan = { stores, machine: await describeMachine(stores), short, seconds, rounds, say }
const results: PartResult[] = []
try {
  const waiting = [...chosen]
  // A short run is not timed, so two parts may share the processors.
  await Promise.all(Array.from({ length: short ? 2 : 1 }, () => measureAll(waiting)))
} finally {
  await stopEverything()
  await stores.stop()
}
const wrong = results.flatMap(({ checks }) => checks.filter(({ holds }) => !holds))
const failed = results.filter(({ failure }) => failure !== null)
const checked = results.reduce((sum, { checks }) => sum + checks.length, 0)
for (const { part, notQuiet } of results)
  if (notQuiet.length > 0) say(`${part}: not quiet, so its results are not written to bench/results`)
say(`${checked - wrong.length} of ${checked} checks hold, ${failed.length} parts failed, ${elapsed()} s`)
// A part that failed may have left connections open.
process.exit(wrong.length + failed.length > 0 ? 1 : 0)

function choose(names: string[] | undefined): Part[] {
  const unknown = names?.filter((name) => !allParts.some((part) => part.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}`)
  return allParts.filter(({ name }) => (names ? names.includes(name) : short || !onDemand.includes(name)))
}

function aboveZero(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!(Number(text) > 0)) throw new Error(`${option} must be a number above 0`)
  return Number(text)
}

/** Runs one part after another until none is waiting, and stores the results after each. */
async function measureAll(waiting: Part[]): Promise<void> {
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    const { name } = part
    say(`${name}, at ${elapsed()} s`)
    const tell = (line: string) => say(short ? `${name}: ${line.trim()}` : line)
    results.push(await measure(part, { ...plan, say: tell }))
    await save()
  }
}

/** The results of a short run say nothing about speed, so they go to a temporary folder. */
async function save(): Promise<void> {
  const folder = short ? path.join(tmpdir(), 'abs-bench-results') : projectPath('bench', 'results')
  const all = await saveResults(folder, [...allParts.map(({ name }) => name), againstName], results)
  if (!short) await updateDocument(projectPath('bench', 'README.md'), all)
}

function elapsed(): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
