/** Customers' pages, tickets, receipts and e-mails: their language, and the operator's logo and colour. */
import t, { type Test } from 'tap'
import { optOutUrl } from '../../../src/messaging/emails/links.ts'
import { ticketsUrl } from '../../../src/sales/ticket/links.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'
import { makeSending } from '../../messaging/emails/fixtures.ts'
import { startSmtp } from '../../messaging/emails/smtp.ts'
import { pumpEvents } from '../../pump.ts'
import { logo } from '../../security/access.ts'

const secret = 'a secret that is long enough for a test'
const path = '/business-details'

/**
 * Sells a product of two and a half hours to a customer who pays a part. `link` is the path of the customer's
 * tickets.
 */
async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, call, signIn } = dashboard
  const staff = await signIn('staff')
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Kayak <b>tour</b>',
    slots: { '2030-06-15 10:00': 8 },
  })
  await sql`update products set duration_minutes = 150`
  const sale = {
    ...{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 },
    ...{ Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' } },
    Payment: { Method: 'cash', Amount: '40.00' },
  }
  const { BookingReference: reference, BasketID } = (await call('POST', '/bookings', sale)).data
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const read = async (url: string, accept = '') =>
    (await app.inject({ url, headers: { 'accept-language': accept } })).body
  /** The e-mail that a button of the dashboard sends. */
  const mail = async (button: string) => {
    const smtp = await startSmtp(t)
    await staff.post(button)
    await pumpEvents(sql)
    await makeSending(sql, { SMTP_URL: smtp.url })()
    return smtp.received.at(-1)!.mail
  }
  return { ...dashboard, staff, reference, BasketID, link, read, mail }
}

t.test('a customer’s pages are in the language of the browser, or else of the account', async (t) => {
  const { link, read, call } = await makeSale(t)
  const english = /Saturday 15 June 2030, at 10:00 2 people .* It takes 2 h 30 min\. .*Show this at the start/
  const portuguese =
    /sábado, 15 de junho de 2030, às 10:00 2 pessoas .* Dura 2 h 30 min\. .*Apresente este bilhete/
  t.match(textOf(await read(link)), english)
  t.match(textOf(await read(link, 'pt-BR,pt;q=0.9')), portuguese)
  t.match(await read(link, 'pt-PT'), '<html lang="pt-PT">')
  await call('PUT', path, { Locale: 'pt-PT' })
  t.match(textOf(await read(link)), portuguese)
  t.match(textOf(await read(link, 'de')), portuguese)
  t.match(textOf(await read(link, 'en-US')), /Saturday, June 15, 2030, at 10:00\sAM/)
  const receipt = textOf(await read(`${link}/receipt`))
  t.match(receipt, /Total 90,00\s€ Pago \(.*, dinheiro\) 40,00\s€ Falta pagar 50,00\s€/)
  t.match(receipt, /Pague 50,00\s€ no balcão de quay\./)
})

t.test('a chosen language stays selected on the pages that a customer’s page links to', async (t) => {
  const { link, read, app } = await makeSale(t)
  const page = await read(link, 'en')
  t.match(page, `<a href="${link}?lang=pt" hreflang="pt" lang="pt">Português</a>`)
  const chosen = await read(`${link}?lang=pt`, 'en')
  t.match(chosen, `href="${link}/receipt?lang=pt"`)
  t.match(await read(`${link}/receipt?lang=pt`, 'en'), `href="${link}?lang=pt">Os seus bilhetes`)
  t.match(textOf(await read(`${link}?lang="><script>`, 'en')), 'Show this at the start')
  t.notMatch(await read(`${link}?lang="><script>`, 'en'), '<script>')
  const invalid = await app.inject({ url: '/tickets/none', headers: { 'accept-language': 'pt' } })
  t.equal(invalid.statusCode, 404)
  t.match(textOf(invalid.body), 'Esta ligação não é válida')
})

