/**
 * Each transaction that changes money ends as if its process had died: at each of its statements, and right after the
 * commit. If it ends before the commit, nothing changes. A retry after the commit changes nothing more.
 */
import t, { type Test } from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { sign } from '../../../src/sales/payment/model.ts'
import { closeTill, openTill } from '../../../src/sales/till/service.ts'
import { dyingDatabase } from '../../dying-database.ts'
import { buildOn } from '../../helper.ts'
import { operatorPath, secretKey } from '../basket/fixtures.ts'
import { refundDesk } from './refund-fixtures.ts'

const tables = ['baskets', 'bookings', 'timeslots', 'payments', 'refunds', 'payment_events', 'tills'] as const

/** A refund desk, and requests to another application on its database, whose transactions can be made to die. */
async function openCrashDesk(t: Test) {
  const desk = await refundDesk(t)
  await desk.sql`update timeslots set capacity = 500`
  const { sql: mortal, life } = dyingDatabase(desk.sql)
  const { app } = await buildOn(t, desk.url, { SECRET_KEY: secretKey }, 'test', { sql: mortal })
  const snapshot = async () => {
    const rows = await Promise.all(
      tables.map((table) => desk.sql`select * from ${desk.sql(table)} as row order by row::text`),
    )
    const events = await desk.sql`select id, type, details from events order by id`
    return JSON.stringify([rows, events])
  }
  const sendOperator = (path: string, payload: object) => (key: string) =>
    app.inject({
      method: 'POST',
      url: operatorPath + path,
      headers: { ...desk.headers, 'idempotency-key': key },
      payload,
    })
  const sendProvider = (event: object) => {
    const payload = JSON.stringify(event)
    return () => {
      const signature = sign(desk.secret, Math.floor(Date.now() / 1000), Buffer.from(payload))
      const headers = { 'content-type': 'application/json', 'payment-signature': signature }
      return app.inject({ method: 'POST', url: '/api/v2/payments/events', headers, payload })
    }
  }
  return { ...desk, mortal, life, snapshot, sendOperator, sendProvider }
}

type MortalDesk = Awaited<ReturnType<typeof openCrashDesk>>
type Send = (key: string) => Promise<{ statusCode: number; body: string }>

let key = 0

/** Lets the transaction die at each statement in turn until the request succeeds, and once more right after COMMIT. */
async function dieEverywhere(t: Test, { life, snapshot }: MortalDesk, prepare: () => Promise<Send>) {
  const send = await prepare()
  const before = await snapshot()
  let deaths = 0
  for (life.statement = 1; ; life.statement++) {
    const answer = await send(`at-${++key}`)
    if (answer.statusCode !== 503) {
      t.equal(answer.statusCode, 200, answer.body)
      break
    }
    deaths++
    t.equal(await snapshot(), before, `nothing happened at statement ${life.statement}`)
  }
  life.statement = null
  t.ok(deaths > 2, `died ${deaths} times`)
  const after = await snapshot()
  t.not(after, before)
  const again = await prepare()
  life.endsWithCommit = true
  const name = `committed-${++key}`
  t.equal((await again(name)).statusCode, 503)
  life.endsWithCommit = false
  const committed = await snapshot()
  const retried = await again(name)
  t.equal(retried.statusCode, 200, retried.body)
  t.equal(await snapshot(), committed, 'the retry is answered, and changes nothing')
}

const deposit = { Method: 'cash', Amount: '20.00' }

t.test('a process that dies while it takes a payment has taken it wholly or not at all', async (t) => {
  const desk = await openCrashDesk(t)
  const { hold, sell, sendOperator, sendProvider, event } = desk
  t.test('a payment that completes a sale', (t) =>
    dieEverywhere(t, desk, async () => sendOperator(`/baskets/${(await hold()).BasketID}/pay`, deposit)),
  )
  t.test('a payment of the balance of a completed sale', (t) =>
    dieEverywhere(t, desk, async () => {
      const { basket } = await sell([{}], deposit)
      return sendOperator(`/baskets/${basket.BasketID}/payments`, { Method: 'card', Amount: '70.00' })
    }),
  )
  t.test('a payment from a provider', (t) =>
    dieEverywhere(t, desk, async () => sendProvider(event(await hold(), { ID: `evt_${++key}` }))),
  )
  t.test('a provider’s payment that buys nothing and whose refund arrived first', (t) =>
    dieEverywhere(t, desk, async () => {
      const basket = await hold()
      await desk.sendPaymentEvent(basket, { ID: `re_${++key}`, Type: 'refunded', Amount: '80.00' })
      return sendProvider(event(basket, { ID: `evt_${++key}`, Amount: '80.00' }))
    }),
  )
})

