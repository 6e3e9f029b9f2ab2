/** The fleet of `npm run rehearse:scaled`: a small scaled installation, with stores and proxies of Debian. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { run } from '../command-line.ts'
import { type Cluster, createCluster, createStandby } from '../fleet/debian-postgres.ts'
import { createHaproxy } from '../fleet/haproxy.ts'
import { type Member, webMember, workerMember } from '../fleet/member.ts'
import { createPgbouncer, workersUrl } from '../fleet/pgbouncer.ts'
import type { Stage } from './stage.ts'

export type Fleet = {
  environment: Record<string, string>
  primary: Cluster
  standby: Cluster
  pool: Member
  /** Behind the proxy, in this order. */
  webs: [Member, Member]
  proxy: Member
  /** A connection to the primary itself, without PgBouncer; `standbySql` is one to the standby. */
  sql: Sql
  standbySql: Sql
}

export const lagSeconds = 1
/**
 * Server connections that the web processes share; the workers share as many. Without PgBouncer, each process would
 * open ten.
 */
export const poolSize = 6

/** Creates and migrates the database, and starts all members of the fleet. */
export async function startFleet(stage: Stage): Promise<Fleet> {
  const { folder, atEnd, open } = stage
  // Power failures are not part of this rehearsal, so the clusters need no fsync.
  const quick = ['fsync=off']
  const primary = await createCluster('primary', path.join(folder, 'primary'), quick)
  await begin(stage, primary)
  const pool = await createPgbouncer('pool', folder, primary.url, [`default_pool_size = ${poolSize}`])
  await begin(stage, pool)
  const environment = {
    DATABASE_URL: pool.url,
    DATABASE_POOL_MODE: 'transaction',
    DATABASE_DIRECT_URL: primary.url,
    REPLICA_LAG_SECONDS: String(lagSeconds),
    SECRET_KEY: randomBytes(32).toString('hex'),
    TRUSTED_PROXIES: 'loopback',
    // The rehearsal kills components on purpose, so the resulting errors are not logged.
    LOG_LEVEL: 'fatal',
  }
  await command({ environment }, 'migrate')
  const standby = await createStandby('standby', path.join(folder, 'standby'), primary, quick)
  await begin(stage, standby)
  // The standby could be behind PgBouncer too. It is not, which shows that this is not required.
  const scaled = { ...environment, REDIS_URL: await stage.startRedis(), DATABASE_REPLICA_URL: standby.url }
  const webs = await Promise.all(['web1', 'web2'].map((name) => webMember(name, scaled)))
  const workers = await Promise.all(
    ['worker1', 'worker2'].map((name) => workerMember(name, ofWorker(scaled))),
  )
  await Promise.all([...webs, ...workers].map((member) => begin(stage, member)))
  const proxy = await createHaproxy('proxy', folder, webs)
  await proxy.start()
  atEnd(proxy.kill)
  return {
    environment,
    primary,
    standby,
    pool,
    webs: webs as [Member, Member],
    proxy,
    sql: open(primary.url),
    standbySql: open(standby.url),
  }
}

/** The environment of a worker, whose statements may take longer than those of a web process. */
export function ofWorker(environment: Record<string, string>): Record<string, string> {
  return { ...environment, DATABASE_URL: workersUrl(environment.DATABASE_URL!) }
}

/** Starts a member, which is stopped at the end of the rehearsal. */
export async function begin({ atEnd }: Stage, member: Member): Promise<void> {
  await member.start()
  atEnd(member.stop)
}

/** Runs a command with the environment of the processes, and returns its output. @throws when it fails. */
export async function command(
  { environment }: Pick<Fleet, 'environment'>,
  ...args: string[]
): Promise<string> {
  const { code, stdout, stderr } = await run(environment, ...args)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
