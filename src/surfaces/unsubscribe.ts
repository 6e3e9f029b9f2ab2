/**
 * What a link in an e-mail leads to whose reader wants no more of them: a page that asks, and a POST, from there or
 * straight from a mail program (RFC 8058), that does it. A GET changes nothing: mail scanners follow every link.
 */
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { optOut, readUnsubscribeToken } from '../emails/service.ts'
import { html, sendPage } from '../pages.ts'
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
    return read(request.params.token) ? sendPage(reply, 200, 'Unsubscribe', question) : sendUnknown(reply)
  })

  app.post<{ Params: { token: string } }>('/email/unsubscribe/:token', options, async (request, reply) => {
    const address = read(request.params.token)
    if (!address) return sendUnknown(reply)
    await optOut(sql, address)
    return sendPage(reply, 200, 'Done', html`<p>You will get no more of these e-mails.</p>`)
  })
}

const question = html`<p>You will get no more of these e-mails. Those about your bookings to come are still sent.</p>
<form method="post"><button>Unsubscribe</button></form>`

function sendUnknown(reply: FastifyReply): FastifyReply {
  const body = html`<p>Please use the link as it stands in your e-mail.</p>`
  return sendPage(reply, 404, 'This link is not valid', body)
}
