/** The questions of a product on the page of an offer: the customer answers them before the payment. */
import t, { type Test } from 'tap'
import { textOf } from '../../dashboard/fixtures.ts'
import { makeOffered, paymentPage } from './fixtures.ts'

/** An offer of a product with three questions: one required of the party, one required of each person, one optional. */
async function makeAsked(t: Test, settings: Parameters<typeof makeOffered>[1] = {}) {
  const offered = await makeOffered(t, settings)
  const { app, call, productId, link, entry } = offered
  await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
  const question = (Label: string, AppliesTo: string, Required: boolean) => {
    return { Label, Type: 'text', AppliesTo, Required, Options: [] }
  }
  const Questions = [
    question('Can you all swim?', 'booking', true),
    question('How tall?', 'participant', true),
    question('Allergies', 'booking', false),
  ]
  const asked = await call('PUT', `/products/${productId}/questions`, { Questions })
  const [swim, tall, allergies] = asked.data.map(({ ID }: { ID: number }) => `Answer-${ID}`)
  await offered.offer()
  const send = (fields: [string, string][], action = 'take') =>
    app.inject({
      method: 'POST',
      url: `${link}/${action}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams([['Described', 'true'], ...fields]).toString(),
    })
  const requiredAnswers: [string, string][] = [
    [swim, 'Yes'],
    [tall, '1.80'],
    [tall, '1.60'],
  ]
  const answersOf = async () => (await call('GET', `/bookings/${entry.BookingReference}`)).data.Answers
  return { ...offered, swim, tall, allergies, send, requiredAnswers, answersOf }
}

t.test('a customer with an offer of a product that asks questions', async (t) => {
  t.test('answers the questions when taking the offer, and then pays', async (t) => {
    const { send, requiredAnswers, allergies, look, answersOf, statusOf } = await makeAsked(t)
    const text = await look()
    t.match(
      text,
      /The whole party Can you all swim\? \(required\) Allergies Participant 1 How tall\? \(required\)/,
    )
    t.notMatch(text, 'Pay €90.00')
    t.equal((await send([...requiredAnswers, [allergies, 'Nuts']])).statusCode, 303)
    t.match(await look(), 'Pay €90.00')
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'held' })
    t.same(
      (await answersOf()).map(({ Value }: { Value: string }) => Value),
      ['Yes', ['1.80', '1.60'], 'Nuts'],
    )
  })

  t.test(
    'cannot take or pay for the offer while a required answer is missing; the form keeps the typed answers',
    async (t) => {
      const { send, swim, tall, allergies, look, answersOf, statusOf, press } = await makeAsked(t)
      const refused = await send([
        [swim, ' '],
        [tall, '1.80'],
        [tall, ''],
        [allergies, 'Nuts & "seeds"'],
      ])
      t.equal(refused.statusCode, 422)
      const text = textOf(refused.body)
      t.match(text, 'Please correct this and send it again: Can you all swim? How tall? (Participant 2)')
      t.equal(text.match(/has to be answered/gi)?.length, 2, 'each error is shown once')
      t.match(
        refused.body,
        new RegExp(`name="${swim}" aria-invalid="true" aria-describedby="field-${swim}-about"`),
      )
      t.match(refused.body, 'value="1.80"')
      t.match(refused.body, 'value="Nuts &#38; &#34;seeds&#34;"')
      t.equal((await press('take')).statusCode, 422, 'the button is also refused without the form')
      t.match(await statusOf(), { Status: 'offered' })
      t.same(await answersOf(), [])
      t.notMatch(await look(), 'Pay €90.00')
    },
  )

  t.test('reads what is wrong with an answer beside its field', async (t) => {
    const { send, requiredAnswers, allergies, statusOf } = await makeAsked(t)
    const refused = await send([...requiredAnswers, [allergies, 'x'.repeat(10_001)]])
    t.equal(refused.statusCode, 422)
    t.match(textOf(refused.body), /Allergies Must .*10,?000 characters/)
    const unstorable = await send([...requiredAnswers, [allergies, 'Nuts\0']])
    t.equal(unstorable.statusCode, 422)
    t.match(textOf(unstorable.body), 'Allergies Must not contain NUL')
    t.match(await statusOf(), { Status: 'offered' })
  })

  t.test('whose offer was taken at the desk without answers has to answer before the payment', async (t) => {
    const { call, entry, send, requiredAnswers, look, answersOf } = await makeAsked(t)
    await call('POST', `/waitlist/${entry.WaitlistID}/take`)
    const text = await look()
    t.match(
      text,
      /The places are held for you until .* This is asked before the payment: .*Can you all swim\?/,
    )
    t.notMatch(text, 'Pay €90.00')
    t.equal((await send([])).statusCode, 422)
    t.equal((await send(requiredAnswers)).statusCode, 303)
    t.match(await look(), 'Pay €90.00')
    t.equal((await answersOf()).length, 2)
  })

  t.test('whose booking already has the answers sees them, and may change them', async (t) => {
    const { call, entry, swim, tall, look, send, requiredAnswers, press, app, link } = await makeAsked(t)
    const Answers = [
      { QuestionID: Number(swim.slice(7)), Value: 'Yes' },
      { QuestionID: Number(tall.slice(7)), Value: ['1.90', '1.70'] },
    ]
    await call('PATCH', `/bookings/${entry.BookingReference}`, { Answers })
    t.match((await app.inject(link)).body, 'value="1.90"')
    t.equal((await press('take')).statusCode, 303, 'nothing is asked twice')
    t.match(await look(), 'Pay €90.00')
    t.equal((await send(requiredAnswers)).statusCode, 303)
    t.match(await call('GET', `/bookings/${entry.BookingReference}`), {
      data: { Answers: [{ Value: 'Yes' }, { Value: ['1.80', '1.60'] }] },
    })
  })

  t.test('can book places that cost nothing only after answering the questions', async (t) => {
    const { send, requiredAnswers, press, statusOf, answersOf } = await makeAsked(t, { priceMinor: 0 })
    t.equal((await press('take')).statusCode, 422)
    t.match(await statusOf(), { Status: 'offered' })
    t.equal((await send(requiredAnswers)).statusCode, 303)
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'confirmed' })
    t.equal((await answersOf()).length, 2)
  })

  t.test('can no longer change the answers once the places are booked', async (t) => {
    const { send, requiredAnswers, swim, pay, look, answersOf } = await makeAsked(t)
    await send(requiredAnswers)
    await pay('evt_1')
    const before = await answersOf()
    t.equal((await send([[swim, 'No']])).statusCode, 303)
    t.same(await answersOf(), before)
    t.match(await look(), 'Paid. Your places are booked.')
  })

  t.test('whose link is not valid, or whose form is too long, changes nothing', async (t) => {
    const { app, link, send, requiredAnswers, allergies, statusOf } = await makeAsked(t)
    t.equal((await app.inject({ method: 'POST', url: `${link}x/take` })).statusCode, 404)
    t.equal((await send([...requiredAnswers, [allergies, 'x'.repeat(300_000)]])).statusCode, 413)
    t.match(await statusOf(), { Status: 'offered' })
  })
})

t.test('the page of an offer names the operator, and says how to contact it', async (t) => {
  const { sql, call, offer, press, look } = await makeOffered(t)
  await sql`update accounts set name = 'Quay Kayaks' where account_id > 0`
  await call('PUT', '/business-details', { Phone: '+351 282 555 010', Email: 'desk@quay.test' })
  t.match(await look(), /Your reference is \w+ , with Quay Kayaks/)
  t.match(await look(), 'Quay Kayaks +351 282 555 010 desk@quay.test')
  await offer()
  await press('take')
  t.match(await look(), 'at the desk of Quay Kayaks, or ask how to: +351 282 555 010 or desk@quay.test')
  await call('PUT', '/payment-settings', { Contact: 'our kiosk at the marina' })
  t.match(await look(), 'or ask how to: our kiosk at the marina.')
})
