/**
 * `npm run faults`: injects faults into a running system under load, checks the record against the service's
 * guarantees, and reports.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { projectPath } from '../../src/platform/project/paths.ts'
import { type JobQueue, openQueue } from '../../src/queue/producer.ts'
import { run as runCommand } from '../command-line.ts'
import { until } from '../until.ts'
import { startBalancer } from './balancer.ts'
import { check } from './checker.ts'
import type { Run } from './client.ts'
import { type Fault, faults } from './faults.ts'
import { hastenWebhooks, isSettled, readFinalState, startSampling } from './final-state.ts'
import { type History, type Kind, kinds } from './history.ts'
import { startLoad } from './load.ts'
import { planSteps, type Step } from './plan.ts'
import { createRandom } from './random.ts'
import { type Injection, summarize, toMarkdown } from './report.ts'
import { createStack, isWell, type Stack } from './stack.ts'
import { account, makeWorld, type World } from './world.ts'

const usage = `npm run faults [-- options]

Two web processes, two workers, PostgreSQL and Redis under load, with faults in an order drawn from a seed. Redis needs
redis-server on the PATH; disks are filled where a tmpfs can be mounted, and clocks are set forward and back where
libfaketime is installed. Exits with status 1 if a guarantee was broken, or the service did not continue or recover.

  --minutes <n>     how long faults are injected, 4 by default
  --short           every kind of fault once, each for about a second
  --seed <n>        repeats the order and the timing of the run that printed it
  --only <text>     only faults whose name contains this text
  --queues postgres without Redis
  --report <path>   folder of the report, dist/faults by default
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    only: { type: 'string', default: '' },
    queues: { type: 'string', default: 'redis' },
    report: { type: 'string', default: projectPath('dist', 'faults') },
    help: { type: 'boolean', default: false },
  },
})

// A slow machine may take long to recover; the report has the time.
const servedWithinMs = 60_000
const recoveryMs = 120_000
const settleMs = 240_000
const betweenLooksMs = 500
/** The default of REPLICA_LAG_SECONDS, in milliseconds. */
const staleMs = 2000

if (values.help) say(usage)
// Exits at once, because interrupted operations may still be pending.
else process.exit(await main())

async function main(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-faults-'))
  const ends: (() => Promise<unknown>)[] = []
  try {
    return await Promise.race([runIn(folder, ends), interruption()])
  } finally {
    for (const end of ends.toReversed()) await end().catch((error) => console.error(error))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Rejects after a signal, so that the disks are still unmounted. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)))
  })
}

async function runIn(folder: string, ends: (() => Promise<unknown>)[]): Promise<number> {
  const { seed, queues } = { seed: Number(values.seed), queues: values.queues as 'postgres' | 'redis' }
  say(`seed ${seed}`)
  let world: World | undefined
  const stack = await createStack(folder, queues, {
    ends,
    random: createRandom(seed + 1).fork(),
    prepare: async (databaseUrl, secretKey, receiverUrl) => {
      world = await makeWorld(databaseUrl, secretKey, receiverUrl)
    },
  })
  const queue = openOwnQueue(stack)
  ends.push(queue.close)
  const history: History = { operations: [], samples: [], arrivals: stack.receiver.arrivals }
  const balancer = startBalancer(stack.webs)
  ends.push(balancer.stop)
  const run: Run = { balancer, world: world!, history, served: new Map() }

  const begun = performance.now()
  const load = startLoad(run, createRandom(seed).fork())
  const sampling = startSampling(stack.postgres.url, history.samples)
  const unserved = await untilServed(run.served, kinds, begun, recoveryMs)
  if (unserved.length > 0)
    throw new Error(`not served before any fault: ${describeAttempts(history, unserved)}`)
  const injections = await injectAll({ seed, stack, queue, served: run.served })
  await load.stop()
  await settle(stack, queue)
  await sampling.stop()

  const setting = { capacities: run.world.capacities, staleness: staleMs }
  const final = await readFinalState(stack.postgres.url)
  const violations = check(history, final, setting)
  const report = summarize(
    {
      ...{ seed, queues, seconds: (performance.now() - begun) / 1000, injections },
      notPossible: chosen(stack).flatMap((fault) => {
        const reason = fault.impossible?.(stack)
        return reason ? [{ fault: fault.name, reason }] : []
      }),
      audits: await audit(stack),
    },
    history,
    violations,
  )
  await mkdir(values.report, { recursive: true })
  await writeFile(path.join(values.report, 'report.json'), JSON.stringify(report, null, 2))
  await writeFile(path.join(values.report, 'report.md'), toMarkdown(report))
  // The history shows the cause of a failure.
  if (report.failures.length > 0)
    await writeFile(path.join(values.report, 'history.json'), JSON.stringify({ history, final, setting }))
  say(`\n${toMarkdown(report)}`)
  return report.failures.length > 0 ? 1 : 0
}

