/**
 * `npm run rehearse:upgrade`: the previous version serves a load while the migrations of this version run. Then both
 * versions serve on the new schema, and change each other's bookings, until the previous version is stopped. No
 * request may fail, and every total must be exact. `-- --from COMMIT` selects another previous version.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/postgres/migrations.ts'
import { createHaproxy } from '../fleet/haproxy.ts'
import { makeActivity, scopes, slug, startLoad, type World } from '../fleet/load.ts'
import { webMember, workerMember } from '../fleet/member.ts'
import { until } from '../until.ts'
import { sellBeside } from './beside.ts'
import { type Build, buildOf, findPrevious, type Previous } from './previous.ts'
import { endLoad, p99, rehearse, type Stage, say } from './stage.ts'

/** In this time HAProxy notices a new web process, and receives the last responses of one that it takes out. */
const seenMs = 2000

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const previous = await findPrevious(values.from)
if (typeof previous === 'string') say(`There is no earlier version to upgrade from: ${previous}.`)
else await rehearse((stage) => upgrade(stage, previous))

async function upgrade(stage: Stage, { commit, why }: Previous): Promise<void> {
  const { folder, atEnd, open, startRedis } = stage
  say(`The previous version is ${commit.slice(0, 7)}, ${why}.`)
  const old = await buildOf(commit, folder)
  const postgres = await startEmbeddedPostgres(folder)
  atEnd(() => postgres.stop())
  const environment = {
    DATABASE_URL: postgres.url,
    REDIS_URL: await startRedis(),
    SHUTDOWN_DELAY_SECONDS: '2',
  }
  await old.cli(environment, 'migrate')
  const [oldWeb, oldWorker] = [
    await webMember('old-web', environment, old.folder),
    await workerMember('old-worker', environment, old.folder),
  ]
  const [newWeb, newWorker] = [
    await webMember('new-web', environment),
    await workerMember('new-worker', environment),
  ]
  const proxy = await createHaproxy('proxy', folder, [oldWeb, newWeb])
  for (const member of [oldWeb, oldWorker, proxy]) {
    await member.start()
    atEnd(member.stop)
  }
  const sql = open(postgres.url)
  const world = await makeOldWorld(old, environment, sql)
  const load = startLoad(proxy.url, world)
  const { tally } = load
  await until(() => tally.requests > 300)

  const before = tally.milliseconds.length
  const began = performance.now()
  const applied = await migrate(postgres.url)
  const took = Math.round(performance.now() - began)
  say(`${applied.length ? applied.join(', ') : 'No migration'} applied in ${took} ms, under load.`)
  await delay(3000)
  // A worker of the previous version that dies must be able to restart on the newer schema.
  await oldWorker.stop()
  await oldWorker.start()
  const onNew = tally.requests

  for (const member of [newWorker, newWeb]) {
    await member.start()
    atEnd(member.stop)
  }
  await sellBeside({ sql, world, tally, oldUrl: oldWeb.url, newUrl: newWeb.url })
  await delay(seenMs)
  // The previous version may end at once on SIGTERM, so it is taken out of the proxy first.
  await proxy.takeOut(oldWeb)
  await delay(seenMs)
  await oldWeb.stop()
  await oldWorker.stop()
  await delay(2000)
  const slowest = p99(tally.milliseconds.slice(before))
  await endLoad(load, sql, postgres.url)
  say(
    `${tally.requests} requests, ${onNew - before} of them to the old version while and after migrating, 0 failed, ` +
      `p99 ${slowest} ms; ${tally.bookings.length} bookings and ${tally.entries.length} entries are stored exactly once; audits clean; bookings of each version were changed by the other`,
  )
}

/** The previous version makes the account and its key, because it knows its own schema. */
async function makeOldWorld(
  old: Build,
  environment: Record<string, string>,
  sql: ReturnType<Stage['open']>,
): Promise<World> {
  await old.cli(environment, 'accounts', 'create', slug, '--name', 'Fleet', '--time-zone', 'Europe/Lisbon')
  const flags = scopes.flatMap((scope) => ['--scope', scope])
  const token = await old.cli(environment, 'keys', 'create', '--account', slug, ...flags)
  const [account] = await sql<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  return { token: token.trim(), activityId: await makeActivity(sql, account!.id) }
}
