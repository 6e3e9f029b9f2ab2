/** The translated texts of booked products are in the customer's language, on pages and in e-mails. */
import t, { type Test } from 'tap'
import { ticketsUrl } from '../../../src/sales/ticket/links.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'
import { makeSending } from '../../messaging/emails/fixtures.ts'
import { startSmtp } from '../../messaging/emails/smtp.ts'
import { pumpEvents } from '../../pump.ts'
import { makeOffered } from '../waitlist/fixtures.ts'

const secret = 'a secret that is long enough for a test'
const portuguese = {
  Language: 'pt',
  Name: 'Caiaque',
  Description: 'Duas horas junto às falésias.',
  Texts: [{ Text: 'Adult', Translation: 'Adulto' }],
}

/** A sale of two adults at the till, paid in part, of a product that is translated into Portuguese. */
async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, call, signIn } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const Units = [{ Name: 'Adult', Type: 'ADULT', Price: { Amount: '45.00', Currency: 'EUR' }, Default: true }]
  const [unit] = (await call('PUT', `/products/${id}/units`, { Units })).data
  const translate = (...Translations: object[]) =>
    call('PUT', `/products/${id}/translations`, { Translations })
  t.equal((await translate(portuguese)).status, 200)
  const sale = {
    ...{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00' },
    ...{ Units: [{ UnitID: unit.UnitID, Quantity: 2 }], Customer: { Email: 'ada@example.com' } },
    Payment: { Method: 'cash', Amount: '40.00' },
  }
  const { BookingReference: reference, BasketID } = (await call('POST', '/bookings', sale)).data
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const read = async (url: string, accept = '') =>
    textOf((await app.inject({ url, headers: { 'accept-language': accept } })).body)
  const staff = await signIn('staff')
  const mail = async (button: string) => {
    const smtp = await startSmtp(t)
    await staff.post(button)
    await pumpEvents(sql)
    await makeSending(sql, { SMTP_URL: smtp.url })()
    return smtp.received.at(-1)!.mail
  }
  /** Stores the customer's languages, as a booking of a reseller through OCTO does. */
  const nameLanguages = (...locales: string[]) => sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt, contact)
    select ${accountId}, id, 0, gen_random_uuid(), '', true, ${sql.json({ locales })} from bookings`
  return { ...dashboard, translate, reference, BasketID, link, read, mail, nameLanguages }
}

t.test(
  'tickets show the name, units and description of the product in the customer’s language',
  async (t) => {
    const { call, link, read, reference } = await makeSale(t)
    t.match(await read(link), /Kayak .*2 × Adult .*On the water\./)
    const page = await read(link, 'pt')
    t.match(page, /Caiaque .*2 × Adulto .*Duas horas junto às falésias\./)
    t.notMatch(page, /Kayak|Adult /)
    await call('POST', `/bookings/${reference}/tickets`, {})
    t.match(await read(link, 'pt'), /Bilhete 1 de 2: Adulto/)
  },
)

t.test('a text without a translation is shown in the operator’s language', async (t) => {
  const { translate, link, read } = await makeSale(t)
  await translate({ Language: 'pt', Name: 'Caiaque' })
  t.match(await read(link, 'pt'), /Caiaque .*2 × Adult .*On the water\./)
  await translate({ Language: 'de', Name: 'Kajak' })
  t.match(await read(link, 'pt'), /Kayak .*2 × Adult/)
})

t.test('a receipt names its products in the customer’s language, on its page and by e-mail', async (t) => {
  const { link, read, mail, nameLanguages, BasketID } = await makeSale(t)
  t.match(await read(`${link}/receipt`), /Kayak .*2 × Adult/)
  t.match(await read(`${link}/receipt`, 'pt-BR'), /Caiaque .*2 × Adulto/)
  t.match((await mail(`/dashboard/sell/${BasketID}/receipt`)).text, /Kayak[\s\S]*2 × Adult/)
  await nameLanguages('pt-PT')
  t.match((await mail(`/dashboard/sell/${BasketID}/receipt`)).text, /Caiaque[\s\S]*2 × Adulto/)
})

t.test('an e-mail about a booking names its product and units in the customer’s language', async (t) => {
  const { mail, reference, nameLanguages } = await makeSale(t)
  await nameLanguages('fr', 'pt-BR')
  const { subject = '', text = '' } = await mail(`/dashboard/bookings/${reference}/resend`)
  t.match(`${subject}\n${text}`, /Caiaque[\s\S]*2 × Adulto/)
  t.notMatch(text, /Kayak|Adult\b/)
})

t.test(
  'a waitlist offer is in the customer’s language, but chosen options are stored untranslated',
  async (t) => {
    const { app, call, productId, link, offer, entry } = await makeOffered(t)
    const Questions = [
      {
        ...{ Label: 'Size', Type: 'select', Options: ['Small', 'Large'] },
        ...{ Required: true, AppliesTo: 'booking' },
      },
    ]
    const [question] = (await call('PUT', `/products/${productId}/questions`, { Questions })).data
    const Texts = [
      { Text: 'Size', Translation: 'Tamanho' },
      { Text: 'Small', Translation: 'Pequeno' },
    ]
    await call('PUT', `/products/${productId}/translations`, {
      Translations: [{ Language: 'pt', Name: 'Caiaque', Texts }],
    })
    await offer()
    const page = (await app.inject({ url: link, headers: { 'accept-language': 'pt' } })).body
    t.match(page, '<title>Caiaque</title>')
    t.match(page, '<option value="Small">Pequeno</option><option value="Large">Large</option>')
    t.match(textOf(page), 'Tamanho (obrigatório)')
    t.match((await app.inject(link)).body, '<option value="Small">Small</option>')
    const payload = new URLSearchParams({ Described: 'true', [`Answer-${question.ID}`]: 'Small' })
    const sent = await app.inject({
      method: 'POST',
      url: `${link}/take?lang=pt`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: payload.toString(),
    })
    t.equal(sent.statusCode, 303)
    t.match((await call('GET', `/bookings/${entry.BookingReference}`)).data.Answers, [{ Value: 'Small' }])
  },
)
