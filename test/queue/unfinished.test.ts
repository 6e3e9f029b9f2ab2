/** A summary does not wait for a backlog that is too long, and reports the backlog. */

import { createAwaitStored } from '../../src/metering/read/pending.ts'
import type { EntryTuple } from '../../src/queue/jobs.ts'
import { maxUnfinished } from '../../src/queue/producer.ts'
import { buildUsage, everyDay, onBothStores } from '../metering/fixtures.ts'

const atOnce = 100

await onBothStores(
  'above 20,000 unfinished jobs, a summary waits for none, and reports a lower bound of the pending entries',
  async (t, store) => {
    const { services, sql, accountId, record, summarize } = await buildUsage(t, store, { workers: 0 })
    const tuple = (id: number): EntryTuple => [accountId, id, Date.now(), 'm', '1', 1_700_000_000, null]

    async function addJobs(count: number): Promise<void> {
      if (store === 'postgres') {
        await services.queue.add('usage.store', [tuple(1)])
        await sql`
        insert into bullmq.job
        select (jsonb_populate_record(job, jsonb_build_object('id', 'copy ' || n, 'seq', -n,
          'data', jsonb_set(data, '{0,1}', to_jsonb(n))))).*
        from bullmq.job, generate_series(2, ${count}) as n where queue = 'usage'`
      } else {
        for (let id = 1; id <= count; id += atOnce) {
          const ids = Array.from({ length: Math.min(atOnce, count + 1 - id) }, (_, index) => id + index)
          await Promise.all(ids.map((id) => services.queue.add('usage.store', [tuple(id)])))
        }
      }
    }

    /**
     * Waits as a summary does. Returns what is still pending, and how many times it checked the jobs: from the second
     * check on, all are done.
     */
    async function look() {
      let looks = 0
      const listUnfinished = async () => {
        looks++
        return looks === 1 ? services.queue.listUnfinished() : new Set<string>()
      }
      const pending = await createAwaitStored(
        { ...services.queue, listUnfinished },
        { maxWaitMs: 60_000 },
      )(accountId)
      return { looks, pending }
    }

    await addJobs(maxUnfinished)
    t.equal((await services.queue.listUnfinished()).size, maxUnfinished)
    t.equal((await look()).looks, 2, 'a summary waits for this number of jobs')

    t.equal((await record({ Meter: 'm', Usage: 1 })).statusCode, 201)
    const { looks, pending } = await look()
    t.equal(looks, 1)
    t.equal(pending?.exact, false)
    const { answer, summary } = await summarize(everyDay)
    t.equal(answer.statusCode, 200)
    t.equal(summary.Totals.Events, 0)
    const bound = Number(answer.headers['usage-pending'])
    t.ok(bound > 0 && bound <= maxUnfinished, `${bound} at the least`)
  },
)