function chosen(stack: Stack): Fault[] {
  return faults.filter(({ name, hasNoTarget }) => name.includes(values.only) && !hasNoTarget?.(stack))
}

type Scene = { seed: number; stack: Stack; queue: JobQueue; served: Run['served'] }

async function injectAll({ seed, ...scene }: Scene): Promise<Injection[]> {
  const possible = chosen(scene.stack).filter(({ impossible }) => !impossible?.(scene.stack))
  const end = performance.now() + Number(values.minutes) * 60_000
  const injections: Injection[] = []
  for (const step of planSteps(seed, possible, { isShort: values.short })) {
    if (values.short ? injections.length === possible.length : performance.now() > end) break
    await delay(step.calm)
    injections.push(await inject(step, scene))
  }
  return injections
}

async function inject(
  { fault, lasts, random }: Step,
  { stack, queue, served }: Omit<Scene, 'seed'>,
): Promise<Injection> {
  const injected = performance.now()
  const heal = await fault.inject(stack, random, queue)
  const begun = performance.now()
  await delay(lasts)
  const missing = await untilServed(served, fault.keeps(stack), begun, servedWithinMs)
  await heal()
  const healed = performance.now()
  const unserved = await untilServed(served, kinds, healed, recoveryMs)
  const isRecovered = unserved.length === 0 && (await settles(() => isWell(stack), recoveryMs))
  const recovered = isRecovered ? performance.now() : null
  const [lasted, took] = [healed - injected, performance.now() - healed].map((time) =>
    (time / 1000).toFixed(1),
  )
  say(`${fault.name}: ${lasted} s, ${isRecovered ? 'well' : `not well (${unserved})`} ${took} s later`)
  return { fault: fault.name, injected, healed, recovered, missing }
}

/**
 * Waits until each of these kinds has a request that was sent after `begun` and served. Returns the kinds
 * that have none when the time is over.
 */
async function untilServed(
  served: Run['served'],
  wanted: readonly Kind[],
  begun: number,
  milliseconds: number,
): Promise<Kind[]> {
  const left = () => wanted.filter((kind) => (served.get(kind) ?? 0) < begun)
  await settles(() => left().length === 0, milliseconds)
  return left()
}

function settles(condition: () => boolean | Promise<boolean>, milliseconds: number): Promise<boolean> {
  return until(condition, milliseconds).then(
    () => true,
    () => false,
  )
}

/** Waits until no work is left, or a limit is reached. The checker finds what has not arrived. */
async function settle({ postgres, receiver }: Stack, queue: JobQueue): Promise<void> {
  receiver.behave('takes all')
  // After a lost wake-up, the schedule would take up to a minute.
  await queue.add('events.number', {}).catch(() => {})
  await settles(
    async () => (await queue.listUnfinished()).size === 0 && (await isSettled(postgres.url)),
    settleMs,
  )
  await settles(async () => {
    await queue.add('webhooks.deliver', {}).catch(() => {})
    await delay(betweenLooksMs)
    return hastenWebhooks(postgres.url)
  }, settleMs)
}

function openOwnQueue({ redis, postgres }: Stack): JobQueue {
  return openQueue({
    redisUrl: redis?.url,
    databaseUrl: postgres.url,
    prefix: '{abs}',
    log: pino({ level: 'silent' }),
    allowVolatile: false,
    backlogLimit: Number.MAX_SAFE_INTEGER,
  })
}

/**
 * Runs the audits of the command line, which find differences that no client sees. Returns the output of
 * failed ones.
 */
async function audit({ postgres }: Stack): Promise<string[]> {
  const environment = { DATABASE_URL: postgres.url }
  const range = ['--from', '2020-01-01', '--to', '2100-01-01']
  const audits = await Promise.all([
    runCommand(environment, 'usage', 'audit', '--account', account, ...range),
    runCommand(environment, 'bookings', 'audit', '--account', account),
  ])
  return audits.flatMap(({ code, stdout, stderr }) => (code === 0 ? [] : [`audit: ${stdout}${stderr}`]))
}

function describeAttempts({ operations }: History, unserved: Kind[]): string {
  const attempts = operations
    .filter(({ kind }) => unserved.includes(kind))
    .flatMap(({ kind, attempts }) => attempts.map(({ status, problem }) => `${kind} ${status} ${problem}`))
  return [...new Set(attempts)].join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
