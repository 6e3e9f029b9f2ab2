/** Correcting a line of a sale at the till, also by going back in the browser, never holds places twice. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/**
 * A kayak with four places at each of two times, and a canoe with eight, which asks for the height of each
 * guest.
 */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const kayak = await makeProduct(sql, accountId, { slots: { [`${day} 10:00`]: 4, [`${day} 12:00`]: 4 } })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots: { [`${day} 10:00`]: 8 } })
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${canoe.id}, 1, 'Height', 'text', true, '{}', 'participant') returning id`
  const { get, post } = await signIn('staff')
  const choice = ({ id, activityId }: typeof kayak, Participants = '2', time = '10:00') => ({
    ...{ ProductID: String(id), From: day, ActivityID: activityId, Slot: `${day}T${time}`, Participants },
  })
  const hold = async (product: typeof kayak, Participants = '2') => {
    const path = (await post('/dashboard/sell', choice(product, Participants))).headers.location!
    const { data } = await call('GET', `/baskets/${path.split('/').at(-1)}`)
    return { path, line: `${path}/lines/${data.Lines[0].BookingReference}` }
  }
  const held = async () =>
    (await call('GET', '/timeslots')).data.map(({ Held }: { Held: number }) => Held) as number[]
  return { ...dashboard, get, post, kayak, canoe, choice, hold, held, height: `Answer-${question!.id}` }
}

t.test('“Change” beside a line keeps what is typed, and counts the places of the line as free', async (t) => {
  const { get, post, canoe, kayak, choice, hold, height } = await makeSalesDesk(t)
  const { path, line } = await hold(canoe)
  t.match((await get(path)).body, `formaction="${line}/choose"`)
  const typed = { Described: 'true', 'Customer.FirstName': 'Ada', [height]: ['1,80', '1,70'] }
  t.equal((await post(`${line}/choose`, typed)).headers.location, `${line}/change`)
  const { body } = await get(`${line}/change`)
  t.match(textOf(body), /Change what is held .* Held now Canoe, .*10:00, 2 people .* Do not change it/)
  t.match(body, /value="2030-06-15T10:00"[^>]* checked/)
  t.match(body, /name="Participants" value="2"/)
  t.match(textOf(body), '10:00 8 places free')
  const sent = await post(`${line}/change`, choice(canoe, '1'))
  t.equal(sent.headers.location, `${path}?done=line-changed`)
  const after = await get(sent.headers.location!)
  t.match(textOf(after.body), 'The change is saved')
  for (const text of ['value="Ada"', 'value="1,80"']) t.match(after.body, text)
  t.notMatch(after.body, 'value="1,70"', 'the answer of the guest who no longer comes')
  await post(`${path}/add`, choice(kayak))
  const added = await get(`${path}/add`)
  t.match(added.body, `href="${line}/change"`, 'the list of the lines of the sale has the link')
  t.match(added.body, `action="${line}/remove"`)
  await post(`${path}/customer`, { 'Customer.FirstName': 'Ada', [height]: '1,80' })
  t.match((await get(`${path}/pay`)).body, `href="${line}/change"`, 'the page of the payment has the link')
})

t.test('a change holds the new places instead of the old ones, also on a full timeslot', async (t) => {
  const { get, post, kayak, canoe, choice, hold, held } = await makeSalesDesk(t)
  const [{ path, line }] = [await hold(kayak, '3'), await hold(kayak, '1')]
  t.same(await held(), [4, 0, 0], 'full')
  t.equal((await post(`${line}/change`, choice(kayak, '2'))).statusCode, 303)
  t.same(await held(), [3, 0, 0])
  const refused = await post(`${line}/change`, choice(kayak, '4'))
  t.equal(refused.statusCode, 409)
  t.match(textOf(refused.body), /Only 3 places are free/)
  t.match(textOf(refused.body), /Held now .*These would fit .*12:00, 4 places free/)
  t.same(await held(), [3, 0, 0], 'the old places stay held')
  await post(`${line}/change`, choice(kayak, '4', '12:00'))
  t.same(await held(), [1, 0, 4])
  t.equal((await post(`${line}/change`, choice(canoe, '4'))).statusCode, 303)
  t.same((await held()).toSorted(), [0, 1, 4])
  t.match(textOf((await get(path)).body), /Canoe, .* 4 people/)
})

t.test('going back to the choice of a sale leads to a change of what the sale holds', async (t) => {
  const { get, post, kayak, choice, hold, held, signIn } = await makeSalesDesk(t)
  const shown = await get(`/dashboard/sell?ProductID=${kayak.id}&From=${day}`)
  const once = hidden(shown.body, '_once')
  const address = `/dashboard/sell?ProductID=${kayak.id}&From=${day}&Key=${once}`
  const path = (await post(address, choice(kayak), { once })).headers.location!
  const back = (await get(address)).headers.location!
  t.match(back, new RegExp(`^${path}/lines/[^/]+/change$`))
  t.match(
    (await get(`/dashboard/sell?Key=${once}`)).headers.location,
    back,
    'also from the page before, which has no product',
  )
  const other = await signIn('staff', 'other@quay.test')
  t.equal((await other.get(address)).statusCode, 200, 'for another user, it begins a new sale')
  const twice = await post(address, choice(kayak), { once })
  t.equal(
    twice.headers.location,
    `${path}?done=held-already`,
    'a form that is sent twice holds its places once',
  )
  const again = await post(address, choice(kayak, '3', '12:00'), { once })
  const asked = new URL(again.headers.location!, 'http://here')
  t.equal(asked.pathname, back, 'a page from the cache of the browser leads there with the new choice')
  t.same(await held(), [2, 0, 0])
  const { body } = await get(again.headers.location!)
  t.match(textOf(body), 'Nothing more is held')
  t.match(body, /value="2030-06-15T12:00"[^>]* checked/)
  t.match(body, /name="Participants" value="3"/)
  await post(back, choice(kayak, '3', '12:00'))
  t.same((await held()).toSorted(), [0, 0, 3])
  await post(`${path}/release`)
  t.match(textOf((await get(address)).body), 'Timeslot of Kayak', 'a sale that is over is not changed')
  const late = await post(address, choice(kayak, '1'), { once })
  t.match(late.headers.location, 'done=choose-timeslot')
  t.same(await held(), [0, 0, 0])
  t.match((await hold(kayak)).path, /sell\/\d+$/)
})

t.test('going back to the choice of a second product leads to a change of that product', async (t) => {
  const { get, post, kayak, canoe, choice, hold, held } = await makeSalesDesk(t)
  const { path } = await hold(canoe)
  const once = hidden((await get(`${path}/add?ProductID=${kayak.id}`)).body, '_once')
  const address = `${path}/add?ProductID=${kayak.id}&Key=${once}`
  t.equal((await post(address, choice(kayak), { once })).headers.location, path)
  const back = await get((await get(address)).headers.location!)
  t.match(textOf(back.body), /Held now Kayak/)
  const line = (await get(address)).headers.location!.replace(/\/change$/, '')
  await post(`${line}/remove`)
  t.equal((await get(address)).headers.location, path, 'for a line that was removed, it leads to the sale')
  t.same((await held()).toSorted(), [0, 0, 2])
})

t.test('a change that is too late changes nothing and says why; an unknown line gets 404', async (t) => {
  const { get, post, sql, kayak, canoe, choice, hold, held } = await makeSalesDesk(t)
  const { path, line } = await hold(canoe)
  t.equal(
    (await post(`${line.slice(0, -1)}${line.endsWith('A') ? 'B' : 'A'}/change`, choice(canoe))).statusCode,
    404,
  )
  await post(`${path}/add`, choice(kayak))
  await post(`${line}/remove`)
  const removed = await post(`${line}/change`, choice(canoe, '1'))
  t.match(textOf((await get(removed.headers.location!)).body), 'this line was already removed from the sale')
  t.equal((await get(`${line}/change`)).headers.location, path)
  const { path: second, line: over } = await hold(canoe)
  await sql`update baskets set expires_at = now() - interval '1 second'`
  const late = await post(`${over}/change`, choice(canoe, '1'))
  t.equal(late.headers.location, `${second}?done=sale-not-changed`)
  t.match(textOf((await get(late.headers.location!)).body), 'this sale no longer holds places')
  await post(`${second}/release`)
  t.equal(
    (await post(`${over}/change`, choice(canoe, '1'))).headers.location,
    `${second}?done=sale-not-changed`,
  )
  t.same((await held()).toSorted(), [0, 0, 2])
})

t.test('a line of another account gets 404, and stays as it is', async (t) => {
  const { sql, signIn, canoe, choice, hold, held } = await makeSalesDesk(t)
  const { line } = await hold(canoe)
  const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
  const stranger = await signIn('staff', 'eve@elsewhere.test', elsewhere)
  t.equal((await stranger.get(`${line}/change`)).statusCode, 404)
  const { ProductID: _, ...fields } = choice(canoe, '1')
  t.equal((await stranger.post(`${line}/change`, fields)).statusCode, 404)
  t.same((await held()).toSorted(), [0, 0, 2])
})
