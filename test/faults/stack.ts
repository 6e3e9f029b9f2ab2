/**
 * The system under test: two web processes, two workers, PostgreSQL with a standby, and Redis; each of the
 * four processes reaches each store through its own proxy.
 */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { probePort } from '../../src/platform/embedded/ports.ts'
import { migrate } from '../../src/platform/postgres/migrations.ts'
import { accepts } from '../fleet/debian-postgres.ts'
import { createMember, type Member, webMember, workerMember } from '../fleet/member.ts'
import { createProxy, type StoreProxy } from '../proxy.ts'
import { durableRedis, respondsToPing } from '../redis-server.ts'
import { until } from '../until.ts'
import { type Clock, createClock } from './clock.ts'
import { type Disk, mountDisk } from './disk.ts'
import { createPostgres, createStandby } from './postgres.ts'
import type { Random } from './random.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export type StoreName = 'postgres' | 'redis' | 'standby'
export type Store = Member & {
  /** The file system in memory that has its files. Null if this process may not mount one, and for the standby. */
  disk: Disk | null
  /** Starts the store if it does not run, and resolves when it responds. After a full disk it may still run. */
  revive(): Promise<void>
}
/** A web process or a worker process. */
export type ServiceProcess = Member & {
  links: Record<'postgres' | 'standby', StoreProxy> & { redis: StoreProxy | null }
  clock: Clock | null
}
export type Stack = {
  webs: ServiceProcess[]
  workers: ServiceProcess[]
  postgres: Store
  /** Null when PostgreSQL keeps the queues. */
  redis: Store | null
  /** Replicates from PostgreSQL. Its data may be slightly old. */
  standby: Store
  /** Webhooks arrive here. */
  receiver: Receiver
}

const diskMebibytes = { postgres: 640, redis: 128 }
const reviveMs = 120_000

/**
 * Starts everything, with files in `folder`. `prepare` makes the service's data.
 * @param ends gets the functions that stop what was started; call the last one first.
 */
export async function createStack(
  folder: string,
  queues: 'postgres' | 'redis',
  {
    prepare,
    ends,
    random,
  }: {
    prepare: (databaseUrl: string, secretKey: string, receiverUrl: string) => Promise<void>
    random: Random
    ends: (() => Promise<unknown>)[]
  },
): Promise<Stack> {
  const { postgres, standby } = await startPostgres(folder, ends)
  const redis = queues === 'redis' ? await startRedis(folder, ends) : null
  await migrate(postgres.url)
  const receiver = await startReceiver(random)
  ends.push(receiver.stop)
  const secretKey = 'x'.repeat(32)
  await prepare(postgres.url, secretKey, receiver.url)
  const startMachine = async (name: string, make: typeof webMember): Promise<ServiceProcess> => {
    const [toPostgres, toStandby, toRedis] = await Promise.all(
      [postgres, standby, ...(redis ? [redis] : [])].map(({ url }) => createProxy(url)),
    )
    const links = { postgres: toPostgres!, standby: toStandby!, redis: toRedis ?? null }
    ends.push(async () => {
      for (const link of Object.values(links)) link?.close()
    })
    const clock = await createClock(folder, name)
    const member = await make(name, {
      ...clock?.environment,
      DATABASE_URL: links.postgres.url,
      DATABASE_REPLICA_URL: links.standby.url,
      ...(links.redis && { REDIS_URL: links.redis.url }),
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOW_HTTP: '1',
      WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8',
      DATA_DIR: path.join(folder, name),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    })
    ends.push(member.kill)
    await member.start()
    return { ...member, links, clock }
  }
  const [web1, web2, worker1, worker2] = await Promise.all([
    startMachine('web-1', webMember),
    startMachine('web-2', webMember),
    startMachine('worker-1', workerMember),
    startMachine('worker-2', workerMember),
  ])
  return { webs: [web1, web2], workers: [worker1, worker2], postgres, redis, standby, receiver }
}

async function startPostgres(folder: string, ends: (() => Promise<unknown>)[]) {
  const own = path.join(folder, 'postgres')
  const disk = await mountDisk(own, diskMebibytes.postgres)
  if (disk) ends.push(disk.unmount)
  const primary = await createPostgres('postgres', own, folder)
  const place = { of: own, primary, logFolder: folder }
  const follower = await createStandby('standby', path.join(folder, 'standby'), place)
  const storeOf = (member: Member, own: Disk | null) => {
    return { ...member, disk: own, revive: reviverOf(member, () => accepts(member.url)) }
  }
  return {
    postgres: await start(storeOf(primary, disk), ends),
    standby: await start(storeOf(follower, null), ends),
  }
}

async function startRedis(folder: string, ends: (() => Promise<unknown>)[]): Promise<Store> {
  const own = path.join(folder, 'redis')
  await mkdir(own)
  const disk = await mountDisk(own, diskMebibytes.redis)
  if (disk) ends.push(disk.unmount)
  const port = await probePort('127.0.0.1', 0)
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', own, '--save', '']
  const rewrite = ['--auto-aof-rewrite-min-size', '8mb']
  const url = `redis://127.0.0.1:${port}`
  const isReady = () => respondsToPing(url)
  const member = createMember({
    name: 'redis',
    url,
    launch: () => spawn('redis-server', [...place, ...durableRedis, ...rewrite], { stdio: 'ignore' }),
    isReady,
  })
  return start({ ...member, disk, revive: reviverOf(member, isReady) }, ends)
}

async function start(store: Store, ends: (() => Promise<unknown>)[]): Promise<Store> {
  ends.push(store.kill)
  await store.start()
  return store
}

function reviverOf(member: Member, answers: () => Promise<boolean>) {
  return () =>
    until(async () => {
      // A start fails while a process of the server that ended still uses the files.
      if (!member.isRunning()) await member.start().catch(() => {})
      return answers()
    }, reviveMs)
}

/** Whether every web process says `ready`, and every worker `alive`. */
export async function isWell({ webs, workers }: Stack): Promise<boolean> {
  const ready = await Promise.all([
    ...webs.map(({ url }) => readStatus(`${url}/readyz`)),
    ...workers.map(({ url }) => readStatus(`${url}/healthz`)),
  ])
  return ready.every((status) => status === 'ready' || status === 'alive')
}

async function readStatus(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
    const { data } = (await answer.json()) as { data?: { Status: string } }
    return data?.Status ?? null
  } catch {
    return null
  }
}
