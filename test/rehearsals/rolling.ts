/**
 * `npm run rehearse:rolling`: two web processes behind HAProxy and two workers. Each is stopped by SIGTERM and
 * started again in turn, twice, under load from clients that do not retry. No request may fail, and no acknowledged
 * booking or entry may be missing.
 */
import { startEmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres.ts'
import { migrate } from '../../src/platform/postgres/migrations.ts'
import { createHaproxy } from '../fleet/haproxy.ts'
import { makeWorld, startLoad } from '../fleet/load.ts'
import { webMember, workerMember } from '../fleet/member.ts'
import { until } from '../until.ts'
import { endLoad, p99, rehearse, say } from './stage.ts'

const rounds = 2

await rehearse(async ({ folder, atEnd, open, startRedis }) => {
  const postgres = await startEmbeddedPostgres(folder)
  atEnd(() => postgres.stop())
  await migrate(postgres.url)
  const environment = {
    DATABASE_URL: postgres.url,
    REDIS_URL: await startRedis(),
    // HAProxy checks every half second, and acts on the second failed check.
    SHUTDOWN_DELAY_SECONDS: '2',
  }
  const webs = await Promise.all(['web1', 'web2'].map((name) => webMember(name, environment)))
  const workers = await Promise.all(['worker1', 'worker2'].map((name) => workerMember(name, environment)))
  const members = [...webs, ...workers]
  for (const member of members) {
    await member.start()
    atEnd(member.stop)
  }
  const proxy = await createHaproxy('proxy', folder, webs)
  await proxy.start()
  atEnd(proxy.kill)

  const sql = open(postgres.url)
  const load = startLoad(proxy.url, await makeWorld(sql))
  const { tally } = load
  await until(() => tally.requests > 500)
  const before = tally.milliseconds.length
  for (let round = 1; round <= rounds; round++) {
    for (const member of members) {
      const [began, failures, requests] = [performance.now(), tally.failed.length, tally.requests]
      const code = await member.stop()
      if (code !== 0) throw new Error(`${member.name} ended with code ${code}`)
      await member.start()
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      const meanwhile = `${tally.requests - requests} requests meanwhile, ${tally.failed.length - failures} failed`
      say(`round ${round}: ${member.name} restarted in ${seconds} s; ${meanwhile}`)
    }
  }
  const slowest = p99(tally.milliseconds.slice(before))
  await endLoad(load, sql, postgres.url)
  say(
    `${tally.requests} requests, 0 failed, p99 ${slowest} ms during ${rounds * members.length} restarts; ` +
      `${tally.bookings.length} bookings and ${tally.entries.length} entries are stored exactly once; audits clean`,
  )
})
