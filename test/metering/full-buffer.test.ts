/**
 * While both stores hang, a web process buffers a limited amount of usage of an account, and acknowledges
 * none of it.
 */
import t from 'tap'
import { auditUsage } from '../../src/metering/audit/service.ts'
import { buildOn } from '../helper.ts'
import { proxyTo, throughProxy } from '../proxy.ts'
import { until } from '../until.ts'
import { buildUsage, everyDay, redisUrl } from './fixtures.ts'

/** The details of refusals because too many entries wait, and because too many bytes are being sent. */
const tooMuch = /Too much usage is waiting|Too much is being sent/
const skip = redisUrl ? false : 'there is no Redis here'

for (const { bound, fitting, batches, ExtraInfo } of [
  { bound: '40,000 entries', fitting: 40, batches: 60, ExtraInfo: undefined },
  { bound: '32 MiB', fitting: 3, batches: 16, ExtraInfo: 'x'.repeat(8192) },
]) {
  t.test(
    `when more than ${bound} of an account wait, further requests get 429 or 503 at once`,
    { skip },
    async (t) => {
      const postgres = await proxyTo(t, process.env.TEST_DATABASE_URL!)
      const redis = await proxyTo(t, redisUrl)
      const { services, url, sql, accountId, headers, summarize } = await buildUsage(t, 'redis')
      const { app: web, services: behind } = await buildOn(t, throughProxy(postgres.url, url), {
        REDIS_URL: redis.url,
        QUEUE_PREFIX: services.config.QUEUE_PREFIX,
        // Long enough to read all batches on a slow machine.
        REQUEST_TIMEOUT_SECONDS: '20',
      })
      const record = (path: string, payload: object) =>
        web.inject({ method: 'POST', url: `/api/v2/usage/${path}`, headers, payload })
      const acknowledged = async () =>
        (await record('meters', { Meter: 'kept', Usage: 1 })).statusCode === 201
      const queue = () => behind.queue.state()
      await until(() => queue().reachable && queue().reasons.length === 0)
      t.ok(await acknowledged())
      // Wait until the process has reserved ids in advance.
      await until(async () => (await sql`select from meter_entry_ids where last_value > 100000`).length > 0)

      redis.block()
      postgres.block()
      const Entries = Array.from({ length: 1000 }, () => ({ Meter: 'unsure', Usage: 1, ExtraInfo }))
      const sent = Array.from({ length: batches }, () => record('meters/batch', { Entries }))
      const first = await Promise.race(sent)
      t.match(first.json().detail, tooMuch, 'refused before either store has failed')
      const answers = await Promise.all(sent)
      for (const { statusCode, headers } of answers) {
        t.ok(statusCode === 429 || statusCode === 503)
        t.ok(headers['retry-after'])
      }
      const refused = answers.filter((answer) => tooMuch.test(answer.json().detail))
      t.ok(answers.length - refused.length >= fitting, 'no batch below the limit is refused')

      await redis.restore()
      await postgres.restore()
      await until(acknowledged)
      await until(async () => (await summarize(everyDay)).answer.headers['usage-pending'] === '0')
      const { summary } = await summarize(`${everyDay}&meter=kept`)
      t.ok(summary.Totals.Events >= 2, 'acknowledged usage is counted')
      t.same(await auditUsage(sql, accountId, { from: '1970-01-01', to: '2100-01-02' }), [])
    },
  )
}
