/**
 * The page behind an unsubscribe link, with a button to confirm. A POST, by the button or directly by a mail program
 * (RFC 8058), unsubscribes. A GET changes nothing, because mail scanners follow every link.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { readerOf, sendCustomerPage, sendInvalidLink } from '../../sales/business-details/customer-page.ts'
import { findSeller } from '../../sales/business-details/service.ts'
import { readOptOut } from './links.ts'
import { optOut } from './service.ts'

type OptOutRequest = FastifyRequest<{ Params: { Token: string } }>

export const unsubscribePages: Routes<{ sql: Sql; secrets: readonly string[] }> = (app, { sql, secrets }) => {
  const path = '/email/unsubscribe/:Token'
  const options = { schema: { hide: true } }

  app.get(path, options, async (request: OptOutRequest, reply) => {
    const address = readOptOut(secrets, request.params.Token)
    if (!address) return sendInvalidLink(request, reply)
    return send(request, reply, address.accountId, asking)
  })

  app.post(path, options, async (request: OptOutRequest, reply) => {
    const address = readOptOut(secrets, request.params.Token)
    if (!address) return sendInvalidLink(request, reply)
    await optOut(sql, address)
    return send(request, reply, address.accountId, done)
  })

  async function send(
    request: OptOutRequest,
    reply: FastifyReply,
    accountId: number,
    write: (t: Texts) => { title: string; body: Markup },
  ): Promise<FastifyReply> {
    const seller = await findSeller(sql, accountId)
    const reader = readerOf(request, seller.locale)
    const address = `/email/unsubscribe/${request.params.Token}`
    return sendCustomerPage(reply, { ...write(reader.t), reader, seller, path: address })
  }
}

/**
 * The form has no `action`, so it posts to the URL of the page, which contains the language that the customer chose.
 */
function asking(t: Texts) {
  const title = t.say('unsubscribe.title')
  const body = html`<p>${t.say('unsubscribe.ask')}</p>
<form method="post"><button>${title}</button></form>`
  return { title, body }
}

function done(t: Texts) {
  return { title: t.say('unsubscribe.done.title'), body: html`<p>${t.say('unsubscribe.done')}</p>` }
}
