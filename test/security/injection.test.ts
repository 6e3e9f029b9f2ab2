/** User input stays text wherever the service uses it: in a page, a file, an e-mail, a header, a query. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import PostalMime from 'postal-mime'
import t from 'tap'
import { projectPath } from '../../src/platform/project/paths.ts'
import { renderLiquid } from '../../src/platform/text/liquid.ts'
import { updateTotals } from '../../src/reports/sales/totals/counting.ts'
import { ticketsUrl } from '../../src/sales/ticket/links.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import { makeFolder } from '../command-line.ts'
import { makeWorld, secretKey } from '../dashboard/world.ts'
import { bookingBody, bookingPath } from '../helper.ts'
import { makeEmails, makeSending } from '../messaging/emails/fixtures.ts'
import { listRoutes } from '../routes.ts'

const world = await makeWorld(t)
const { app, sql, accountId, ids, activityId, owner, call, partner } = world

/** Writes `mark` into many texts of the account that users or callers can set. */
async function writeEverywhere(mark: string): Promise<void> {
  await sql`update accounts set name = ${mark} where account_id = ${accountId}`
  await sql`update partners set name = ${`${mark}partner`}`
  await sql`update products set name = ${`${mark}product`}, description = ${mark}`
  await sql`
    insert into product_translations (account_id, product_id, language, name, description, words)
    values (${accountId}, ${ids.ProductID}, 'pt', ${mark}, ${mark}, ${sql.json({ [mark]: mark })})
    on conflict (account_id, product_id, language)
      do update set name = excluded.name, description = excluded.description, words = excluded.words`
  await sql`
    insert into business_details (account_id, legal_name, address_lines, tax_number, phone, email)
    values (${accountId}, ${`${mark}business`}, ${[mark]}, left(${mark}, 50), left(${mark}, 50), ${mark})
    on conflict (account_id) do update set legal_name = excluded.legal_name, address_lines = excluded.address_lines,
      tax_number = excluded.tax_number, phone = excluded.phone, email = excluded.email`
  await sql`
    insert into booking_notes (account_id, booking_id, note, actor) select account_id, id, ${mark}, 'user' from bookings
    on conflict (account_id, booking_id) do update set note = excluded.note`
  await sql`update tickets set first_name = ${mark}, last_name = ${mark}, email = ${mark}, phone = ${mark}`
  await sql`update questions set label = ${mark}, type = 'select', options = ${[mark]}`
  await sql`update bookings set first_name = ${mark}, last_name = ${mark}, phone = ${mark}, email = ${mark},
    cancel_reason = case when status = 'cancelled' then cancel_reason end,
    payment_reference = ${mark}, answers = ${sql.json([{ QuestionID: ids.QuestionID, Value: mark }])}`
  await sql`update workflows set name = ${mark}, subject = ${mark}, body = ${mark}`
  await sql`update emails set reason = ${mark}, details = ${sql.json({ To: mark })}`
  await sql`update meter_entries set meter = ${mark}, extra_info = ${mark}`
  await sql`update meter_daily set meter = ${mark}`
  await sql`insert into usage_rejects (account_id, id, entry, reason) values (${accountId}, 9, ${mark}, ${mark})
    on conflict do nothing`
}

