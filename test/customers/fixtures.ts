/**
 * The basis of tests of personal data: an operator, a customer with data in several tables, and a search in
 * every table.
 */
import type { Test } from 'tap'
import { eraseCustomer } from '../../src/customers/erasing.ts'
import { type CustomerIdentifier, toCustomerIdentifier } from '../../src/customers/model.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { makeFolder } from '../command-line.ts'
import { bookingPath, makeCaller } from '../helper.ts'
import { makeEmails, makeWorkflow, openAt } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { harbour, operatorPath, customer as other, secretKey } from '../sales/basket/fixtures.ts'

export const quill = {
  FirstName: 'Quillona',
  LastName: 'Xyzzy',
  Email: 'Quillona@xyzzy.test',
  Phone: '+351 912 000 777',
}
export const quillIdentifier = toCustomerIdentifier({ email: 'quillona@XYZZY.test' })
/** Matches the names, the e-mail address and the stored phone number of this customer. */
const traces = 'xyzzy|quillona|351912000777'

/** The operator `harbour` with a partner and a question, and functions that book and erase. */
export async function openHarbour(t: Test) {
  const dataDir = await makeFolder(t)
  const built = await harbour(t, { SECRET_KEY: secretKey, DATA_DIR: dataDir })
  const { app, sql, url, accountId, activityId, line } = built
  const partner = await makeCaller(sql, { slug: 'harbour', partner: 'Viator' })
  const asked = await app.inject({
    method: 'PUT',
    url: `${operatorPath}/products/${built.id}/questions`,
    headers: built.headers,
    payload: {
      Questions: [{ Label: 'Allergies?', Type: 'text', AppliesTo: 'booking', Required: false, Options: [] }],
    },
  })
  const QuestionID = asked.json().data[0].ID as number

  /** Books one place as a partner; returns the reference. */
  async function book(changes: object = {}): Promise<string> {
    const payload = { ...line({ Participants: 1 }), ActivityID: activityId, Customer: quill, ...changes }
    const answer = await app.inject({ method: 'POST', url: bookingPath, headers: partner.headers, payload })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json().data.BookingReference
  }
  const erase = (later: Sql, one: CustomerIdentifier = quillIdentifier, includeUpcoming = false) =>
    eraseCustomer(later, { accountId, who: one, includeUpcoming, dataDir, by: { cause: 'command' } })
  return {
    ...built,
    partner,
    dataDir,
    QuestionID,
    book,
    erase,
    /** The same database with a clock that is after the end of every timeslot. */
    later: openAt(t, url, '2031-01-01T00:00:00Z'),
  }
}

export type Harbour = Awaited<ReturnType<typeof openHarbour>>

/**
 * Makes data of a customer: bookings of every channel, changes, e-mails and stored responses. Nothing is held
 * afterwards. Returns the references of two partner bookings, the body of a sale with its key, and a paid basket.
 */
