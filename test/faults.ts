/**
 * `npm run faults`: two webs, two workers, PostgreSQL and Redis, each killed with SIGKILL in turn while clients
 * that retry record usage; at the end, entries counted must be entries asked for, exactly, and the audit clean.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createAccount, createKey } from '../src/accounts/service.ts'
import { openDatabase } from '../src/platform/database.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { promiseEnd } from '../src/platform/end-with-parent.ts'
import { migrate } from '../src/platform/migrations.ts'
import { projectPath } from '../src/platform/paths.ts'
import { probePort } from '../src/platform/ports.ts'
import { findPostmaster } from '../src/platform/postgres-cluster.ts'
import { run as runCommand } from './command-line.ts'
import { durableRedis } from './redis-server.ts'
import { until } from './until.ts'

const usage = `npm run faults [-- --short]

Kills two webs, two workers, Redis and PostgreSQL in turn, under load from clients that retry, then counts.
Three rounds take two to four minutes; --short is one round, in less than one. Needs redis-server on the PATH.
`
const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  say(usage)
  process.exit()
}
const rounds = values.short ? 1 : 3
const clients = 24
const patience = 60_000

type Victim = { name: string; kill(): Promise<void>; start(): Promise<void> }
type Web = Victim & { url: string }

const folder = await mkdtemp(path.join(tmpdir(), 'abs-faults-'))
const ends: (() => Promise<unknown>)[] = []
try {
  await main()
} finally {
  for (const end of ends.toReversed()) await end().catch((error) => console.error(error))
  await rm(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const redis = await redisVictim()
  const { victim: postgres, databaseUrl } = await postgresVictim()
  await migrate(databaseUrl)
  const token = await makeToken(databaseUrl)
  const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url }
  const webs = await Promise.all([1, 2].map((number) => webVictim(`web ${number}`, environment)))
  const workers = [1, 2].map((number) => workerVictim(`worker ${number}`, environment))
  for (const worker of workers) await worker.start()

  const load = startLoad(webs, token)
  let kills = 0
  await delay(1000)
  for (let round = 1; round <= rounds; round++) {
    for (const victim of [...webs, ...workers, redis, postgres]) {
      const before = load.done()
      await victim.kill()
      kills++
      await delay(values.short ? 300 : 1500)
      await victim.start()
      await delay(values.short ? 1200 : 3000)
      say(`round ${round}: ${victim.name} killed and back, ${load.done() - before} entries meanwhile`)
    }
  }
  const asked = await load.stop()
  await settle(webs, token, asked)
  const audit = await runCommand(
    { DATABASE_URL: databaseUrl },
    ...['usage', 'audit', '--account', 'faults', '--from', '2020-01-01', '--to', '2100-01-01'],
  )
  if (audit.code !== 0) throw new Error(`audit: ${audit.stderr}`)
  say(
    `${asked.entries} entries in ${asked.requests} requests asked for, ${asked.entries} counted, ` +
      `after ${asked.retries} retries and ${kills} kills; audit clean`,
  )
}

/** Waits until both webs count all that was asked for; anything else, however late, is a failure. */
async function settle(webs: Web[], token: string, asked: Asked): Promise<void> {
  const expected = { Usage: asked.entries / 4, Events: asked.entries }
  for (const { url, name } of webs) {
    let seen = ''
    await until(async () => {
      const answer = await ask(`${url}?from=2020-01-01&to=2100-01-01`, { headers: { authorization: token } })
      seen = `${answer?.status} ${answer?.headers.get('usage-pending')} ${JSON.stringify(answer?.body)}`
      const { data } = (answer?.body ?? {}) as { data?: { Totals: { Usage: number; Events: number } } }
      const totals = data?.Totals
      if (totals && totals.Events > expected.Events) return true
      return answer?.headers.get('usage-pending') === '0' && totals?.Events === expected.Events
    }, patience).catch(() => {})
    if (!seen.includes(`"Totals":${JSON.stringify(expected)}`))
      throw new Error(`${name}: asked for ${JSON.stringify(expected)}, answered ${seen}`)
  }
}

type Asked = { entries: number; requests: number; retries: number }

