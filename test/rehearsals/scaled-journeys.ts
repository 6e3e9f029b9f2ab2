/** Journeys of partners, operators and meters on a fleet. They must not depend on which web process responds. */
import { setTimeout as delay } from 'node:timers/promises'
import { entryUsage, slug, type Tally, type World } from '../fleet/load.ts'
import { webMember, workerMember } from '../fleet/member.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { until } from '../until.ts'
import { begin, command, type Fleet, ofWorker } from './scaled-fleet.ts'
import { type Stage, say } from './stage.ts'

/** A fleet under load. Bookings and entries of the journeys are added to the tally of the load. */
export type Scene = Fleet & World & { tally: Tally }

type Sent = { token: string; body?: object; key?: string }
type Answer = { status: number; headers: Headers; data: never }

/** Sends a request, and repeats it while the response is a 5xx or `idempotency-key-in-use`. */
export async function ask(url: string, { token, body, key }: Sent): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  }
  for (;;) {
    const answer = await fetch(
      url,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    const { data, type } = (await answer.json()) as { data: never; type?: string }
    const isOver = answer.status < 500 && !type?.endsWith('/idempotency-key-in-use')
    if (isOver) return { status: answer.status, headers: answer.headers, data }
    await delay(100)
  }
}

/** @throws an error with the message `what` unless the condition is true. */
export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

const date = '2030-06-16'
const times = ['09:00', '10:00', '11:00', '12:00', '13:00']
const capacity = 30
const asked = 200

/** Requests more places than there are, and sends every request twice at the same time. */
export async function sellOut({ sql, proxy, webs, token, tally }: Scene): Promise<void> {
  const [account] = await sql<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  const slots = Object.fromEntries(times.map((time) => [`${date} ${time}`, capacity]))
  const { activityId } = await makeProduct(sql, account!.id, { name: 'Raft', slots })
  const book = (url: string, number: number) => {
    const body = bookingBody(activityId, { Date: date, Time: times[number % times.length], Participants: 1 })
    return ask(url + bookingPath, { token, body, key: `raft ${number}` })
  }
  const pairs = await Promise.all(
    Array.from({ length: asked }, (_, number) =>
      Promise.all([book(proxy.url, number), book(proxy.url, number)] as const),
    ),
  )
  const referenceOf = ({ data }: Answer) => (data as { BookingReference: string }).BookingReference
  const made = pairs.flatMap(([one, other]) => {
    expect(one.status === other.status, `the same request was answered ${one.status} and ${other.status}`)
    if (one.status !== 201) return []
    expect(referenceOf(one) === referenceOf(other), 'the same request made two bookings')
    return [referenceOf(one)]
  })
  const places = times.length * capacity
  expect(made.length === places, `${made.length} bookings of ${places} places`)
  tally.bookings.push(...made)
  const [first, again] = [await book(webs[0].url, 0), await book(webs[1].url, 0)]
  const isSame = referenceOf(first) === made[0] && referenceOf(again) === made[0]
  expect(
    isSame && again.headers.get('idempotency-replayed') === 'true',
    'the other web process did not replay the response',
  )
  say(
    `${asked} bookings were requested, each twice at the same time, for ${places} places: ${places} were made`,
  )
  say('a retry gets the same response from both web processes')
}

const usagePath = '/api/v2/usage/meters'
const meter = 'meter elsewhere'

/** Records entries at the web process with the URL `web`, and adds their IDs to the tally. */
async function record(web: string, { token, tally }: Scene, count: number): Promise<void> {
  const Entries = Array.from({ length: count }, () => ({ Meter: meter, Usage: entryUsage }))
  const { status, data } = await ask(`${web}${usagePath}/batch`, {
    token,
    body: { Entries },
    key: crypto.randomUUID(),
  })
  expect(status === 201, `usage was answered ${status}`)
  tally.entries.push(...(data as { ID: number }[]).map(({ ID }) => ID))
}