t.test('a process that dies while it decides a refund has decided it wholly or not at all', async (t) => {
  const desk = await openCrashDesk(t)
  const { sell, sendOperator, sendPaymentEvent, sql, accountId } = desk
  t.test('the refund of a cancelled booking', (t) =>
    dieEverywhere(t, desk, async () => sendOperator(`/bookings/${(await sell()).references[0]}/cancel`, {})),
  )
  t.test('a refund that the provider has already paid', (t) =>
    dieEverywhere(t, desk, async () => {
      const { basket, references } = await sell()
      await sendPaymentEvent(basket, { ID: `re_${++key}`, Type: 'refunded', Amount: '45.00' })
      return sendOperator(`/bookings/${references[0]}/cancel`, {})
    }),
  )
  t.test('the refund of a sale that the previous version completed', (t) =>
    dieEverywhere(t, desk, async () => {
      const { basket, references } = await sell()
      await sql`delete from payments where basket_id = ${basket.BasketID}`
      return sendOperator(`/bookings/${references[0]}/cancel`, {})
    }),
  )
  t.test('the refund of an amendment to a smaller party, and of a move with a smaller party', async (t) => {
    const smaller = { Participants: 1 }
    await dieEverywhere(t, desk, async () =>
      sendOperator(`/bookings/${(await sell()).references[0]}/amend`, smaller),
    )
    const there = { ...smaller, Date: '2030-06-15', Time: '12:00' }
    await dieEverywhere(t, desk, async () =>
      sendOperator(`/bookings/${(await sell()).references[0]}/move`, there),
    )
  })
  t.test('the refund of an overpayment', (t) =>
    dieEverywhere(t, desk, async () => {
      const { basket } = await sell()
      await sql`
        insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
        values (${accountId}, ${basket.BasketID}, 'payment', 'card', 500, 'EUR', 'key')`
      return sendOperator(`/baskets/${basket.BasketID}/refunds`, {})
    }),
  )
})

t.test('a process that dies while it marks a refund has marked it wholly or not at all', async (t) => {
  const desk = await openCrashDesk(t)
  const { sell, hold, act, listRefunds, sendOperator, sendProvider, event, sendPaymentEvent } = desk
  const dueOf = async () => {
    const { basket, references } = await sell()
    await act(references[0]!, 'cancel')
    const due = (await listRefunds()).find(({ BasketID }) => BasketID === basket.BasketID)!
    return { basket, path: `/refunds/${due.RefundID}/done` }
  }
  for (const Method of ['cash', 'online'])
    t.test(`the mark of a refund by hand, with the method ${Method}`, (t) =>
      dieEverywhere(t, desk, async () => sendOperator((await dueOf()).path, { Method })),
    )
  t.test('the mark of a refund by the provider’s event', (t) =>
    dieEverywhere(t, desk, async () => {
      const { basket } = await dueOf()
      return sendProvider(event(basket, { ID: `re_${++key}`, Type: 'refunded', Amount: '45.00' }))
    }),
  )
  t.test('the mark of the refund of a payment that bought nothing', (t) =>
    dieEverywhere(t, desk, async () => {
      const [basket, ID] = [await hold(), `evt_${++key}`]
      await sendPaymentEvent(basket, { ID, Amount: '80.00' })
      return sendOperator(`/baskets/${basket.BasketID}/refunded`, { Payments: [ID] })
    }),
  )
})

t.test('a closure whose process dies continues at a retry, and refunds each sale once', async (t) => {
  const { sell, sendOperator, life, sql, rows } = await openCrashDesk(t)
  for (const Time of ['10:00', '12:00']) for (const line of [{ Time }, { Time }]) await sell([line])
  const close = sendOperator('/closures', { Date: '2030-06-15', Action: 'cancel' })
  for (life.statement = 1; ; life.statement++) {
    const answer = await close('one')
    const [odd] = await sql<{ odd: number }[]>`
      select count(*) as odd from bookings
      where (status = 'cancelled') <> exists (select from refunds where booking_id = bookings.id)`
    t.equal(odd!.odd, 0, 'every cancelled booking has a refund decision, and no other booking has one')
    if (answer.statusCode === 200) break
    t.equal(answer.statusCode, 503, answer.body)
  }
  t.match(await rows(), Array(4).fill({ cause: 'closed', amount_minor: 9000, status: 'due' }))
})

t.test('a process that dies while it opens or closes a till has done it wholly or not at all', async (t) => {
  const desk = await openCrashDesk(t)
  const { sql, accountId, mortal, life, snapshot } = desk
  const email = 'till@quay.test'
  const userId = (await insertUser(sql, { accountId, email, role: 'owner', passwordHash: '' }))!
  const user = { accountId, userId, role: 'owner' } as const
  const acts = [
    () => mortal.begin((tx) => openTill(tx, user, { Currency: 'EUR', Float: '10.00' })),
    async () => {
      const [till] = await sql<{ id: number }[]>`select id from tills where closed_at is null`
      return mortal.begin((tx) => closeTill(tx, user, till!.id, { Counted: '10.00' }))
    },
  ]
  for (const act of acts) {
    const before = await snapshot()
    let deaths = 0
    for (life.statement = 1; ; life.statement++) {
      const [outcome] = await Promise.allSettled([act()])
      if (outcome.status === 'fulfilled') break
      t.match(outcome.reason, { slug: 'unavailable' })
      t.equal(await snapshot(), before)
      deaths++
    }
    t.ok(deaths > 1)
    t.not(await snapshot(), before)
  }
})
