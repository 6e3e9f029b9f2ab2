/** Work that runs once: what happens when its client is gone, and when it waits for a lock. */
import t, { type Test } from 'tap'
import { openDatabase, type Transaction } from '../../../src/platform/postgres/database.ts'
import { runOnce } from '../../../src/platform/postgres/run-once.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'

async function prepare(t: Test) {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const pool = openDatabase(url, { poolSize: 2, applicationName: 'abs-test', timeouts: 'request' })
  t.teardown(() => pool.end())
  let tries = 0
  const run = (isAwaited: () => boolean, idempotencyKey?: string) =>
    runOnce(
      pool,
      {
        operation: 'test',
        accountId,
        apiKeyId: 1,
        idempotencyKey,
        body: {},
        reused: () => new Error('reused'),
        isAwaited,
      },
      async (tx: Transaction) => {
        tries++
        await tx`update timeslots set booked = booked + 1`
        return { Done: true }
      },
    )
  const booked = async () => (await sql`select booked from timeslots`)[0]!.booked
  return { sql, run, booked, triesSoFar: () => tries }
}

t.test('work whose client is gone is rolled back, and its key is free again', async (t) => {
  const { run, booked } = await prepare(t)
  await t.rejects(
    run(() => false),
    { code: 'ETIMEDOUT' },
  )
  await t.rejects(
    run(() => false, 'key'),
    { code: 'ETIMEDOUT' },
  )
  t.equal(await booked(), 0)
  t.same(await run(() => true, 'key'), { answer: { Done: true }, replayed: false })
  t.equal(await booked(), 1)
})

t.test('a lock timeout is not retried, not even with a key', async (t) => {
  const { sql, run, booked, triesSoFar } = await prepare(t)
  await sql.begin(async (tx) => {
    await tx`select from timeslots for update`
    await t.rejects(
      run(() => true, 'key'),
      { code: '55P03' },
    )
  })
  t.equal(triesSoFar(), 1)
  t.equal(await booked(), 0)
})