/** The addresses of pages and files of the dashboard, without sign-in, queues and assets, with ids of this account. */
function listPages(): string[] {
  return listRoutes(app)
    .filter(({ path, methods }) => /^\/dashboard\//.test(path) && methods.includes('GET'))
    .map(({ path }) => path)
    .filter((path) => !/^\/dashboard\/(queues|live|sign|assets)/.test(path))
    .map((path) => path.replace(/:(\w+)/g, (_, name) => String(ids[name as keyof typeof ids] ?? 'some')))
}

t.test('no page treats user input as script or markup', async (t) => {
  const mark = '"><img src=x onerror=alert(1)>\'</title></script>'
  await writeEverywhere(mark)
  const entry = '?from=2026-11-01&to=2026-11-30'
  const link = new URL(offerUrl('http://booking.test', secretKey, { accountId, entryId: ids.WaitlistID }))
    .pathname
  const about = { accountId, reference: ids.BookingReference }
  const tickets = new URL(ticketsUrl('http://booking.test', secretKey, about)).pathname
  const pages = [
    ...listPages(),
    `/dashboard/usage/entries${entry}`,
    '/dashboard/today?Date=2030-06-15',
    link,
    tickets,
    `${tickets}/receipt`,
  ]
  let shown = 0
  for (const url of pages) {
    const { body, headers } = await owner.get(url)
    if (!String(headers['content-type']).startsWith('text/html')) continue
    t.notOk(body.includes('<img src=x'), url)
    if (body.includes('&#60;img src=x')) shown++
    t.notOk(
      /script-src[^;]*unsafe/.test(String(headers['content-security-policy'])),
      `${url} allows no inline script`,
    )
  }
  t.ok(shown > 60, `${shown} of ${pages.length} pages show it as text`)
})

t.test('parameters of an address stay text in its page', async (t) => {
  const hostile = encodeURIComponent('"><img src=x onerror=alert(1)>')
  for (const url of [
    `/dashboard/sign-in?account=${hostile}&next=${hostile}`,
    `/dashboard/bookings?Text=${hostile}&Status=${hostile}`,
    `/dashboard/usage?from=${hostile}&meter=${hostile}`,
    `/dashboard/today?Date=${hostile}`,
    `/dashboard/${hostile}`,
    `/waitlist/${hostile}`,
    `/problems/${hostile}`,
  ]) {
    const { body, headers } = await app.inject({
      url,
      headers: url.includes('sign-in') ? {} : { cookie: owner.cookie },
    })
    const isPage = String(headers['content-type']).startsWith('text/html')
    t.notOk(isPage && body.includes('<img src=x'), url)
  }
})

t.test('no cell of any file begins a formula', async (t) => {
  const files = [
    'bookings.csv',
    'usage/days.csv?from=2026-11-01&to=2026-11-30',
    'usage/entries.csv?from=2026-11-01&to=2026-11-30',
    'reports/groups.csv?From=2030-06-01&To=2030-06-30&Basis=travel&Group=product',
    'reports/partners.csv?From=2030-06-01&To=2030-06-30',
    'reports/partners/:PartnerID/statement.csv?Month=2030-06',
  ]
  const found = listRoutes(app).filter(({ path }) => path.endsWith('.csv'))
  // A file with only dates and numbers.
  const withoutText = '/dashboard/reports/periods.csv'
  const named = files.map((file) => `/dashboard/${file.split('?')[0]}`)
  t.same(found.map(({ path }) => path).sort(), [...named, withoutText].sort())
  await updateTotals(sql)
  for (const mark of ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '|calc', '＝1']) {
    await writeEverywhere(mark)
    for (const file of files) {
      const { body, statusCode } = await owner.get(
        `/dashboard/${file.replace(':PartnerID', String(ids.PartnerID))}`,
      )
      t.equal(statusCode, 200)
      t.match(body, mark.trim(), `${file} contains the text`)
      const cells = body
        .slice(1)
        .split(/,|\r\n/)
        .map((cell) => cell.replace(/^"?\s*/, ''))
      t.notOk(
        cells.some((cell) => cell.startsWith(mark.trim())),
        `${file} with ${JSON.stringify(mark)}`,
      )
    }
  }
})

t.test('no name adds a header or a recipient to an e-mail', async (t) => {
  const folder = await makeFolder(t)
  const hostile = 'Ada\r\nBcc: victim@example.com\r\n\r\n<b>hi</b>, other@example.com;"'
  await writeEverywhere(hostile)
  await sql`update bookings set email = 'ada@example.com'`
  const [booking] = await sql<{ id: number }[]>`select id from bookings where status = 'confirmed' limit 1`
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: booking!.id }])
  await sql`delete from workflows where trigger = 'booking-confirmed'`
  await makeSending(sql, { DATA_DIR: folder, SECRET_KEY: secretKey })()
  const outbox = path.join(folder, 'outbox')
  const [file] = await readdir(outbox)
  const mail = await PostalMime.parse(await readFile(path.join(outbox, file!)))
  t.same(
    mail.to?.map(({ address }) => address),
    ['ada@example.com'],
  )
  t.equal(mail.from?.address, 'quay@booking.test')
  for (const name of ['bcc', 'cc', 'reply-to'])
    t.notOk(
      mail.headers.some(({ key }) => key === name),
      `no ${name}`,
    )
  t.notMatch(mail.html, '<b>hi</b>')
  t.match(mail.html, '&lt;b&gt;hi&lt;/b&gt;')
})