export async function leaveTraces(
  t: Test,
  { sql, accountId, book, post, hold, sendPaymentEvent, QuestionID }: Harbour,
) {
  const Answers = [{ QuestionID, Value: 'xyzzynuts' }]
  const booked = await book({ Answers })
  const cancelled = await book()
  const sold = { Payment: { Method: 'cash' }, Customer: quill, Participants: 1 }
  const once = { 'idempotency-key': 'sale-1' }
  const line = (await hold([{ Participants: 1 }], { Customer: quill })).Lines[0]!
  const { ActivityID, Date: date, Time } = line
  const sale = { ActivityID, Date: date, Time, ...sold }
  const done = [
    await post('/bookings', sale, once),
    await post(`/bookings/${booked}/amend`, { Participants: 2 }, { 'idempotency-key': 'amend-1' }),
    await post(`/bookings/${booked}/attendance`, { Attendance: 'checked-in' }),
    await post(`/bookings/${cancelled}/cancel`, { Reason: 'Mrs Xyzzy is ill' }, { 'idempotency-key': 'c-1' }),
    await post(`/bookings/${booked}/resend`),
  ]
  for (const answer of done) t.ok(answer.statusCode < 300, answer.body)
  await pumpEvents(sql)
  const basket = await hold([{ Participants: 1 }], { Customer: quill })
  t.equal((await sendPaymentEvent(basket, { Reference: 'ch_1' })).statusCode, 200)
  await book({ Customer: other })
  const [bookedRow] = await sql<{ id: number }[]>`select id from bookings where reference = ${booked}`
  const workflowId = await makeWorkflow(sql, accountId)
  const test = { To: quill.Email.toLowerCase() }
  t.equal((await post(`/workflows/${workflowId}/test`, test, { 'idempotency-key': 't-1' })).statusCode, 201)
  await makeEmails(sql, accountId, [
    { kind: 'closure', bookingId: bookedRow!.id, details: { Message: 'Dear Mrs Xyzzy', Action: 'moved' } },
  ])
  await sql`
    update emails set status = 'failed', reason = '550 <quillona@xyzzy.test> unknown' where kind <> 'confirmation'`
  await sql`update baskets set status = 'expired' where status = 'open'`
  await sql`update bookings set status = 'expired' where status = 'held'`
  await sql`update timeslots set held = 0`
  return { booked, cancelled, sale, once, basket }
}

/** Lists the tables that contain data of the customer, in any column. */
export async function listTraces(sql: Sql): Promise<string[]> {
  const found: string[] = []
  for (const { name, oid } of await listTables(sql)) {
    const rows = await sql.unsafe(`select from ${oid} as kept where to_jsonb(kept)::text ~* $1 limit 1`, [
      traces,
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

function listTables(sql: Sql) {
  return sql<{ name: string; oid: string }[]>`
    select table_name as name, format('%I.%I', table_schema, table_name) as oid from information_schema.tables
    where table_schema in ('public', 'bullmq') and table_type = 'BASE TABLE' order by table_name`
}

/** Pumps the events, and returns rows that an erasure must keep, without the columns that it may change. */
export async function readNumbers(sql: Sql) {
  await pumpEvents(sql)
  const [row] = await sql<{ numbers: string }[]>`
    select concat_ws(E'\n',
      (select string_agg((to_jsonb(one) - array['first_name', 'last_name', 'email', 'phone', 'answers',
        'cancel_note', 'erasure_id', 'updated_at'])::text, E'\n' order by id) from bookings as one),
      (select string_agg((to_jsonb(one) - 'customers_erased_at')::text, E'\n' order by id) from timeslots as one),
      (select string_agg(to_jsonb(one)::text, E'\n' order by id) from baskets as one),
      (select string_agg(to_jsonb(one)::text, E'\n' order by event_id) from payment_events as one),
      (select string_agg(to_jsonb(one)::text, E'\n' order by id) from waitlist_entries as one),
      (select string_agg(to_jsonb(one)::text, E'\n' order by id) from events as one
        where type <> 'booking.customer-erased'),
      (select string_agg(to_jsonb(one)::text, E'\n' order by one::text) from meter_daily as one)
    ) as numbers`
  return row!.numbers
}

/** Returns a pool that calls `before` before each transaction, with the number of the transaction, from 1. */
export function beforeEachTransaction(sql: Sql, before: (nth: number) => unknown): Sql {
  let begun = 0
  return new Proxy(sql, {
    get(target, name, receiver) {
      if (name !== 'begin') return Reflect.get(target, name, receiver)
      return async (...given: Parameters<Sql['begin']>) => {
        await before(++begun)
        return target.begin(...given)
      }
    },
  })
}

/** Returns a pool whose nth transaction and all later ones fail, as after a crash. */
export function dyingAt(sql: Sql, nth: number): Sql {
  return beforeEachTransaction(sql, (begun) => {
    if (begun >= nth) throw new Error('killed')
  })
}
