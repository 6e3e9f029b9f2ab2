/** TLS by default, headers and HTML that user input cannot break, and the waits between tries. */
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import t from 'tap'
import { emailHtml } from '../../../src/messaging/emails/look.ts'
import { type EmailMessage, secondsUntilRetry, toHeader } from '../../../src/messaging/emails/model.ts'
import { openTransports, readSmtpUrl } from '../../../src/messaging/emails/transport.ts'
import { startSmtp } from './smtp.ts'

const look = { name: 'quay', logoUrl: null, colour: null, locale: 'en-GB' } as const
const message: EmailMessage = {
  id: '0b2f6a1e-5a53-4a0e-9a53-3f4f6d1c2b7a',
  from: { name: 'Quay', address: 'quay@booking.test' },
  to: { name: 'Ada', address: 'ada@example.com' },
  subject: 'Hello',
  text: 'Hello\n',
  html: emailHtml(look, { subject: 'Hello', text: 'Hello\n' }),
  unsubscribeUrl: null,
}

function send(url: string, changes: Partial<EmailMessage> = {}) {
  const transport = openTransports({ SMTP_URL: url, DATA_DIR: 'none' }, 1).of(1)
  return transport
    .send({ ...message, ...changes }, AbortSignal.timeout(60_000))
    .finally(() => transport.close())
}

t.test('TLS is required for a mail server on another machine; the URL can say otherwise', async (t) => {
  t.match(readSmtpUrl('smtp://mail.example'), {
    port: 587,
    secure: false,
    requireTLS: true,
    ignoreTLS: false,
  })
  t.match(readSmtpUrl('smtps://mail.example'), { port: 465, secure: true })
  t.match(readSmtpUrl('smtp://mail.example:2525?tls=none'), {
    port: 2525,
    requireTLS: false,
    ignoreTLS: true,
  })
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    t.match(readSmtpUrl(`smtp://${host}`), { requireTLS: false })
  t.match(readSmtpUrl('smtp://127.0.0.1?tls=required'), { requireTLS: true })
  for (const host of ['localhost.example.com', '127.0.0.1.example.com', '127.example.com'])
    t.match(readSmtpUrl(`smtp://${host}`), { requireTLS: true })
  t.same(readSmtpUrl('smtps://us%40er:p%2Fw@mail.example').auth, { user: 'us@er', pass: 'p/w' })
})

t.test('a server without STARTTLS is refused where TLS is required, and nothing is sent', async (t) => {
  const smtp = await startSmtp(t)
  await t.rejects(send(`${smtp.url}?tls=required`), { code: 'ETLS' })
  t.same(smtp.received, [])
})

t.test('an untrusted certificate is refused, with TLS from the start and with STARTTLS', async (t) => {
  // The server has a self-signed certificate.
  const byStartTls = await startSmtp(t, { options: { disabledCommands: [] } })
  await t.rejects(send(`${byStartTls.url}?tls=required`), /certificate/)
  const fromTheStart = await startSmtp(t, { scheme: 'smtps', options: { secure: true } })
  await t.rejects(send(fromTheStart.url), /certificate/)
  t.same([...byStartTls.received, ...fromTheStart.received], [])
})

t.test('the service signs in to the mail server with the user and password of the SMTP URL', async (t) => {
  const smtp = await startSmtp(t, {
    options: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'p/w' ? done(null, { user: username }) : done(new Error('wrong')),
    },
  })
  await send(smtp.url.replace('//', '//quay:p%2Fw@'))
  t.match(smtp.received, [{ user: 'quay' }])
  await t.rejects(send(smtp.url.replace('//', '//quay:wrong@')), { code: 'EAUTH' })
})

const headerNames = [
  'to',
  'from',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'auto-submitted',
]

