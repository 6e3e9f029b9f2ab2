/** How long events are kept, and that a process is notified only of events that it commits itself. */
import t from 'tap'
import { eventsAmong } from '../../src/events/append.ts'
import { sweepEvents } from '../../src/events/retention.ts'
import { listenForCommits } from '../../src/platform/postgres/commit-notes.ts'
import type { Transaction } from '../../src/platform/postgres/database.ts'
import { openLog } from './log.ts'

t.test(
  'events that concern no booking are deleted after the retention time, once they have a number',
  async (t) => {
    const { sql, accountId } = await openLog(t)
    await sql`
    insert into events (account_id, number, occurred_at, type, booking_id, basket_id, actor, details)
    values (${accountId}, 1, now() - interval '31 days', 'basket.opened', null, 1, 'service', '{}'),
      (${accountId}, 2, now() - interval '31 days', 'booking.held', 7, 2, 'service', '{}'),
      (${accountId}, null, now() - interval '31 days', 'basket.opened', null, 3, 'service', '{}'),
      (${accountId}, 4, now() - interval '29 days', 'basket.opened', null, 4, 'service', '{}')`
    t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 0 }), 0)
    t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }), 1)
    const rows = await sql<{ id: number }[]>`select basket_id as id from events order by 1`
    t.same(
      rows.map(({ id }) => id),
      [2, 3, 4],
    )
  },
)

t.test(
  'the latest event of each product is kept, and so is the latest that moved it into or out of the shopfront',
  async (t) => {
    const { sql, accountId } = await openLog(t)
    const [made, listed, renamed] = ['{}', '{"Fields": ["Name", "InShopfront"]}', '{"Fields": ["Name"]}']
    const happened = [
      [1, made],
      [1, listed],
      [1, listed],
      [1, renamed],
      [1, renamed],
      [2, made],
      [3, made],
      [3, renamed],
    ]
    for (const [index, [product, details]] of happened.entries())
      await sql`
      insert into events (account_id, number, occurred_at, type, product_id, actor, details)
      values (${accountId}, ${index + 1}, now() - interval '31 days',
        ${details === made ? 'product.made' : 'product.changed'}, ${product!}, 'service', ${details!}::text::jsonb)`
    t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }), 4)
    t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }), 0)
    const rows = await sql<{ number: number }[]>`select number from events order by 1`
    t.same(
      rows.map(({ number }) => number),
      [3, 5, 6, 8],
    )
  },
)

t.test('a process is notified of the events that its transactions commit, and of no others', async (t) => {
  const { sql, append } = await openLog(t)
  const notifications: string[][] = []
  listenForCommits(sql, (notes) => notifications.push(eventsAmong(notes).map(({ type }) => type)))
  await sql.begin((tx) => append(tx, 1, 2))
  await sql
    .begin(async (tx) => {
      await append(tx, 3)
      throw new Error('rolled back')
    })
    .catch(() => {})
  await sql.begin(async (tx) => {
    await append(tx, 4)
    await tx
      .savepoint(async (point) => {
        await append(point as unknown as Transaction, 5)
        throw new Error('undone')
      })
      .catch(() => {})
  })
  await sql.begin((tx) => tx`select 1`)
  t.same(notifications, [['basket.opened', 'basket.opened'], ['basket.opened']])
})