/** Clients that record entries of 0.25 one after another, each until it is answered 201. */
function startLoad(webs: Web[], token: string) {
  const asked: Asked = { entries: 0, requests: 0, retries: 0 }
  let stopping = false
  async function client(number: number): Promise<void> {
    for (let sent = 0; !stopping; sent++) {
      const entries = Array.from({ length: number % 4 === 0 ? 10 : 1 }, () => {
        return { Meter: `meter ${sent % 5}`, Usage: 0.25 }
      })
      const body = JSON.stringify(entries.length > 1 ? { Entries: entries } : entries[0])
      const batch = entries.length > 1 ? '/batch' : ''
      const headers = {
        authorization: token,
        'content-type': 'application/json',
        'idempotency-key': `${number} ${sent}`,
      }
      for (let tried = number; ; tried++) {
        const answer = await ask(webs[tried % webs.length]!.url + batch, { method: 'POST', headers, body })
        if (answer?.status === 201) break
        if (answer && answer.status < 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
        asked.retries++
        await delay(50)
      }
      asked.entries += entries.length
      asked.requests++
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  all.catch(() => {})
  return {
    done: () => asked.entries,
    async stop(): Promise<Asked> {
      stopping = true
      await all
      return asked
    },
  }
}

/** Null when there was no answer, or not all of it. */
async function ask(url: string, options: RequestInit) {
  try {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(15_000) })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as unknown }
  } catch {
    return null
  }
}

async function redisVictim(): Promise<Victim & { url: string }> {
  const port = await probePort('127.0.0.1', 0)
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '']
  const victim = processVictim('Redis', () =>
    spawn('redis-server', [...place, ...durableRedis], { stdio: 'ignore' }),
  )
  await victim.start()
  return { ...victim, url: `redis://127.0.0.1:${port}` }
}

async function postgresVictim(): Promise<{ victim: Victim; databaseUrl: string }> {
  let running = await startEmbeddedPostgres(folder)
  const databaseUrl = running.url
  ends.push(() => running.stop())
  const victim = {
    name: 'PostgreSQL',
    async kill() {
      const postmaster = await findPostmaster(folder)
      process.kill(postmaster!.pid, 'SIGKILL')
    },
    async start() {
      running = await startEmbeddedPostgres(folder)
      if (running.url !== databaseUrl) throw new Error('PostgreSQL is back at another address')
    },
  }
  return { victim, databaseUrl }
}

async function webVictim(name: string, environment: Record<string, string>): Promise<Web> {
  const port = await probePort('127.0.0.1', 0)
  const victim = nodeVictim(name, ['src', 'server.js'], { ...environment, PORT: String(port) })
  const address = `http://127.0.0.1:${port}`
  const start = async () => {
    await victim.start()
    await until(async () => (await ask(`${address}/readyz`, {}))?.status === 200, patience)
  }
  await start()
  return { ...victim, start, url: `${address}/api/v2/usage/meters` }
}

function workerVictim(name: string, environment: Record<string, string>): Victim {
  return nodeVictim(name, ['workers', 'worker.js'], { ...environment, WORKER_PORT: '0' })
}

function nodeVictim(name: string, file: string[], environment: Record<string, string>): Victim {
  return processVictim(name, () => {
    const child = spawn(process.execPath, [projectPath('dist', ...file)], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...environment },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    promiseEnd(child.stdin!)
    return child
  })
}

function processVictim(name: string, launch: () => ChildProcess): Victim {
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  ends.push(kill)
  return {
    name,
    kill,
    async start() {
      child = launch()
      await once(child, 'spawn')
    },
  }
}

async function makeToken(databaseUrl: string): Promise<string> {
  const sql = openDatabase(databaseUrl, { poolSize: 1, applicationName: 'abs-faults' })
  const { id: accountId } = await createAccount(sql, {
    slug: 'faults',
    name: 'Faults',
    timeZone: 'Europe/Lisbon',
  })
  const scopes = ['usage:read', 'usage:write'] as const
  const token = await createKey(sql, { accountId, partner: null, scopes, expiresInDays: null })
  await sql.end()
  return `Bearer ${token}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
