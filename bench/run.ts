/**
 * `npm run bench`: measures every part, or those of `--only`, and writes what it found. A part that fails is told
 * and the others go on; the run fails if one did, or if anything was oversold or lost.
 */

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { projectPath } from '../src/platform/paths.ts'
import { availability } from './availability.ts'
import { booking } from './booking.ts'
import { drain } from './drain.ts'
import { describeMachine, hasProgram } from './harness/machine.ts'
import { stopEverything } from './harness/processes.ts'
import { createReport } from './harness/report.ts'
import { type PartResult, saveResults, updateDocument } from './harness/results.ts'
import { openWorkplace, type Stores, startStores } from './harness/stores.ts'
import { metering } from './metering.ts'
import type { Part } from './part.ts'
import { scaling } from './scaling.ts'
import { soak } from './soak.ts'
import { summary } from './summary.ts'

const parts: Part[] = [booking, metering, drain, summary, availability, scaling, soak]
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
const results: PartResult[] = []
try {
  for (const part of chosen) results.push(await measure(part, stores))
} finally {
  await stores.stop()
}
await save()
const wrong = results.flatMap(({ checks }) => checks.filter(({ holds }) => !holds))
const failed = results.filter(({ failure }) => failure !== null)
const checked = results.reduce((sum, { checks }) => sum + checks.length, 0)
say(`${checked - wrong.length} of ${checked} checks hold, ${failed.length} parts failed, ${elapsed()} s`)
process.exitCode = wrong.length + failed.length > 0 ? 1 : 0

function choose(names: string[] | undefined): Part[] {
  const unknown = names?.filter((name) => !parts.some((part) => part.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}`)
  return parts.filter(({ name }) => (names ? names.includes(name) : short || !onDemand.includes(name)))
}

async function measure(part: Part, stores: Stores): Promise<PartResult> {
  say(`${part.name}, at ${elapsed()} s`)
  const workplace = await openWorkplace(stores, part.name)
  const report = createReport(say)
  let failure: string | null = null
  try {
    await part.run({ short, seconds, workplace, report, say })
  } catch (error) {
    failure = (error as Error).message
    say(`  FAILED: ${(error as Error).stack}`)
  }
  await stopEverything()
  const machine = await describeMachine(workplace)
  await workplace.close()
  return { part: part.name, shows: part.shows, machine, seconds, failure, ...report.findings }
}

/** What a short run finds says nothing about speed, so it is written where nobody keeps it. */
async function save(): Promise<void> {
  const folder = short
    ? await mkdtemp(path.join(tmpdir(), 'abs-bench-results-'))
    : projectPath('bench', 'results')
  const all = await saveResults(
    folder,
    parts.map(({ name }) => name),
    results,
  )
  if (!short) await updateDocument(projectPath('bench', 'README.md'), all)
  say(`written to ${folder}`)
}

function elapsed(): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