t.test('e-mails, printed pages and the variables of workflows follow the account’s locale', async (t) => {
  const { call, mail, reference, BasketID, staff, sql } = await makeSale(t)
  await call('PUT', path, { Locale: 'pt-PT' })
  const confirmation = await mail(`/dashboard/bookings/${reference}/resend`)
  t.equal(confirmation.subject, `Reserva ${reference}: Kayak <b>tour</b>`)
  t.match(confirmation.text, /Olá Ada,\n\na sua reserva está confirmada\./)
  t.match(confirmation.text, 'sábado, 15 de junho de 2030 às 10:00 (Europe/Lisbon)\n2 pessoas\n')
  t.match(confirmation.text, /Pago: 40,00\s€\nFalta pagar: 50,00\s€/)
  t.match((await mail(`/dashboard/sell/${BasketID}/receipt`)).text, /Total: 90,00\s€\nPago \(/)
  const { get } = staff
  t.match(
    textOf((await get(`/dashboard/sell/${BasketID}/receipt`)).body),
    /Kayak <b>tour<\/b>, sábado, 15 de junho de 2030, às 10:00, 2 pessoas 2 × 45,00\s€ Subtotal 90,00\s€/,
  )
  t.match(
    textOf((await get(`/dashboard/bookings/${reference}/tickets/print`)).body),
    /Bilhete para todo o grupo sábado, 15 de junho de 2030, às 10:00 Dura 2 h 30 min\./,
  )
  const workflow = {
    ...{ Name: 'Ours', Trigger: 'booking-confirmed', OffsetMinutes: 0, Active: true },
    Subject: '{{ date }}, {{ time }}',
    Body: '{{ date | date: "%A %e %B" }} {{ booking.total }} {{ product.duration }} {{ starts_at }}{% if date == "2030-06-15" %} that day{% endif %} {{ date | slice: 0, 4 }}',
  }
  t.equal((await call('POST', '/workflows', workflow)).status, 201)
  const own = await mail(`/dashboard/bookings/${reference}/resend`)
  t.equal(own.subject, 'sábado, 15 de junho de 2030, 10:00')
  t.match(
    own.text,
    /^sábado 15 junho 90,00\s€ 2 h 30 min sábado, 15 de junho de 2030 às 10:00 that day 2030\n$/,
  )
  t.same(await sql`select from emails where status <> 'sent'`, [])
})

t.test('if a reseller names the languages of its customer, e-mails are in one of them', async (t) => {
  const { sql, accountId, reference, mail } = await makeSale(t)
  await sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, email_receipt, contact)
    select ${accountId}, id, 0, gen_random_uuid(), '', true, ${sql.json({ locales: ['fr', 'pt-BR'] })} from bookings`
  const { subject, text, html } = await mail(`/dashboard/bookings/${reference}/resend`)
  t.equal(subject, `Reserva ${reference}: Kayak <b>tour</b>`)
  t.match(text, /€\s40,00/, 'amounts are written as in Brazil')
  t.match(html, '<html lang="pt-BR">')
})

t.test('the page to unsubscribe is in the customer’s language, and has the operator’s colour', async (t) => {
  const { accountId, read, call } = await makeSale(t)
  await call('PUT', path, { Colour: '#8a1538' })
  const about = { accountId, hash: Buffer.alloc(32) }
  const url = new URL(optOutUrl('http://booking.test', secret, about)).pathname
  const page = await read(url, 'pt')
  t.match(textOf(page), /quay .*Cancelar a subscrição Quer deixar de receber/)
  t.match(page, '--button: #8a1538; --on-button: #ffffff')
})

t.test('the logo and colour are shown on customers’ pages, printed pages and in e-mails', async (t) => {
  const { app, call, link, read, mail, reference, BasketID, staff } = await makeSale(t)
  const before = await read(link)
  t.match(before, '<p class="house">quay</p>')
  await call('PUT', path, { Colour: '#ffd500' })
  const { data } = await call('PUT', `${path}/logo`, { Image: logo })
  t.match(data, { Colour: '#ffd500', Logo: { Type: 'image/png', Bytes: 68 } })
  const file = new URL(data.Logo.URL).pathname
  for (const url of [link, `${link}/receipt`]) {
    const page = await app.inject(url)
    t.match(page.body, `<img src="${file}" alt="quay">`)
    t.match(page.body, '--button: #ffd500; --on-button: #000000')
    t.notMatch(page.body, / style=/, 'the Content-Security-Policy would block inline styles')
    const csp = String(page.headers['content-security-policy'])
    t.match(
      csp,
      /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; img-src 'self' data:; form-action/,
    )
    t.notMatch(csp, 'unsafe')
  }
  const { get } = staff
  for (const url of [`/dashboard/sell/${BasketID}/receipt`, `/dashboard/bookings/${reference}/tickets/print`])
    t.match((await get(url)).body, `<img src="${file}" alt="quay">`)
  const { html = '', text = '' } = await mail(`/dashboard/bookings/${reference}/resend`)
  t.match(html, `<img src="http://booking.test${file}" alt="quay"`)
  t.match(html, 'background:#ffd500;color:#000000')
  t.match(html, 'Kayak &lt;b&gt;tour&lt;/b&gt;')
  t.match(
    html,
    /<a class="button" href="http:\/\/booking\.test\/tickets\/[^"]+" style="[^"]+">Open your tickets<\/a>/,
  )
  t.match(text, /Your tickets, to show at the start:\nhttp:\/\/booking\.test\/tickets\/\S+\n/)
  t.notMatch(text, /<a |<p|Open your tickets/)
})

t.test(
  'an HTML e-mail shows the booking in a table, and ends with the operator’s name, address and contact',
  async (t) => {
    const { call, mail, reference } = await makeSale(t)
    const details = {
      AddressLines: ['Rua do Cais 12', 'Lagos'],
      Phone: '+351282555010',
      Email: 'desk@quay.test',
    }
    await call('PUT', path, details)
    const { html = '', text = '' } = await mail(`/dashboard/bookings/${reference}/resend`)
    t.match(textOf(html), /quay Rua do Cais 12, Lagos \+351 282 555 010 desk@quay\.test\s*$/)
    t.match(html, 'href="tel:+351282555010"')
    t.notMatch(text, 'Rua do Cais')
    t.match(html, /<td style="[^"]+"><strong>Kayak &lt;b&gt;tour&lt;\/b&gt;<\/strong><\/td>/)
    t.match(html, new RegExp(`<td style="[^"]+">Booking reference: ${reference}</td>`))
  },
)

