/** Web processes: a rush for few places through two of them, with retries; their start, shutdown and log. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { bookingBody, bookingPath, createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { startProcess, startWeb } from '../processes.ts'
import { until } from '../until.ts'

const slots = { '2030-06-15 10:00': 40, '2030-06-15 11:00': 25, '2030-06-15 12:00': 7 }

t.test('250 concurrent bookings, each with a retry, sell no place twice', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, headers } = await makeCaller(sql, { partner: 'Rush' })
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const webs = await Promise.all([startWeb(t, url), startWeb(t, url)])

  const requests = Array.from({ length: 250 }, (_, index) => {
    const Time = `${10 + (index % 3)}:00`
    const body = bookingBody(activityId, { Time, Participants: 1 + (index % 4) })
    return { key: randomUUID(), body: JSON.stringify(body) }
  })
  /** Sends a booking until the response is not the 503 of an overloaded process. */
  const send = async (web: string, key: string, body: string) => {
    let answer: Response
    do {
      answer = await fetch(web + bookingPath, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        body,
      })
    } while (answer.status === 503)
    return answer
  }
  // Each request is sent to both processes at once: one of the two is a retry of the other.
  const answers = await Promise.all(
    requests.flatMap(({ key, body }) =>
      webs.map(async (web) => {
        const answer = await send(web.url, key, body)
        return {
          key,
          body,
          status: answer.status,
          json: (await answer.json()) as { data: { BookingReference: string } },
        }
      }),
    ),
  )

  t.same(new Set(answers.map(({ status }) => status)), new Set([201, 409]))
  const references = new Map<string, Set<string>>()
  for (const { key, json } of answers.filter(({ status }) => status === 201))
    references.set(key, (references.get(key) ?? new Set()).add(json.data.BookingReference))
  t.ok(
    [...references.values()].every(({ size }) => size === 1),
    'all responses to a request name one booking',
  )

  const booked = await sql`select capacity, booked from timeslots order by time`
  for (const { capacity, booked: places } of booked) t.ok(places <= capacity, `${places} of ${capacity} sold`)
  const made = await sql<
    { reference: string; participants: number }[]
  >`select reference, participants from bookings`
  t.same(
    new Set(made.map(({ reference }) => reference)),
    new Set([...references.values()].flatMap((set) => [...set])),
    'every booking got a response, and every response has a booking',
  )
  t.same(await listCounterDifferences(sql, accountId), [], 'the counters agree with the bookings')

  // Sends each refused booking again: it is booked if its party fits into the free places.
  for (const { key, body } of requests.filter(({ key }) => !references.has(key))) {
    const answer = await send(webs[0]!.url, key, body)
    const { Participants, Time } = JSON.parse(body)
    const [slot] = await sql`select capacity - booked as free from timeslots where time = ${Time}`
    if (answer.status === 409) t.ok(slot!.free < Participants)
    else t.equal(answer.status, 201)
  }
})

t.test('after a signal, a web process finishes the requests in progress and exits with code 0', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, headers } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 1000 } })
  const web = await startWeb(t, url)
  const answers = Array.from({ length: 50 }, () =>
    fetch(web.url + bookingPath, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(bookingBody(activityId)),
    }).then(({ status }) => status),
  )
  await Promise.race(answers)
  t.equal(await web.stop('SIGTERM'), 0)
  const settled = await Promise.allSettled(answers)
  const made = settled.filter((answer) => answer.status === 'fulfilled' && answer.value === 201).length
  t.match(await sql`select count(*) from bookings`, [{ count: made }], 'each booking has a response')
})

t.test(
  'after a signal, a web process reports that it is not ready, and still accepts requests for a time',
  async (t) => {
    const { url } = await createDatabase(t)
    const web = await startWeb(t, url, { SHUTDOWN_DELAY_SECONDS: '300' })
    web.child.kill('SIGTERM')
    const status = (path: string) => fetch(web.url + path).then(({ status }) => status)
    await until(async () => (await status('/readyz')) === 503)
    t.equal(await status('/healthz'), 200)
  },
)

t.test('a web process refuses a database that is not migrated, in one line', async (t) => {
  const { sql, url } = await createDatabase(t)
  await sql`delete from schema_migrations where version > 0`
  const web = startProcess(t, 'src/server.js', { DATABASE_URL: url, PORT: '0' })
  t.equal(await web.ended, 1)
  t.match(web.output(), /^the database is not migrated to this version[^\n]*\n$/)
})

t.test('a request has one log line, with its id, its key’s id, and nothing personal or secret', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, headers, token } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
  const web = await startWeb(t, url)
  const answer = await fetch(web.url + bookingPath, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(bookingBody(activityId)),
  })
  await fetch(`${web.url}/api/v2/ota/marketplace/products?name=Lovelace`, { headers })
  await web.stop()
  const lines = web
    .output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const [line, ...more] = lines.filter(({ reqId }) => reqId === answer.headers.get('request-id'))
  t.same(more, [])
  const [key] = await sql`select id from api_keys`
  t.match(line, {
    msg: 'request',
    method: 'POST',
    route: bookingPath,
    status: 201,
    keyId: key!.id,
    milliseconds: Number,
  })
  for (const secret of [token, token.slice(6), 'Lovelace', 'ada@example.com'])
    t.notMatch(web.output(), secret)
})