async function countAt(web: string, token: string): Promise<number> {
  const { data } = await ask(`${web}${usagePath}?from=2020-01-01&to=2100-01-01&meter=${meter}`, { token })
  return (data as { Totals: { Events: number } }).Totals.Events
}

export async function summariseAtOtherWeb(scene: Scene): Promise<void> {
  const [rounds, size] = [10, 50]
  for (let round = 1; round <= rounds; round++) {
    const [one, other] = round % 2 ? scene.webs : scene.webs.toReversed()
    await record(one!.url, scene, size)
    const counted = await countAt(other!.url, scene.token)
    expect(counted === round * size, `${counted} entries of ${round * size} in the summary`)
  }
  say(`${rounds} times usage was in the summary of one web process as soon as the other had answered 201`)
}

export async function signIn(scene: Scene): Promise<void> {
  const email = 'ana@example.com'
  const user = ['--account', slug, '--email', email, '--role', 'staff', '--generate']
  const password = await command(scene, 'users', 'create', ...user)
  const form = new URLSearchParams({ Account: slug, Email: email, Password: password })
  const [one, other] = scene.webs
  const page = { redirect: 'manual' } as const
  const entered = await fetch(`${one.url}/dashboard/sign-in`, { ...page, method: 'POST', body: form })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const { status } = await fetch(`${other.url}/dashboard/today`, { ...page, headers: { cookie } })
  expect(status === 200, `the other web process answered ${status} to a user who had signed in`)
  say('a user who signs in at one web process is signed in at the other')
}

export async function revoke(scene: Scene): Promise<void> {
  const token = await command(
    scene,
    'keys',
    'create',
    '--account',
    slug,
    '--scope',
    'ota',
    '--partner',
    'Late',
  )
  const statuses = () =>
    Promise.all(
      scene.webs.map(
        async ({ url }) => (await ask(`${url}/api/v2/ota/marketplace/products`, { token })).status,
      ),
    )
  expect(
    (await statuses()).every((status) => status === 200),
    'a new key was refused',
  )
  const keys = JSON.parse(await command(scene, 'keys', 'list', '--account', slug, '--json'))
  const { ID } = keys.find(({ Partner }: { Partner: string | null }) => Partner === 'Late')
  await command(scene, 'keys', 'revoke', String(ID))
  const began = performance.now()
  await until(async () => (await statuses()).every((status) => status === 401))
  say(`a revoked key is refused by both web processes ${secondsSince(began)} s later`)
}

/** Kills and restarts PgBouncer while bookings are made. */
export async function losePool({ pool, proxy, token, activityId, tally }: Scene): Promise<void> {
  const began = performance.now()
  const bookings = Array.from({ length: 60 }, async (_, number) => {
    await delay(number * 20)
    const body = bookingBody(activityId, { Time: '09:00', Participants: 1 })
    return ask(proxy.url + bookingPath, { token, body, key: `pool ${number}` })
  })
  await delay(300)
  await pool.kill()
  await delay(300)
  await pool.start()
  for (const { status, data } of await Promise.all(bookings)) {
    expect(status === 201, `a booking was answered ${status}`)
    tally.bookings.push((data as { BookingReference: string }).BookingReference)
  }
  say(
    `PgBouncer was killed for 0.3 s: all of 60 bookings that retried were made, within ${secondsSince(began)} s`,
  )
}

/** Records usage without Redis: the queues in PostgreSQL listen on direct connections, not through PgBouncer. */
export async function keepQueuesInPostgres(stage: Stage, scene: Scene): Promise<void> {
  const web = await webMember('web3', scene.environment)
  await begin(stage, web)
  await begin(stage, await workerMember('worker3', ofWorker(scene.environment)))
  const before = await countAt(web.url, scene.token)
  for (let round = 1; round <= 5; round++) {
    await record(web.url, scene, 100)
    const counted = (await countAt(web.url, scene.token)) - before
    expect(counted === round * 100, `${counted} entries of ${round * 100} in the summary`)
  }
  say('queues in PostgreSQL work beside PgBouncer, and summaries count the entries that wait in them')
}

export function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}