t.test('a name or a subject cannot add a header, a recipient or a line to an e-mail', async (t) => {
  const smtp = await startSmtp(t)
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc
      .array(
        fc.constantFrom(
          '\r',
          '\n',
          '\r\n',
          '\u2028',
          '\u0085',
          'Bcc: x@evil.test',
          ': ',
          '<',
          '>',
          ',',
          '"',
          ';',
        ),
      )
      .map((parts) => parts.join('')),
    fc.constantFrom('A\r\nBcc: eve@evil.test', 'x <eve@evil.test>, y', '"', '\\', '=?utf-8?q?=0D=0ABcc:_x?='),
  )
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, async (from, to, subject) => {
      smtp.received.length = 0
      await send(smtp.url, {
        from: { name: toHeader(from), address: 'quay@booking.test' },
        to: { name: toHeader(to), address: 'ada@example.com' },
        subject: toHeader(`About ${subject}`),
      })
      const [{ mail, to: recipients }] = smtp.received as [(typeof smtp.received)[number]]
      t.equal(recipients, 'ada@example.com')
      t.equal(mail.from?.address, 'quay@booking.test')
      t.same(
        mail.to?.map(({ address }) => address),
        ['ada@example.com'],
      )
      t.same(new Set(mail.headers.map(({ key }) => key)), new Set(headerNames))
      t.equal(mail.text?.trim(), 'Hello')
    }),
    { numRuns: 60 },
  )
})

t.test('subjects and names in any language arrive unchanged', async (t) => {
  const smtp = await startSmtp(t)
  const text = 'Passeio ao pôr do sol: 海辺のカヤック, “two” & <more> 🛶'
  await send(smtp.url, { subject: text, to: { name: 'Zoë “Z” O’Neil, Jr.', address: 'z@example.com' }, text })
  t.match(smtp.received[0]!.mail, { subject: text, to: [{ name: 'Zoë “Z” O’Neil, Jr.' }], text: `${text}\n` })
})

t.test('the HTML part has the same text, with all markup escaped', async (t) => {
  const piece = fc.constantFrom(
    '<script>',
    '</body>',
    '&amp;',
    '"',
    "'",
    'https://a.example/?q=<x>&b="y"',
    'http://b.example.',
    'javascript:alert(1)',
    ' ',
    '\n',
  )
  const texts = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const html = emailHtml(look, { subject: 'x', text })
      const body =
        /<td style="padding:8px 24px;word-break:break-word">\n(.*)\n<\/td><\/tr>\n<\/table>\n/s.exec(
          html,
        )![1]!
      const tags = body.match(/<[^>]*>/g) ?? []
      const allowed =
        /^(<br>|<\/?p>|<p style="[\w: ]+">|<\/a>|<a href="https?:\/\/[^"<>]*" style="color:#\w{6}">)$/
      for (const tag of tags) t.match(tag, allowed)
      const paragraphs = body.replace(/<\/p>\n<p /g, '</p>\n\n<p ')
      const shown = paragraphs.replace(/<br>\n/g, '\n').replace(/<[^>]*>/g, '')
      t.equal(unescaped(shown), text.trimEnd())
    }),
  )
})

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)
}

t.test(
  'a header value is one line of at most 255 characters, and a long subject arrives unchanged',
  async (t) => {
    t.equal(toHeader(' a\r\n b\0\tc\u2029 '), 'a b c')
    t.equal([...toHeader('🛶'.repeat(400))].length, 255)
    const smtp = await startSmtp(t)
    await send(smtp.url, { subject: 'word '.repeat(50).trim() })
    const again = await PostalMime.parse(smtp.received[0]!.raw)
    t.equal(again.subject, 'word '.repeat(50).trim())
  },
)

t.test('the waits between tries grow and vary, and there are at most ten tries', async (t) => {
  t.ok(secondsUntilRetry(1, 0)! >= 20)
  for (let tries = 1; tries < 9; tries++)
    t.ok(secondsUntilRetry(tries, 1)! < secondsUntilRetry(tries + 1, 0)! * 1.01)
  t.not(secondsUntilRetry(3, 0.1), secondsUntilRetry(3, 0.9))
  t.equal(secondsUntilRetry(10), null)
})
