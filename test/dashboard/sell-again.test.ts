/**
 * A form of the till that is sent again, from another tab or after going back, never mixes up two customers.
 */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** A kayak with 12 places in two timeslots. `open` shows its form, and returns the form's key and address. */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const kayak = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 6, [`${day} 12:00`]: 6 } })
  const { get, post } = await signIn('staff')
  const choice = (Participants = '2', time = '10:00') => ({
    ...{ ProductID: String(kayak.id), From: day, ActivityID: kayak.activityId, Slot: `${day}T${time}` },
    Participants,
  })
  const open = async (page = '/dashboard/sell') => {
    const shown = await get(`${page}?ProductID=${kayak.id}&From=${day}`)
    const once = hidden(shown.body, '_once')
    return { once, address: `${page}?ProductID=${kayak.id}&From=${day}&Key=${once}` }
  }
  const held = async () =>
    (await call('GET', '/timeslots')).data.map(({ Held }: { Held: number }) => Held) as number[]
  const lastLineOf = async (path: string) => {
    const { data } = await call('GET', `/baskets/${path.split('/').at(-1)}`)
    return `${path}/lines/${data.Lines.at(-1).BookingReference}`
  }
  return { ...dashboard, get, post, kayak, choice, open, held, lastLineOf }
}

t.test('the same choice in a second tab says that the sale of the first tab holds the places', async (t) => {
  const { get, post, choice, open, held } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice(), { once })).headers.location!
  const second = await post(address, choice(), { once })
  t.equal(second.headers.location, `${path}?done=held-already`)
  t.match(textOf((await get(second.headers.location!)).body), 'For another customer, begin a new sale')
  t.same(await held(), [2, 0])
  await post(`${path}/pay`, { Method: 'cash' })
  const third = await post(address, choice(), { once })
  t.match(third.headers.location, /sell\?ProductID=.*done=choose-timeslot/, 'never the page of a paid sale')
  const next = await get(third.headers.location!)
  t.match(textOf(next.body), /Nothing is held yet.*Timeslot of/)
  t.not(hidden(next.body, '_once'), once)
})

t.test('each link under “Next on sale” opens a form with an idempotency key of its own', async (t) => {
  const { sql, accountId, get } = await makeSalesDesk(t)
  await makeProduct(sql, accountId, { name: 'Canoe', slots: { [`${day} 10:00`]: 6 } })
  const { body } = await get('/dashboard/sell')
  const links = [...body.matchAll(/href="(\/dashboard\/sell\?[^"]*Slot=[^"]*)"/g)]
  t.equal(links.length, 3)
  const pages = await Promise.all(links.map(([, href]) => get(href!.replaceAll('&#38;', '&'))))
  const keys = pages.map((page) => hidden(page.body, '_once'))
  t.equal(new Set(keys).size, 3)
  t.notOk(keys.includes(hidden(body, '_once')), 'none of them has the key of the page with the links')
})

t.test('“Show” in a form that already holds places opens the form to change those places', async (t) => {
  const { get, post, kayak, choice, open, held } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice(), { once })).headers.location!
  const shown = { ...choice('3'), From: '2030-06-14', Do: 'show' }
  const { location } = (await post(address, shown, { once })).headers
  const { pathname, searchParams } = new URL(location!, 'http://here')
  t.match(pathname, new RegExp(`^${path}/lines/[^/]+/change$`))
  t.match(Object.fromEntries(searchParams), {
    ...{ ProductID: String(kayak.id), From: '2030-06-14', Participants: '3', done: 'held-before' },
  })
  t.match(textOf((await get(location!)).body), /Nothing more is held.*Held now/)
  t.same(await held(), [2, 0])
})

t.test('the form of a product that was removed from the sale asks for a timeslot again', async (t) => {
  const { get, post, choice, open, held, lastLineOf } = await makeSalesDesk(t)
  const first = await open()
  const path = (await post(first.address, choice('1'), { once: first.once })).headers.location!
  const { once, address } = await open(`${path}/add`)
  await post(address, choice(), { once })
  await post(`${await lastLineOf(path)}/remove`)
  for (const again of [choice('3', '12:00'), choice()]) {
    const { location } = (await post(address, again, { once })).headers
    t.match(location, new RegExp(`^${path}/add\\?ProductID=.*done=choose-timeslot$`))
    const next = await get(location!)
    t.match(textOf(next.body), /Nothing is held yet/)
    t.not(hidden(next.body, '_once'), once)
  }
  t.same(await held(), [1, 0])
})