t.test('a link to the tickets on a line of its own in the operator’s text becomes a button', async (t) => {
  const { call, mail, reference } = await makeSale(t)
  const workflow = {
    ...{ Name: 'Ours', Trigger: 'booking-confirmed', OffsetMinutes: 0, Active: true },
    ...{ Subject: 'Booked', Body: 'Your tickets:\n{{ booking.tickets_url }}\nhttps://quay.test/map' },
  }
  t.equal((await call('POST', '/workflows', workflow)).status, 201)
  const { html = '', text = '' } = await mail(`/dashboard/bookings/${reference}/resend`)
  t.match(
    html,
    /<a class="button" href="http:\/\/booking\.test\/tickets\/[^"]+" style="[^"]+">Open your tickets<\/a>/,
  )
  t.match(html, '>https://quay.test/map</a>', 'another link is shown as it is')
  t.match(text, /^Your tickets:\nhttp:\/\/booking\.test\/tickets\/\S+\nhttps:\/\/quay\.test\/map/)
})

t.test(
  'the customer’s receipt has its sums in a table, and marks the amount that is still to be paid',
  async (t) => {
    const { read, link } = await makeSale(t)
    t.match(
      await read(`${link}/receipt`),
      /<tr class="due"><th scope="row">Still to be paid<\/th><td>€50\.00<\/td><\/tr>/,
    )
  },
)

