/**
 * `npm run rehearse:scaled`: two web processes behind HAProxy and two workers, on Redis, on PostgreSQL behind
 * PgBouncer in transaction mode, and on a standby that pauses and dies. Prints a line for each claim; the first claim
 * that fails ends the rehearsal.
 */
import { makeWorld, startLoad, type Tally } from '../fleet/load.ts'
import { audit, expectBookings, expectedTotals, settle } from '../fleet/totals.ts'
import { until } from '../until.ts'
import { type Fleet, poolSize, startFleet } from './scaled-fleet.ts'
import {
  keepQueuesInPostgres,
  losePool,
  revoke,
  sellOut,
  signIn,
  summariseAtOtherWeb,
} from './scaled-journeys.ts'
import { loseStandby, pauseReplay, readStandby } from './scaled-standby.ts'
import { expectNoFailures, rehearse, say } from './stage.ts'

await rehearse(async (stage) => {
  const fleet = await startFleet(stage)
  const world = await makeWorld(fleet.sql)
  say('two web processes behind HAProxy, two workers, Redis, PgBouncer, PostgreSQL and a standby are up')

  const load = startLoad(fleet.proxy.url, world)
  stage.atEnd(load.stop)
  const scene = { ...fleet, ...world, tally: load.tally }
  await until(() => load.tally.requests > 200)
  await sellOut(scene)
  await summariseAtOtherWeb(scene)
  await signIn(scene)
  await revoke(scene)
  await readStandby(scene)
  await pauseReplay(scene)
  await loseStandby(scene)
  const { requests } = await load.stop()
  expectNoFailures(load.tally)
  say(`${requests} requests of clients that do not retry were sent meanwhile, and none failed`)

  await losePool(scene)
  await keepQueuesInPostgres(stage, scene)
  await countConnections(fleet)
  await conclude(fleet, load.tally)
})

/** Each process may open ten connections to PgBouncer, which opens few to the server. */
async function countConnections({ sql }: Fleet): Promise<void> {
  const [row] = await sql<{ servers: number }[]>`
    select count(*) as servers from pg_stat_activity
    where application_name in ('abs-web', 'abs-worker')`
  if (row!.servers > 2 * poolSize) throw new Error(`${row!.servers} connections of the server`)
  say(`all processes share ${row!.servers} connections of the server, of ${2 * poolSize} that are allowed`)
}

async function conclude({ sql, primary }: Fleet, tally: Tally): Promise<void> {
  await settle(sql, expectedTotals(tally))
  await expectBookings(sql, tally.bookings)
  await audit(primary.url)
  const { bookings, cancelled, entries } = expectedTotals(tally)
  say(
    `${bookings} bookings, ${cancelled} of them cancelled, and ${entries} entries were acknowledged and are stored, ` +
      'each exactly once; both audits are clean',
  )
}