t.test('the same choice in a second tab shows the line as the first tab has changed it', async (t) => {
  const { get, post, choice, open, held, lastLineOf } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice(), { once })).headers.location!
  const line = await lastLineOf(path)
  await post(`${line}/change`, choice('2', '12:00'))
  const { location } = (await post(address, choice(), { once })).headers
  const { pathname, searchParams } = new URL(location!, 'http://here')
  t.equal(pathname, `${line}/change`)
  t.match(Object.fromEntries(searchParams), { Slot: `${day}T10:00`, done: 'held-before' })
  t.match(textOf((await get(location!)).body), /Nothing more is held.*Held now .*12:00/)
  t.same(await held(), [0, 2])
})

t.test('the form that adds a product says that nothing changed if the sale was paid meanwhile', async (t) => {
  const { get, post, choice, open, held } = await makeSalesDesk(t)
  const first = await open()
  const path = (await post(first.address, choice('1'), { once: first.once })).headers.location!
  const { once, address } = await open(`${path}/add`)
  await post(address, choice(), { once })
  await post(`${path}/pay`, { Method: 'cash' })
  const { location } = (await post(address, choice(), { once })).headers
  const next = await get(location!)
  t.equal(next.headers.location, `${path}?done=sale-not-changed`)
  t.match(textOf((await get(next.headers.location!)).body), 'Nothing was changed')
  t.same(await held(), [0, 0])
})

t.test('a product that is removed twice from a sale is removed once, without a conflict', async (t) => {
  const { get, post, choice, open, held, lastLineOf } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice('1'), { once })).headers.location!
  const add = await open(`${path}/add`)
  await post(add.address, choice(), { once: add.once })
  const { body } = await get(path)
  const form = {
    ...{ Described: 'true', Held: hidden(body, 'Held') },
    'Customer.FirstName': 'Ada',
  }
  const line = await lastLineOf(path)
  t.equal((await post(`${line}/remove`, form)).headers.location, `${path}?done=line-removed`)
  t.equal((await post(`${line}/remove`, form)).headers.location, `${path}?done=line-was-removed`)
  t.same(await held(), [1, 0])
})

t.test('an added product gets the current customer, not the customer of a removed product', async (t) => {
  const { sql, get, post, choice, open } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice('1'), { once })).headers.location!
  const second = await open(`${path}/add`)
  await post(second.address, choice('1'), { once: second.once })
  const name = async (FirstName: string) => {
    const Held = hidden((await get(path)).body, 'Held')
    await post(`${path}/customer`, { Described: 'true', Held, 'Customer.FirstName': FirstName })
  }
  await name('Ana')
  const [first] = await sql<{ reference: string }[]>`select reference from bookings order by id limit 1`
  await post(`${path}/lines/${first!.reference}/remove`)
  await name('Bob')
  const third = await open(`${path}/add`)
  await post(third.address, choice('1'), { once: third.once })
  const names = await sql`select first_name as name, status from bookings order by id`
  t.match(names, [
    { name: 'Ana', status: 'cancelled' },
    { name: 'Bob', status: 'held' },
    { name: 'Bob', status: 'held' },
  ])
})

t.test('a form with a customer that is sent to /dashboard/sell/abc causes no server error', async (t) => {
  const { post } = await makeSalesDesk(t)
  for (const page of ['customer', 'keep', 'promotion']) {
    const sent = await post(`/dashboard/sell/abc/${page}`, {
      Described: 'true',
      Shown: '',
      'Customer.FirstName': 'Ada',
    })
    t.ok(sent.statusCode < 500, `${page}: ${sent.statusCode}`)
  }
})

t.test('the form of a sale that no longer exists asks for a timeslot of a new sale', async (t) => {
  const { sql, get, post, choice, open } = await makeSalesDesk(t)
  const { once, address } = await open()
  const path = (await post(address, choice(), { once })).headers.location!
  // As if the sale had been deleted with the data of the test mode.
  await sql`
    update idempotency_keys set response = jsonb_set(response, '{BasketID}', '999999')
    where key = ${once}`
  t.match(textOf((await get(address)).body), 'Timeslot of')
  const sent = await post(address, choice('1', '12:00'), { once })
  t.match(sent.headers.location, /sell\?ProductID=.*done=choose-timeslot/)
  t.not(sent.headers.location, path)
})
