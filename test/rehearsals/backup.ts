/**
 * `npm run rehearse:backup`: makes a base backup and archives the WAL under load. Then the database is deleted, and
 * restored to a point in time, where it must have the same totals and bookings, and clean audits. The service
 * continues on the restored database, and a partner continues the change feed with a cursor of the lost database. The
 * same is done with a dump.
 */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrations.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { isInstalled, runProgram } from '../fleet/debian-postgres.ts'
import { makeWorld, startLoad, type Tally, type World } from '../fleet/load.ts'
import { webMember, workerMember } from '../fleet/member.ts'
import { audit, expectBookings, expectedTotals, settle, sumOf } from '../fleet/totals.ts'
import { until } from '../until.ts'
import { catchUp, expectShorterLog, type Follower, follow, makeFollower, positionOf } from './following.ts'
import * as pointInTime from './point-in-time.ts'
import * as restored from './restored.ts'
import { expectNoFailures, rehearse, type Stage, say } from './stage.ts'

if (!(await isInstalled())) throw new Error('install PostgreSQL: apt-get install postgresql')

await rehearse(async (stage) => {
  const { folder, atEnd, open, startRedis } = stage
  const redisUrl = await startRedis()
  const { cluster, archive } = await pointInTime.createArchivingCluster(folder)
  await cluster.start()
  atEnd(cluster.kill)
  await migrate(cluster.url)
  const sql = open(cluster.url)
  const world = await makeWorld(sql)
  const service = await startService(stage, cluster.url, redisUrl)
  const load = startLoad(service.web.url, world)
  const lost = load.tally
  const follower = makeFollower()
  const stopFollowing = follow(follower, service.web.url, world)
  const goOn = (requests: number) => {
    const enough = lost.requests + requests
    return until(() => lost.requests > enough)
  }

  await goOn(300)
  const base = path.join(folder, 'base')
  await pointInTime.takeBaseBackup(cluster, base)
  await goOn(300)
  await restored.queueEmail(sql)
  const promised = [...lost.bookings]
  const { at, ...noted } = await pointInTime.noteMoment(sql)
  say(`Backed up under load; the totals at ${at} were ${JSON.stringify(noted.totals)}.`)
  await goOn(300)
  await pointInTime.awaitArchived(sql)

  await cluster.kill()
  await rm(cluster.folder, { recursive: true, maxRetries: 20 })
  const accepted = lost.entries.length
  await until(() => lost.entries.length > accepted + 50)
  await load.stop()
  await stopFollowing()
  await service.stop()
  const ended = new Date().toISOString()
  const lostPosition = positionOf(follower)
  say(
    `PostgreSQL killed, its folder deleted; ${lost.entries.length - accepted} entries were accepted after that.`,
  )

  const database = await pointInTime.restoreTo(at, base, archive)
  atEnd(database.kill)
  const back = open(database.url)
  restored.expectSame(await pointInTime.readMoment(back), noted)
  await expectBookings(back, promised)
  await audit(database.url)
  say('Restored to that point: the same totals, the same bookings; audits clean.')

  await prepare(database.url, ended)
  restored.expectSame(await back`select status from emails`, [{ status: 'failed' }])
  await expectShorterLog(back, lostPosition)

  const waiting = await restored.countWaiting(back, database.url, redisUrl)
  const resumed = await startService(stage, database.url, redisUrl)
  const gained = await loadFor(500, resumed.web.url, world)
  await settle(back, sumOf(noted.totals, expectedTotals(gained), waiting))
  await audit(database.url)
  restored.expectNoIdTwice(lost, gained)
  await catchUp(follower, { sql: back, url: resumed.web.url, world }, gained.bookings)
  expectNewEpoch(follower, lostPosition.epoch)
  say(
    `The service goes on: ${waiting} entries that waited in Redis and ${gained.entries.length} new ones are counted ` +
      'once; no ID was used twice, the feed missed no change, no e-mail was sent again; audits clean.',
  )
  const copyUrl = await dumpAndRestore(stage, database.url)
  await goOnWithCopy(stage, { database: back, copyUrl, redisUrl, resumed, world, follower })
})

type Service = Awaited<ReturnType<typeof startService>>

async function startService({ folder, atEnd }: Stage, databaseUrl: string, redisUrl: string) {
  // Only fatal errors are logged, because the rehearsal deletes the database on purpose.
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
  }
  const web = await webMember('web', environment)
  const worker = await workerMember('worker', environment)
  for (const member of [web, worker]) {
    await member.start()
    atEnd(member.stop)
  }
  const stop = async () => {
    for (const member of [web, worker]) await member.stop()
  }
  return { web, worker, stop }
}

async function prepare(databaseUrl: string, ended: string): Promise<void> {
  const script = projectPath('ops', 'after-restore.sql')
  await runProgram('psql', [databaseUrl, '--quiet', '-v', `ended=${ended}`, '-f', script])
}

/** @throws if the follower's cursor still names the epoch `before`. */
function expectNewEpoch(follower: Follower, before: number): void {
  if (positionOf(follower).epoch === before) throw new Error(`the epoch is still ${before}`)
}

/**
 * Dumps the database and restores the dump into a new database, as small installations do. @returns its URL.
 */
async function dumpAndRestore({ folder, open }: Stage, databaseUrl: string): Promise<string> {
  const file = path.join(folder, 'archive', 'booking.dump')
  await runProgram('pg_dump', ['--format=custom', `--file=${file}`, databaseUrl])
  const copyUrl = databaseUrl.replace(/booking$/, 'copy')
  await runProgram('psql', [databaseUrl, '--quiet', '-c', 'create database copy'])
  await runProgram('pg_restore', ['--exit-on-error', `--dbname=${copyUrl}`, file])
  restored.expectSame(
    await pointInTime.readMoment(open(copyUrl)),
    await pointInTime.readMoment(open(databaseUrl)),
  )
  await audit(copyUrl)
  say('A dump, restored into another database, is the same; audits clean.')
  return copyUrl
}

type Copy = {
  /** The database that was dumped, and the service on it. */
  database: Sql
  resumed: Service
  copyUrl: string
  redisUrl: string
  world: World
  follower: Follower
}

/**
 * Makes bookings that are not in the dump, and continues with the copy, which lacks them. The copy is on the
 * same server and timeline.
 */
async function goOnWithCopy(
  stage: Stage,
  { database, copyUrl, redisUrl, resumed, world, follower }: Copy,
): Promise<void> {
  const { bookings } = await loadFor(200, resumed.web.url, world)
  await catchUp(follower, { sql: database, url: resumed.web.url, world }, bookings)
  const lostPosition = positionOf(follower)
  await resumed.stop()
  await prepare(copyUrl, new Date().toISOString())
  const copy = stage.open(copyUrl)
  await expectShorterLog(copy, lostPosition)
  const { web } = await startService(stage, copyUrl, redisUrl)
  const gained = await loadFor(200, web.url, world)
  await catchUp(follower, { sql: copy, url: web.url, world }, gained.bookings)
  expectNewEpoch(follower, lostPosition.epoch)
  say('The service goes on with the copy of the dump, and the partner misses no change there either.')
}

/** Runs a load of at least this many requests. @throws when a request fails. */
async function loadFor(requests: number, url: string, world: World): Promise<Tally> {
  const load = startLoad(url, world)
  await until(() => load.tally.requests > requests)
  const tally = await load.stop()
  expectNoFailures(tally)
  return tally
}
