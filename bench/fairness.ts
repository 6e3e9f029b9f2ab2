/**
 * The effect of a noisy key on a quiet key in the same process: how long bookings of the quiet key take alone, and
 * while the noisy key sends requests.
 */
import { bookingRequests, makeAccount, makeProduct, usageRequests } from './fixtures.ts'
import { type Figures, type LoadRequest, runLoad } from './harness/load.ts'
import { runOpenLoop, type Times } from './harness/open-loop.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'

export const fairness: Part = {
  name: 'fairness',
  shows:
    'Bookings of a quiet key, 50 a second, alone and while a key of another account keeps 64 connections busy with bookings and with batches of 100 entries; one web process.',
  duration: (seconds) => 2 * rounds * 2 * (seconds + 1) + 20,
  run,
}

const rounds = 5
const quietPerSecond = 50
const noisyConnections = 64
/** The example of docs/configuration.md. */
const limit = 100
const maxWorse = 2

type Keys = { quiet: LoadRequest[]; noisy: LoadRequest[] }

async function run(setting: Setting): Promise<void> {
  const { short, workplace, report } = setting
  const { databaseUrl, redisUrl } = workplace
  const keys = await makeKeys(setting)
  for (const perSecond of [0, limit]) {
    const webs = await startWebs(1, {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      RATE_LIMIT_PER_SECOND: String(perSecond),
    })
    try {
      const ratio = await compare(setting, webs[0]!.url, keys, perSecond)
      const name = perSecond === 0 ? 'without a limit' : `with RATE_LIMIT_PER_SECOND=${perSecond}`
      const unit = '× alone'
      if (!short)
        report.target({ name: `p99 with a noisy key, ${name}`, measured: ratio, unit, atMost: maxWorse })
    } finally {
      await stopAll(webs)
    }
  }
}

async function makeKeys({ workplace: { sql }, short }: Setting): Promise<Keys> {
  const [quiet, noisy] = [await makeAccount(sql, 'quiet'), await makeAccount(sql, 'noisy')]
  const slots = short ? 10 : 100
  const capacity = 1_000_000
  const sell = async ({ accountId, token }: typeof quiet) =>
    bookingRequests(token, await makeProduct(sql, { accountId, name: 'Fair', slots, capacity }))
  return {
    quiet: await sell(quiet),
    noisy: [...(await sell(noisy)), ...usageRequests([noisy.token], { size: 100, meters: slots })],
  }
}

/**
 * Measures the quiet key alone and beside the noisy key in turn, so that a drift of the machine affects both.
 * @returns the median p99 beside the noisy key, divided by the median p99 alone.
 */
async function compare(setting: Setting, target: string, keys: Keys, perSecond: number): Promise<number> {
  const { report, short } = setting
  const seconds = short ? 0.5 : setting.seconds
  const runQuietLoad = (forSeconds = seconds) =>
    runOpenLoop({ target, requests: keys.quiet, perSecond: quietPerSecond, seconds: forSeconds })
  const runNoisyLoad = (forSeconds = seconds) =>
    runLoad({ targets: [target], requests: keys.noisy, connections: noisyConnections, seconds: forSeconds })
  if (!short) await Promise.all([runQuietLoad(2), runNoisyLoad(2)])
  await setting.workplace.sql`analyze`
  const [quietly, loudly]: [Times[], Times[]] = [[], []]
  for (let round = 0; round < (short ? 1 : rounds); round++) {
    const alone = await runQuietLoad()
    const [beside, noise] = await Promise.all([runQuietLoad(), runNoisyLoad()])
    quietly.push(alone)
    loudly.push(beside)
    tell(setting, { perSecond, alone, beside, noise })
  }
  const missing = [...quietly, ...loudly].reduce((sum, { sent, accepted }) => sum + sent - accepted, 0)
  const name = `every booking of the quiet key is made, limit ${perSecond || 'unset'}`
  const sent = [...quietly, ...loudly].reduce((sum, { sent }) => sum + sent, 0)
  // In a short run, up to half of the bookings may be refused, because the machine may stop for seconds.
  report.check(name, missing <= (short ? sent / 2 : 0), `${missing} are not`)
  return middle(loudly.map(({ p99 }) => p99)) / middle(quietly.map(({ p99 }) => p99))
}

function middle(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
}

type Told = { perSecond: number; alone: Times; beside: Times; noise: Figures }

function tell({ report }: Setting, { perSecond, alone, beside, noise }: Told): void {
  report.row('Bookings of the quiet key', {
    'limit per second': perSecond || null,
    'alone p50 ms': alone.p50,
    'alone p99 ms': alone.p99,
    'beside p50 ms': beside.p50,
    'beside p99 ms': beside.p99,
    '× p99': beside.p99 / alone.p99,
    'noisy answers/s': noise.perSecond,
    'noisy refused': noise.refused,
  })
}
