/**
 * `npm run bench`: measures every part, or those of `--only`, and writes what it found. A part that fails is told
 * and the others go on; the run fails if one did, or if anything was oversold or lost.
 */

import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '../src/platform/project/paths.ts'
import { availability } from './availability.ts'
import { booking } from './booking.ts'
import { drain } from './drain.ts'
import { fairness } from './fairness.ts'
import { describeMachine, hasProgram } from './harness/machine.ts'
import { stopEverything } from './harness/processes.ts'
import { createReport } from './harness/report.ts'
import { type PartResult, saveResults, updateDocument } from './harness/results.ts'
import { openWorkplace, startStores } from './harness/stores.ts'
import { log } from './log.ts'
import { metering } from './metering.ts'
import { neighbours } from './neighbours.ts'
import { overload } from './overload.ts'
import type { Part } from './part.ts'
import { scaling } from './scaling.ts'
import { soak } from './soak.ts'
import { summary } from './summary.ts'

const parts: Part[] = [
  booking,
  metering,
  log,
  drain,
  summary,
  availability,
  fairness,
  neighbours,
  overload,
  scaling,
  soak,
]
/** Runs only when it is asked for by name. */
const onDemand = ['soak']

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string' },
  },
})
const { short } = values
const seconds = Number(values.seconds ?? (short ? 0.2 : 4))
if (!(seconds > 0)) throw new Error('--seconds must be a number above 0')
const chosen = choose(values.only?.split(','))
if (!(await hasProgram('wrk', '-v')))
  throw new Error('wrk is not on the PATH (on Debian: apt-get install wrk)')

const began = performance.now()
const expected = chosen.reduce((sum, part) => sum + part.duration(seconds), 0)
say(
  `${chosen.map(({ name }) => name).join(', ')}: ${short ? 'under a minute' : `about ${Math.ceil(expected / 60)} minutes`}`,
)
const starting = startStores()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await stopEverything()
    await (await starting).stop()
    process.exit(130)
  })
const stores = await starting
const machine = await describeMachine(stores)
const results: PartResult[] = []
try {
  const waiting = [...chosen]
  // Nothing is timed in a short run, so that two parts may share the processors.
  await Promise.all(Array.from({ length: short ? 2 : 1 }, () => measureAll(waiting)))
} finally {
  await stopEverything()
  await stores.stop()
}
const wrong = results.flatMap(({ checks }) => checks.filter(({ holds }) => !holds))
const failed = results.filter(({ failure }) => failure !== null)
const checked = results.reduce((sum, { checks }) => sum + checks.length, 0)
say(`${checked - wrong.length} of ${checked} checks hold, ${failed.length} parts failed, ${elapsed()} s`)
// A part that failed may have left something open.
process.exit(wrong.length + failed.length > 0 ? 1 : 0)

function choose(names: string[] | undefined): Part[] {
  const unknown = names?.filter((name) => !parts.some((part) => part.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}`)
  return parts.filter(({ name }) => (names ? names.includes(name) : short || !onDemand.includes(name)))
}

/** One part after another, until none is waiting; what was found is kept at once. */
async function measureAll(waiting: Part[]): Promise<void> {
  for (let part = waiting.shift(); part; part = waiting.shift()) {
    results.push(await measure(part))
    await save()
  }
}

async function measure(part: Part): Promise<PartResult> {
  const tell = (line: string) => say(short ? `${part.name}: ${line.trim()}` : line)
  say(`${part.name}, at ${elapsed()} s`)
  const report = createReport(tell)
  let failure: string | null = null
  try {
    const workplace = await openWorkplace(stores, part.name)
    try {
      await part.run({ short, seconds, workplace, report, say: tell })
    } finally {
      if (!short) await stopEverything()
      await workplace.close()
    }
  } catch (error) {
    failure = (error as Error).message
    tell(`  FAILED: ${(error as Error).stack}`)
  }
  return { part: part.name, shows: part.shows, machine, seconds, failure, ...report.findings }
}

/** What a short run finds says nothing about speed, so it is written where nobody keeps it. */
async function save(): Promise<void> {
  const folder = short ? path.join(tmpdir(), 'abs-bench-results') : projectPath('bench', 'results')
  const names = parts.map(({ name }) => name)
  const all = await saveResults(folder, names, results)
  if (!short) await updateDocument(projectPath('bench', 'README.md'), all)
}

function elapsed(): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