t.test('a name is not rendered as a template, and a template reaches no file and no prototype', async (t) => {
  const template = '{{ 7 | times: 7 }}{% include "x" %}'
  const workflow = { Name: 'W', Trigger: 'booking-confirmed', OffsetMinutes: 0, Subject: 'S', Active: false }
  const made = await call('POST', '/workflows', { ...workflow, Body: 'Dear {{ customer.first_name }}' })
  const Customer = { FirstName: template, LastName: 'L', Email: 'ada@example.com' }
  const payload = bookingBody(activityId, { Time: '16:00', Customer })
  await sql`update questions set required = false, type = 'text', options = '{}'`
  const booked = await app.inject({ method: 'POST', url: bookingPath, headers: partner.headers, payload })
  const { BookingReference } = booked.json().data
  const shown = await call('POST', `/workflows/${made.data.WorkflowID}/preview`, { BookingReference })
  t.equal(shown.data.Text.trim(), `Dear ${template}`)
  for (const Body of [
    '{% include "/etc/passwd" %}',
    '{% render "/etc/passwd" %}',
    '{% layout "/etc/passwd" %}',
    '{{ customer.constructor }}',
    '{{ customer.__proto__ }}',
    '{{ account.name.constructor.constructor }}',
    '{% for i in (1..1000000000) %}x{% endfor %}',
  ])
    t.equal(
      (await call('POST', '/workflows', { ...workflow, Name: Body.slice(0, 60), Body })).status,
      422,
      Body,
    )
  t.throws(() => renderLiquid('{{ a.b }}', { a: Object.create({ b: 1 }) }), 'nothing inherited is read')
})

t.test('signing in leads to the dashboard only', async (t) => {
  for (const next of [
    'https://evil.test/dashboard',
    '//evil.test',
    '/\\evil.test',
    '/dashboard//evil.test',
    '/dashboard@evil.test',
    '/dashboard\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    '/sign-in',
  ]) {
    const url = `/dashboard/sign-in?next=${encodeURIComponent(next)}`
    const { headers, statusCode } = await owner.get(url)
    t.equal(statusCode, 303)
    t.equal(headers.location, '/dashboard', JSON.stringify(next))
    t.notOk(headers['set-cookie'])
  }
  const answer = await owner.post('/dashboard/calendar/timeslots/new', {})
  t.match(answer.body, 'href="/dashboard', 'the page of the refused form links back into the dashboard')
})

t.test('text in a filter is neither SQL nor a wildcard', async (t) => {
  for (const text of ["' or 1=1 --", "'; drop table bookings; --", '%', '_', '\\', '$1']) {
    const { status, data } = await call('GET', `/bookings?Text=${encodeURIComponent(text)}`)
    t.equal(status, 200)
    t.same(
      data.filter(
        ({ Customer }: { Customer: { LastName: string } }) => !JSON.stringify(Customer).includes(text),
      ),
      [],
    )
  }
  t.ok((await sql`select from bookings`).length > 0)
})

t.test('no body changes object prototypes', async (t) => {
  const bodies = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']
  const routes = listRoutes(app).filter(
    ({ path, methods }) => path.startsWith('/api/') && methods.includes('POST'),
  )
  for (const { path: url } of routes) {
    for (const payload of bodies) {
      const headers = { ...world.headers, 'content-type': 'application/json' }
      t.ok((await app.inject({ method: 'POST', url, headers, payload })).statusCode < 500, url)
    }
  }
  const form = '__proto__[polluted]=1&__proto__.polluted=1&constructor.prototype.polluted=1'
  const headers = { cookie: owner.cookie, 'content-type': 'application/x-www-form-urlencoded' }
  await app.inject({ method: 'POST', url: '/dashboard/catalogue', headers, payload: form })
  t.notOk('polluted' in {})
})

t.test(
  'no SQL is built from text, and only the sender of webhooks calls addresses that users choose',
  async (t) => {
    const files = await sources()
    const using = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
    t.same(
      using(/\.unsafe\(/).sort(),
      ['src/platform/postgres/database.ts', 'src/platform/postgres/migrations.ts'],
      'only limits of transactions and migrations use text, and it contains no user input',
    )
    const asks = /(?<!callers\.|logoCache\.)\bfetch\(|\bhttps?\.(get|request)\(|from 'undici'/
    // The last two are for the terminal: one calls PUBLIC_URL or a URL from its command line, and one the web process
    // that it started.
    const sender = ['exchange.ts', 'sockets.ts', 'undici-client.d.ts'].map(
      (name) => `src/platform/outgoing/${name}`,
    )
    t.same(using(asks).sort(), [...sender, 'src/sales/payment/commands.ts', 'src/start/greeting.ts'])
    t.same(
      using(/disableUrlAccess: true/),
      ['src/messaging/emails/transport.ts'],
      'the library that makes e-mails loads no URLs',
    )
    t.same(
      using(/\beval\(|new Function\(|from 'node:vm'/),
      ['src/platform/async/time-limit.ts'],
      'its only script is a fixed call, which a timeout can end',
    )
  },
)

async function sources() {
  const names = await Promise.all(
    ['src', 'workers'].map(async (folder) => {
      const found = await readdir(projectPath(folder), { recursive: true })
      return found.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`)
    }),
  )
  const texts = names
    .flat()
    .sort()
    .map(async (name) => ({ name, text: await readFile(projectPath(name), 'utf8') }))
  return Promise.all(texts)
}
