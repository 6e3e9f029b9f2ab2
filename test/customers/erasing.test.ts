/** Erasing a customer: what is erased, what stays, what prevents it, and what a crash leaves. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { finishErasures } from '../../src/customers/erasing.ts'
import { toCustomerIdentifier } from '../../src/customers/model.ts'
import { claimEmail, markEnded, markSent, postpone } from '../../src/messaging/emails/lease-queries.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { customer as other } from '../sales/basket/fixtures.ts'
import {
  beforeEachTransaction,
  dyingAt,
  leaveTraces,
  listTraces,
  openHarbour,
  quill,
  quillIdentifier,
  readNumbers,
} from './fixtures.ts'

t.test('an erased customer is found in no table, and all other data of the bookings stays', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, later, accountId, erase, post, read, call, dataDir } = harbour
  const { booked, cancelled, sale, once, basket } = await leaveTraces(t, harbour)
  const [mail] = await sql<{ id: string }[]>`select message_id as id from emails where kind = 'closure'`
  const file = path.join(dataDir, 'outbox', `${mail!.id}.eml`)
  await mkdir(path.dirname(file))
  await writeFile(file, 'To: quillona@xyzzy.test')
  t.same(await listTraces(sql), ['booking_words', 'bookings', 'emails', 'idempotency_keys'])
  const before = await readNumbers(sql)

  const done = await erase(later)
  t.match(done, { bookings: 5, emails: 2, answers: 4, finishedAt: Date })
  t.same(await listTraces(sql), [])
  t.notOk(existsSync(file))
  t.equal(await readNumbers(sql), before)
  t.same(await listCounterDifferences(sql, accountId), [])

  t.test('the record of an erasure has its cause and its counts, but not the customer', async (t) => {
    t.match(await sql`select * from erasures`, [{ cause: 'command', user_id: null, bookings: 5 }])
    const { History } = (await call('GET', `/bookings/${booked}`)).json().data
    t.match(History.at(-1), { Action: 'customer-erased', Actor: { Kind: 'service' }, Details: {} })
    const changes = (await call('GET', `/bookings/${cancelled}`)).json().data.History
    t.match(
      changes.map(({ Action }: { Action: string }) => Action),
      ['confirmed', 'cancelled', 'customer-erased'],
    )
  })

  t.test('a replayed response has placeholders for the customer, and nothing is sold again', async (t) => {
    const again = await post('/bookings', sale, once)
    t.equal(again.statusCode, 201)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.match(again.json().data, {
      Customer: { FirstName: 'Erased', LastName: 'Customer', Email: null, Phone: null },
    })
    const amended = await post(
      `/bookings/${booked}/amend`,
      { Participants: 2 },
      { 'idempotency-key': 'amend-1' },
    )
    t.match(amended.json().data, { BookingReference: booked, Participants: 2, Answers: [] })
    t.equal(await readNumbers(sql), before)
  })

  t.test('the bookings are shown as those of an erased customer', async (t) => {
    const Customer = { FirstName: 'Erased', LastName: 'Customer', Email: null, Phone: null }
    t.match((await call('GET', `/bookings/${booked}`)).json().data, {
      Customer,
      Answers: [],
      Participants: 2,
    })
    t.match(await read(basket), { Status: 'completed', Customer, Payments: [{ Reference: 'ch_1' }] })
  })

  t.test('setting a new customer for an erased booking gets 409 customer-erased', async (t) => {
    const answer = await harbour.app.inject({
      method: 'PATCH',
      url: `/api/v2/operator/bookings/${booked}`,
      headers: harbour.headers,
      payload: { Customer: quill },
    })
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), { type: /customer-erased$/ })
  })

  t.test('no e-mail is sent to the erased customer', async (t) => {
    await sql`update emails set status = 'queued', next_try_at = app_now()`
    t.same(await makeSending(sql, { DATA_DIR: dataDir })(), { dropped: 2 })
  })

  t.test('erasing again finds nothing', async (t) => {
    t.match(await erase(later), { bookings: 0, emails: 0, answers: 0, finishedAt: Date })
  })

  t.test('other customers keep their data', async (t) => {
    const rows = await sql`select email from bookings where email is not null`
    t.same([...new Set(rows.map(({ email }) => email))], [other.Email])
  })
})

t.test(
  'an erasure also clears stored responses: a reseller’s notes, and the customer of a refund without a booking reference',
  async (t) => {
    const { sql, later, accountId, book, erase } = await openHarbour(t)
    const reference = await book({ Customer: { ...quill, Email: 'q@example.com', Phone: null } })
    const [{ basketId, keyId }] = await sql<[{ basketId: number; keyId: number }]>`
    select basket_id as "basketId",
      (select min(id) from api_keys where account_id = ${accountId} and 'operator' = any(scopes)) as "keyId"
    from bookings where reference = ${reference}`
    const { FirstName } = quill
    const responses = [
      { BookingReference: reference, Notes: 'Xyzzy is deaf' },
      { BookingReference: null, BasketID: basketId, Customer: { FirstName, Email: null, Phone: null } },
      {
        BookingReference: null,
        BasketID: basketId + 1,
        Customer: { FirstName: 'Ada', Email: null, Phone: null },
      },
    ]
    for (const [index, response] of responses.entries())
      await sql`
      insert into idempotency_keys (account_id, api_key_id, operation, key, body_hash, response)
      values (${accountId}, ${keyId}, 'refund.overpaid', ${index}, '', ${sql.json(response)})`
    t.match(await erase(later, { email: null, phone: null, reference }), { bookings: 1, answers: 2 })
    t.same(await listTraces(sql), [])
    t.equal((await sql`select from idempotency_keys where response::text ~ 'Ada'`).length, 1)
  },
)

t.test('bookings that prevent an erasure are named, and nothing is erased', async (t) => {
  const { sql, later, erase, book, hold, call, counters } = await openHarbour(t)
  const coming = await book()
  const namesOnly = (reference: string) => new RegExp(`: ${reference}\\. Confirmed`)
  await t.rejects(erase(sql), { slug: 'customer-expected', message: new RegExp(coming) })
  const { BasketID, Lines } = await hold([{ Participants: 2 }], { Customer: quill })
  const held = Lines[0]!.BookingReference
  await t.rejects(erase(sql, quillIdentifier, true), { message: namesOnly(held) })
  await t.rejects(erase(later), { message: namesOnly(held) })
  t.equal((await sql`select from bookings where email is not null`).length, 2)
  t.equal((await sql`select from erasures`).length, 0)

  await call('POST', `/baskets/${BasketID}/cancel`, {})
  const before = await counters()
  t.match(
    await erase(sql, quillIdentifier, true),
    { bookings: 2 },
    'upcoming bookings are erased if the request includes them',
  )
  t.match((await call('GET', `/bookings/${coming}`)).json().data, {
    Status: 'confirmed',
    Customer: { FirstName: 'Erased' },
  })
  t.same(await counters(), before)
})

t.test(
  'a customer is found only in the account, by phone number or by e-mail address in upper or lower case',
  async (t) => {
    const { sql, app, later, erase, book } = await openHarbour(t)
    const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
    const { activityId } = await makeProduct(sql, elsewhere.accountId, { slots: { '2030-06-15 10:00': 8 } })
    const payload = bookingBody(activityId, { Customer: quill })
    t.equal(
      (await app.inject({ method: 'POST', url: bookingPath, headers: elsewhere.headers, payload }))
        .statusCode,
      201,
    )
    await book()
    await book({ Customer: { ...quill, Email: 'second@xyzzy.test' } })
    await book({ Customer: { ...quill, Email: 'third@xyzzy.test', Phone: '+351 912 000 778' } })
    t.match(await erase(later), { bookings: 1 })
    t.match(await erase(later, toCustomerIdentifier({ phone: '+351 (912) 000-777' })), { bookings: 1 })
    t.match(await erase(later, toCustomerIdentifier({ email: 'THIRD@xyzzy.test', phone: '+351912000777' })), {
      bookings: 1,
    })
    const left = await sql<{ accountId: number }[]>`
    select account_id as "accountId" from bookings where email is not null`
    t.same(left, [{ accountId: elsewhere.accountId }])
  },
)

t.test(
  'an interrupted erasure can be repeated, and a worker clears the data outside the bookings',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, later, erase, dataDir } = harbour
    await leaveTraces(t, harbour)
    const before = await readNumbers(sql)
    await t.rejects(erase(dyingAt(later, 1)), /killed/, 'killed before anything is erased')
    t.equal((await sql`select from bookings where erasure_id is not null`).length, 0)
    await t.rejects(erase(dyingAt(later, 2)), /killed/, 'killed after the bookings are erased')
    t.same(await listTraces(sql), ['emails', 'idempotency_keys'])
    await t.rejects(erase(dyingAt(later, 5)), /killed/, 'killed before the rest of the interrupted erasure')
    t.equal(await finishErasures(sql, dataDir), 2)
    t.same(await listTraces(sql), [])
    t.match(await erase(later), { bookings: 0, finishedAt: Date })
    t.equal((await sql`select from erasures where finished_at is null`).length, 0)
    t.equal((await sql`select from events where type = 'booking.customer-erased'`).length, 5)
    t.equal(await readNumbers(sql), before)
  },
)

/** Returns a promise, and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

t.test(
  'a worker that runs during an erasure does not mark it as finished before all its bookings are cleared',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, later, erase, dataDir } = harbour
    await leaveTraces(t, harbour)
    const workerStarted = gate()
    const erased = gate()
    let worker: Promise<number> | undefined
    const clearing = beforeEachTransaction(later, (nth) => {
      workerStarted.open()
      return nth === 1 && erased.opened
    })
    const done = await erase(
      beforeEachTransaction(later, async (nth) => {
        // The erasure is recorded, and nothing is erased yet.
        if (nth === 1) worker = finishErasures(clearing, dataDir)
        if (nth === 1) await workerStarted.opened
        if (nth === 2) erased.open()
        if (nth === 2) t.equal(await worker, 0)
      }),
    )
    t.match(done, { bookings: 5, emails: 2, answers: 4, finishedAt: Date })
    t.same(await listTraces(sql), [])
  },
)

t.test('an erasure that a worker finishes before bookings are cleared still clears everything', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, later, erase, dataDir } = harbour
  await leaveTraces(t, harbour)
  const clearing = async (nth: number) => nth === 1 && t.equal(await finishErasures(later, dataDir), 1)
  t.match(await erase(beforeEachTransaction(later, clearing)), { bookings: 5, finishedAt: Date })
  t.same(await listTraces(sql), [])
})

t.test('an e-mail that is being sent does not delay an erasure, and is cleared later', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, later, erase, dataDir } = harbour
  await leaveTraces(t, harbour)
  await sql.begin(async (tx) => {
    await tx`select from emails where kind = 'closure' for update`
    t.match(await erase(later), { bookings: 5, finishedAt: null })
    t.equal(await finishErasures(later, dataDir), 0)
    await tx`update emails set reason = '550 <quillona@xyzzy.test> again' where kind = 'closure'`
  })
  t.equal(await finishErasures(later, dataDir), 1)
  t.same(await listTraces(sql), [])
})

t.test(
  'a leased e-mail is cleared after its lease, and a sender whose lease has expired cannot store its data again',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, later, erase, dataDir } = harbour
    await leaveTraces(t, harbour)
    const lease = async () => {
      await sql`
      update emails set status = 'queued', sent_at = null, reason = null, next_try_at = app_now()
      where kind = 'closure'`
      return (await claimEmail(later, { after: 0, leaseMs: 3_600_000 }))!
    }
    await sql`update emails set status = 'dropped' where status = 'queued'`
    const email = await lease()
    t.match(await erase(later), { bookings: 5, finishedAt: null })
    t.equal(await finishErasures(later, dataDir), 0, 'the e-mail is being sent')
    t.ok(await postpone(later, email, 60, '450 <quillona@xyzzy.test> later'))
    t.equal(await finishErasures(later, dataDir), 1)
    t.same(await listTraces(sql), [])
    await sql`update erasures set finished_at = null`
    const lost = await lease()
    await later`update emails set leased_until = app_now() where id = ${lost.id}`
    t.equal(await finishErasures(later, dataDir), 1, 'the lease of the e-mail has expired')
    t.notOk(await later.begin((tx) => markSent(tx, lost, { subject: '', testMessage: null })))
    t.notOk(await markEnded(later, lost, 'failed', '550 <quillona@xyzzy.test>'))
    t.notOk(await postpone(later, lost, 60, '450 <quillona@xyzzy.test>'))
    t.match(await sql`select status, lease from emails where id = ${lost.id}`, [
      { status: 'dropped', lease: null },
    ])
    t.same(await listTraces(sql), [])
  },
)
