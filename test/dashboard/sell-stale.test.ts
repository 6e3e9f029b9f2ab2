/**
 * Forms of the till that are out of date, because the sale or the product has changed: nothing is changed or
 * paid that the user has not seen.
 */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** A kayak and a canoe, each with two timeslots. */
async function makeSalesDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const slots = { [`${day} 10:00`]: 6, [`${day} 12:00`]: 6 }
  const kayak = await makeProduct(sql, accountId, { slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const { get, post } = await signIn('staff')
  const choice = ({ id, activityId }: typeof kayak, Participants = '2', time = '10:00') => ({
    ...{ ProductID: String(id), From: day, ActivityID: activityId, Slot: `${day}T${time}`, Participants },
  })
  const read = async (path: string) => (await call('GET', `/baskets/${path.split('/').at(-1)}`)).data
  const hold = async (product: typeof kayak) => {
    const path = (await post('/dashboard/sell', choice(product))).headers.location!
    return { path, line: `${path}/lines/${(await read(path)).Lines[0].BookingReference}` }
  }
  return { ...dashboard, get, post, kayak, canoe, choice, read, hold }
}

t.test(
  'a change of a line that another user changed meanwhile is shown again beside what is held now',
  async (t) => {
    const { get, post, kayak, choice, read, hold } = await makeSalesDesk(t)
    const { path, line } = await hold(kayak)
    const Held = hidden((await get(`${line}/change`)).body, 'Held')
    const once = crypto.randomUUID()
    const first = { ...choice(kayak, '2', '12:00'), Held }
    t.equal((await post(`${line}/change`, first, { once })).statusCode, 303)
    const again = await post(`${line}/change`, first, { once })
    t.equal(again.headers.location, `${path}?done=line-changed`, 'the same form sent twice is one change')
    const late = await post(`${line}/change`, { ...choice(kayak, '3'), Held })
    t.equal(late.statusCode, 409)
    t.match(textOf(late.body), /Held now .*12:00, 2 people.*Other changes were saved/)
    t.match(late.body, /name="Participants" value="3"/)
    t.match((await read(path)).Lines, [{ Time: '12:00', Participants: 2 }])
    const seen = { ...choice(kayak, '3'), Held: hidden(late.body, 'Held') }
    t.equal((await post(`${line}/change`, seen)).statusCode, 303)
    t.match((await read(path)).Lines, [{ Time: '10:00', Participants: 3 }])
  },
)

t.test('a payment is not taken for another time than the page shows, even at the same price', async (t) => {
  const { get, post, kayak, choice, read, hold } = await makeSalesDesk(t)
  const { path, line } = await hold(kayak)
  const { body } = await get(`${path}/pay?Nameless=true`)
  const shown = { Method: 'cash', Due: hidden(body, 'Due'), Held: hidden(body, 'Held') }
  await post(`${line}/change`, choice(kayak, '2', '12:00'))
  const late = await post(`${path}/pay`, shown)
  t.equal(late.statusCode, 409)
  t.match(textOf(late.body), /Nothing is paid yet. What this sale holds has changed.*12:00/)
  t.equal((await read(path)).Status, 'open')
  const paid = await post(`${path}/pay`, { ...shown, Held: hidden(late.body, 'Held') })
  t.equal(paid.headers.location, path)
  t.equal((await read(path)).Status, 'completed')
})

t.test('answers that were typed for one line are not stored with another one', async (t) => {
  const { sql, accountId, get, post, kayak, canoe, choice, hold } = await makeSalesDesk(t)
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${kayak.id}, 1, 'Name of the group', 'text', false, '{}', 'booking') returning id`
  const { path, line } = await hold(kayak)
  await post(`${path}/add`, choice(kayak, '2', '12:00'))
  const { body } = await get(path)
  const typed = {
    ...{
      Described: 'true',
      Held: hidden(body, 'Held'),
      Shown: hidden(body, 'Shown'),
      'Customer.FirstName': 'Ada',
    },
    [`Answer-${question!.id}`]: 'The ten o’clock group',
  }
  await post(`${line}/change`, choice(canoe))
  const late = await post(`${path}/customer`, typed)
  t.equal(late.statusCode, 409)
  t.match(textOf(late.body), /Other changes were saved/)
  t.match(late.body, 'value="Ada"')
  t.notMatch(late.body, 'The ten o')
  await post(`${path}/keep`, typed)
  t.notMatch((await get(path)).body, 'The ten o', 'they are not stored either when the user leaves the page')
  const sent = { ...typed, Held: hidden(late.body, 'Held') }
  t.match((await post(`${path}/customer`, sent)).headers.location, `${path}/pay`)
})

t.test('the party of a line can become smaller even if its timeslot is no longer on sale', async (t) => {
  const { get, post, sql, kayak, choice, read, hold } = await makeSalesDesk(t)
  const { path, line } = await hold(kayak)
  await sql`update timeslots set status = 'closed' where product_id = ${kayak.id} and time = '10:00'`
  const { body } = await get(`${line}/change`)
  t.match(body, /value="2030-06-15T10:00"[^>]* checked/)
  t.match(textOf(body), /10:00 off sale.*12:00 6 places free/)
  t.equal((await post(`${line}/change`, choice(kayak, '3'))).statusCode, 409, 'it does not become larger')
  t.equal((await post(`${line}/change`, choice(kayak, '1'))).statusCode, 303)
  t.match((await read(path)).Lines, [{ Time: '10:00', Participants: 1 }])
  await sql`update timeslots set status = 'closed' where product_id = ${kayak.id}`
  t.match(
    (await get(`${line}/change`)).body,
    'name="Participants" value="1"',
    'also if no other timeslot is on sale',
  )
  const later = await get(`${line}/change?From=2030-06-16`)
  t.notMatch(later.body, '2030-06-15T10:00', 'it is not shown among the timeslots of later days')
})

t.test('the form that changes a line says which units of the party are no longer sold', async (t) => {
  const { get, post, call, kayak, choice, read } = await makeSalesDesk(t)
  const unit = (Name: string, Default: boolean) => ({
    ...{ Name, Type: Name.toUpperCase(), Price: { Amount: '45.00', Currency: 'EUR' }, Default },
  })
  const put = (Units: object[]) => call('PUT', `/products/${kayak.id}/units`, { Units })
  const [adult, senior] = (await put([unit('Adult', true), unit('Senior', false)])).data
  const { Participants: _, ...slot } = choice(kayak)
  const party = { [`Unit-${adult.UnitID}`]: '2', [`Unit-${senior.UnitID}`]: '1' }
  const path = (await post('/dashboard/sell', { ...slot, ...party })).headers.location!
  const line = `${path}/lines/${(await read(path)).Lines[0].BookingReference}`
  t.notMatch(textOf((await get(`${line}/change`)).body), 'No longer sold')
  const kept = await put([{ ...unit('Adult', true), UnitID: adult.UnitID }])
  t.equal(kept.status, 200)
  const { body } = await get(`${line}/change`)
  t.match(textOf(body), /No longer sold: 1 Senior. These places stay held only until you save/)
})
