/** The customer of several bookings of one sale: changed on all of them, or on one. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const ada = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com', Phone: '+351912345678' }
const otherPhone = '+351911111111'

/** A sale of three bookings for one customer. */
async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 80, '2030-06-16 12:00': 80 },
  })
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const later = { ...line, Date: '2030-06-16', Time: '12:00' }
  const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line, line, later] })
  await call('PATCH', `/baskets/${data.BasketID}`, { Customer: ada })
  await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'card' })
  const references = data.Lines.map(({ BookingReference }: { BookingReference: string }) => BookingReference)
  const pathOf = (place: number) => `/dashboard/bookings/${references[place]}/customer`
  const read = async (place: number) => (await call('GET', `/bookings/${references[place]}`)).data
  const phones = async () =>
    Promise.all([0, 1, 2].map(async (place) => (await read(place)).Customer.Phone as string))
  const { get, post } = await signIn('staff')
  return { ...dashboard, activityId, references: references as string[], get, post, pathOf, read, phones }
}

t.test('the customer of a sale', async (t) => {
  t.test('is changed on all its bookings that have the same contact; the form lists them', async (t) => {
    const { get, post, pathOf, phones, read } = await makeSale(t)
    const { body } = await get(pathOf(0))
    t.match(textOf(body), 'Also for the other 2 bookings of this sale')
    t.match(textOf(body), 'Kayak, Sat, 15 Jun 2030, 10:00 Kayak, Sun, 16 Jun 2030, 12:00')
    t.match(body, /name="OfSale" value="true" checked/)
    const answer = await post(pathOf(0), { 'Customer.Phone': otherPhone, OfSale: ['true', 'false'] })
    t.equal(answer.statusCode, 303)
    t.same(await phones(), [otherPhone, otherPhone, otherPhone])
    for (const place of [0, 1, 2]) {
      const changed = (await read(place)).History.filter(
        ({ Action }: { Action: string }) => Action === 'customer-changed',
      )
      t.match(changed.at(-1).Details, { Fields: ['Customer.Phone'] })
    }
  })

  t.test('is changed on one booking if the box is not ticked, or if the form has no box', async (t) => {
    const { post, pathOf, phones } = await makeSale(t)
    await post(pathOf(0), { 'Customer.Phone': otherPhone, OfSale: 'false' })
    t.same(await phones(), [otherPhone, ada.Phone, ada.Phone])
    await post(pathOf(1), { 'Customer.Phone': '+351922222222' })
    t.same(await phones(), [otherPhone, '+351922222222', ada.Phone])
  })

  t.test('is not changed on a booking that has another contact or is cancelled', async (t) => {
    const { get, post, pathOf, phones, call, references } = await makeSale(t)
    await post(pathOf(1), { 'Customer.Phone': '+351933333333', OfSale: 'false' })
    await call('POST', `/bookings/${references[2]}/cancel`, { Override: true })
    t.notMatch((await get(pathOf(0))).body, 'OfSale')
    await post(pathOf(0), { 'Customer.Phone': otherPhone, OfSale: ['true', 'false'] })
    t.same(await phones(), [otherPhone, '+351933333333', ada.Phone])
  })

  t.test('is not changed on other bookings if nothing differs, or if the form is refused', async (t) => {
    const { get, post, pathOf, phones, sql } = await makeSale(t)
    const answer = await post(pathOf(0), { 'Customer.Email': 'nowhere', OfSale: 'false' })
    t.equal(answer.statusCode, 422)
    t.match(answer.body, /name="OfSale" value="true">/, 'the box is shown as it was sent')
    await post(pathOf(0), { 'Customer.Phone': ada.Phone, OfSale: ['true', 'false'] })
    t.same(await sql`select from events where type = 'booking.customer-changed' and actor = 'user'`, [])
    t.same(await phones(), [ada.Phone, ada.Phone, ada.Phone])
    t.equal((await get(pathOf(0))).statusCode, 200)
  })

  t.test('is not overwritten by a form that was opened before a colleague changed it', async (t) => {
    const { get, post, pathOf, phones } = await makeSale(t)
    const Version = hidden((await get(pathOf(0))).body, 'Version')
    await post(pathOf(1), { 'Customer.Phone': otherPhone, OfSale: ['true', 'false'] })
    const stale = { 'Customer.LastName': 'King', 'Customer.Phone': ada.Phone, OfSale: ['true', 'false'] }
    const refused = await post(pathOf(0), { ...stale, Version })
    t.equal(refused.statusCode, 409)
    t.match(textOf(refused.body), `is now “${otherPhone}”`)
    t.same(await phones(), [otherPhone, otherPhone, otherPhone])
    const again = await post(pathOf(0), { ...stale, Version: hidden(refused.body, 'Version') })
    t.equal(again.statusCode, 303, 'the form that showed the change can be saved')
    t.same(await phones(), [ada.Phone, ada.Phone, ada.Phone])
  })

  t.test('is changed once by a form that is sent twice, without a conflict', async (t) => {
    const { get, post, pathOf, phones, read } = await makeSale(t)
    const Version = hidden((await get(pathOf(0))).body, 'Version')
    const form = { 'Customer.Phone': otherPhone, OfSale: 'true', Version }
    t.equal((await post(pathOf(0), form)).statusCode, 303)
    t.equal((await post(pathOf(0), form)).statusCode, 303)
    t.same(await phones(), [otherPhone, otherPhone, otherPhone])
    const { History } = await read(0)
    const changes = History.filter(({ Action }: { Action: string }) => Action === 'customer-changed')
    t.equal(changes.filter(({ Details }: { Details: object }) => 'Fields' in Details).length, 1)
  })

  t.test('is not saved if a colleague saved an answer meanwhile; the form shows that answer', async (t) => {
    const { sql, accountId, get, post, pathOf } = await makeSale(t)
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      select ${accountId}, id, 1, 'Allergies', 'text', false, '{}', 'booking' from products
      where account_id = ${accountId} returning id`
    const name = `Answer-${question!.id}`
    const Version = hidden((await get(pathOf(0))).body, 'Version')
    await post(pathOf(0), { [name]: 'Nuts', OfSale: 'false' })
    const late = await post(pathOf(0), { 'Customer.Phone': otherPhone, OfSale: 'false', Version })
    t.equal(late.statusCode, 409)
    t.match(textOf(late.body), /Allergies.*Is now “Nuts”/)
  })

  t.test('is not changed on a booking that the form did not list', async (t) => {
    const { get, post, pathOf, phones } = await makeSale(t)
    await post(pathOf(2), { 'Customer.Phone': otherPhone, OfSale: 'false' })
    const Version = hidden((await get(pathOf(0))).body, 'Version')
    await post(pathOf(2), { 'Customer.Phone': ada.Phone, OfSale: 'false' })
    const all = { 'Customer.Phone': '+351922222222', OfSale: ['true', 'false'] }
    t.equal((await post(pathOf(0), { ...all, Version })).statusCode, 409)
    t.same(await phones(), [ada.Phone, ada.Phone, ada.Phone])
  })

  t.test('has one phone number on all bookings after concurrent changes on different ones', async (t) => {
    const { post, pathOf, phones } = await makeSale(t)
    const all = ['true', 'false']
    const answers = await Promise.all([
      post(pathOf(0), { 'Customer.Phone': otherPhone, OfSale: all }),
      post(pathOf(2), { 'Customer.LastName': 'King', OfSale: all }),
      post(pathOf(1), { 'Customer.Phone': otherPhone, OfSale: all }),
    ])
    t.same(
      answers.map(({ statusCode }) => statusCode),
      [303, 303, 303],
    )
    t.same(await phones(), [otherPhone, otherPhone, otherPhone])
  })

  t.test('can be changed on a partner’s booking, whose form has no box for other bookings', async (t) => {
    const { book, activityId, get, post, call, sql } = await makeSale(t)
    const [{ reference }, other] = [
      await book(activityId, { Date: '2030-06-15' }),
      await book(activityId, { Date: '2030-06-15' }),
    ]
    await sql`
      update bookings set basket_id = (select basket_id from bookings where reference = ${reference})
      where reference = ${other.reference}`
    const path = `/dashboard/bookings/${reference}/customer`
    t.notMatch((await get(path)).body, 'OfSale')
    await post(path, { 'Customer.Phone': otherPhone, OfSale: ['true', 'false'] })
    const phoneOf = async (one: string) => (await call('GET', `/bookings/${one}`)).data.Customer.Phone
    t.equal(await phoneOf(reference), otherPhone)
    t.not(await phoneOf(other.reference), otherPhone, 'a form with the box does not change the others either')
  })
})