t.test(
  'a logo is accepted only if it begins like a PNG, JPEG or WebP file and has at most 256 KiB',
  async (t) => {
    const { app, call, accountId, sql } = await makeSale(t)
    const put = (image: Buffer) => call('PUT', `${path}/logo`, { Image: image.toString('base64') })
    const bytes = (text: string) => Buffer.from(text, 'latin1')
    const png = bytes('\x89PNG\r\n\x1a\n')
    for (const [image, why] of [
      [bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'SVG'],
      [bytes('<html>'), 'HTML'],
      [bytes('GIF89a'), 'GIF'],
      [bytes('RIFF....WAVE'), 'a sound file'],
      [Buffer.concat([png, Buffer.alloc(256 * 1024)]), 'too large'],
    ] as const)
      t.match(await put(image), { status: 422, problem: { errors: [{ field: 'Image' }] } }, why)
    for (const Image of ['', '%', 'a b'])
      t.equal((await call('PUT', `${path}/logo`, { Image })).status, 422, Image)
    t.same(await sql`select from logos`, [])
    const largest = Buffer.concat([png, Buffer.alloc(256 * 1024 - png.length)])
    for (const [image, type] of [
      [bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
      [bytes('RIFF....WEBPVP8 '), 'image/webp'],
      [largest, 'image/png'],
    ] as const) {
      const { data } = await put(image)
      t.match(data.Logo, { Type: type, Bytes: image.length })
      const served = await app.inject(new URL(data.Logo.URL).pathname)
      t.match(served.headers, {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
        'cache-control': /immutable/,
        'cross-origin-resource-policy': 'cross-origin',
      })
      t.ok(served.rawPayload.equals(image))
    }
    const { URL: logoUrl } = (await call('GET', path)).data.Logo
    const old = await app.inject(`/logos/${accountId}/${'0'.repeat(32)}`)
    t.match(
      old,
      { statusCode: 302, headers: { location: new URL(logoUrl).pathname } },
      'an old link leads to the current logo',
    )
    for (const _ of [1, 2]) t.equal((await call('DELETE', `${path}/logo`)).data.Logo, null)
    t.equal((await app.inject(new URL(logoUrl).pathname)).statusCode, 404)
    t.equal(
      (await sql`select from events where details->'Fields' = '["Logo"]'`).length,
      4,
      'each change once',
    )
  },
)

t.test('an owner uploads the logo on the business details page', async (t) => {
  const { signIn, call } = await makeDashboard(t)
  const owner = await signIn()
  const page = '/dashboard/business-details'
  const { body } = await owner.get(page)
  t.match(
    body,
    /<form method="post" action="\/dashboard\/business-details\/logo#logo"[^>]* enctype="multipart\/form-data">/,
  )
  const refused = await owner.post(`${page}/logo`, { Image: Buffer.from('<svg/>').toString('base64') })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'Picture must be a PNG, JPEG or WebP file')
  t.equal((await owner.post(`${page}/logo`, { Image: logo })).statusCode, 303)
  const { Logo } = (await call('GET', path)).data
  t.match((await owner.get(page)).body, `<img class="logo" src="${new URL(Logo.URL).pathname}"`)
  t.equal((await owner.post(`${page}/logo/remove`)).statusCode, 303)
  t.equal((await call('GET', path)).data.Logo, null)
  const staff = await signIn('staff')
  t.equal((await staff.post(`${page}/logo`, { Image: logo })).statusCode, 403)
})

t.test(
  'the picture of a logo is read once from the database, and a deleted logo is not served',
  async (t) => {
    const { app, call, sql, accountId } = await makeSale(t)
    await call('PUT', `${path}/logo`, { Image: logo })
    const [{ hash } = { hash: '' }] = await sql<{ hash: string }[]>`select hash from logos`
    const requestLogo = (name: string) => app.inject(`/logos/${accountId}/${name}`)
    const first = await requestLogo(hash)
    t.match(first.headers, { 'cache-control': /immutable/ })
    // The stored bytes are no longer a picture with this hash, so only a cached copy can be served.
    await sql`update logos set image = '\\x00'`
    t.same((await requestLogo(hash)).rawPayload, first.rawPayload)
    t.match((await requestLogo('0'.repeat(32))).headers, { location: `/logos/${accountId}/${hash}` })
    await sql`delete from logos`
    t.equal((await requestLogo(hash)).statusCode, 404)
  },
)
