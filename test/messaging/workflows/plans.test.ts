/** Queries of workflows, e-mails and messages use an index and never read a whole table. */
import t from 'tap'
import { insertAtOnceEmails } from '../../../src/messaging/emails/at-once-queries.ts'
import { claimAfter } from '../../../src/messaging/emails/lease-queries.ts'
import { followedTriggers, triggers } from '../../../src/messaging/emails/triggers.ts'
import { listSentToAll } from '../../../src/messaging/messages/queries.ts'
import { insertDueEmails, lockSweep } from '../../../src/messaging/workflows/sweep-queries.ts'
import { openDatabase, type Transaction } from '../../../src/platform/postgres/database.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { makeWorkflow } from '../emails/fixtures.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

t.test(
  'a sweep, and the other queries of e-mails and messages, read few rows out of years of bookings',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql)
    for (const name of ['One', 'Two', 'Three']) await makeProduct(sql, accountId, { name })
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select account_id, id, day, make_time(hour, 0, 0),
      local_instant((day + make_time(hour, 0, 0))::timestamp, time_zone), 100
    from products,
      generate_series(now()::date - 365 * interval '1 day', now()::date + 365 * interval '1 day', '1 day') as day,
      generate_series(8, 17) as hour`
    await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, answers, created_at, confirmed_at, cancelled_at, cancel_reason)
    select account_id, nextval('booking_ids'), 1, id, 'R' || id || '-' || n, 'partner',
      case when n = 3 then 'cancelled' else 'confirmed' end, 1, 4500, 'EUR', '[]', starts_at - interval '30 days',
      starts_at - interval '30 days',
      case when n = 3 then starts_at - interval '10 days' end, case when n = 3 then 'customer' end
    from timeslots, generate_series(1, 3) as n`
    await sql`
    insert into events (account_id, number, booking_id, actor, type, details, occurred_at)
    select account_id, row_number() over (order by created_at, id), id, 'service',
      case when id % 2 = 0 then 'booking.amended' else 'booking.moved' end, '{}', created_at
    from bookings`
    await sql`
    insert into event_counters (account_id, last_number, lowest_id)
    select account_id, max(number), max(id) + 1 from events group by account_id`
    await sql`
    insert into emails (account_id, kind, booking_id, status, sent_at)
    select account_id, 'confirmation', id, 'sent', created_at from bookings`
    await sql`vacuum analyze`

    const one = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
    t.teardown(() => one.end())
    const statements: { text: string; values: unknown[] }[] = []
    one.options.debug = (_connection, text, values) => statements.push({ text, values })
    const nodesOf = async (run: (tx: Transaction) => Promise<unknown>) => {
      let nodes: Node[] = []
      await one
        .begin(async (tx) => {
          await run(tx)
          const { text, values } = statements.at(-1)!
          const [row] = await tx.unsafe(`explain (analyze, format json) ${text}`, values as never[])
          nodes = flatten(row!['QUERY PLAN'][0].Plan)
          throw new Error('undone')
        })
        .catch((error) => {
          if (error.message !== 'undone') throw error
        })
      return nodes
    }
    // E-mails about moves and changed parties are queued by events, not by a sweep.
    for (const trigger of triggers.filter((one) => !(followedTriggers as readonly string[]).includes(one))) {
      const id = await makeWorkflow(sql, accountId, { trigger, offsetMinutes: 1440 })
      await sql`
      update workflows set armed_at = now() - interval '1 year', swept_until = now() - interval '30 seconds',
        swept_number = (select last_number - 100 from event_counters)
      where id = ${id}`
      const nodes = await nodesOf(async (tx) => insertDueEmails(tx, (await lockSweep(tx, accountId, id))!))
      checkNodes(t, trigger, nodes)
    }
    checkNodes(t, 'next e-mail', await nodesOf(async (tx) => claimAfter(tx, 0, 1000)))
    const booked = await sql<
      { bookingId: number }[]
    >`select id as "bookingId" from bookings order by id desc limit 100`
    const changes = (['booking-confirmed', 'booking-cancelled'] as const).flatMap((trigger) =>
      booked.map(({ bookingId }) => ({ accountId, bookingId, trigger, traceContext: null })),
    )
    checkNodes(t, 'at once', await nodesOf((tx) => insertAtOnceEmails(tx, changes)))
    const [slot] = await sql<{ id: number }[]>`select max(id) as id from timeslots`
    checkNodes(t, 'sent to all', await nodesOf((tx) => listSentToAll(tx, accountId, slot!.id)))
  },
)

const large = new Set(['bookings', 'timeslots', 'events', 'emails', 'baskets'])

function checkNodes(t: { ok: (value: unknown, message: string) => unknown }, name: string, nodes: Node[]) {
  for (const node of nodes.filter((each) => large.has(each['Relation Name'] ?? ''))) {
    const read = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
    t.ok(node['Node Type'] !== 'Seq Scan', `${name}: ${node['Node Type']} on ${node['Relation Name']}`)
    t.ok(read < 500, `${name}: ${read} rows read of ${node['Relation Name']}`)
  }
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
