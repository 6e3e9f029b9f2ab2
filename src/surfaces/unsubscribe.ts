/**
 * What a link in an e-mail leads to whose reader wants no more of them: a page that asks, and a POST, from there or
 * straight from a mail program (RFC 8058), that does it. A GET changes nothing: mail scanners follow every link.
 */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { optOut, readUnsubscribeToken } from '../emails/service.ts'
import { problems } from '../problems.ts'
import type { Services } from '../services.ts'

export const unsubscribeSurface: FastifyPluginAsync<{ services: Services }> = async (
  app,
  { services: { sql, config } },
) => {
  // Whatever form the request has, the address alone says what is meant.
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, _body, done) => {
    done(null, {})
  })
  const read = (token: string) => {
    if (!config.SECRET_KEY) throw problems.unavailable('This process has no SECRET_KEY to check links with.')
    return readUnsubscribeToken(config.SECRET_KEY, token)
  }
  const options = { schema: { hide: true } }

  app.get<{ Params: { token: string } }>('/email/unsubscribe/:token', options, async (request, reply) => {
    return send(reply, read(request.params.token) ? pages.ask : pages.unknown)
  })

  app.post<{ Params: { token: string } }>('/email/unsubscribe/:token', options, async (request, reply) => {
    const address = read(request.params.token)
    if (!address) return send(reply, pages.unknown)
    await optOut(sql, address)
    return send(reply, pages.done)
  })
}

type Page = { status: number; title: string; content: string }

const pages: Record<'ask' | 'done' | 'unknown', Page> = {
  ask: {
    status: 200,
    title: 'Unsubscribe',
    content:
      '<p>You will get no more of these e-mails. Those about your bookings to come are still sent.</p><form method="post"><button>Unsubscribe</button></form>',
  },
  done: { status: 200, title: 'Done', content: '<p>You will get no more of these e-mails.</p>' },
  unknown: {
    status: 404,
    title: 'Unknown link',
    content: '<p>This link is not complete. Please open it from the e-mail again.</p>',
  },
}

function send(reply: FastifyReply, { status, title, content }: Page): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1rem }
</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`)
}
