/**
 * The page behind an unsubscribe link. It asks; a POST from there, or directly from a mail program (RFC
 * 8058), unsubscribes. A GET changes nothing, because mail scanners follow every link.
 */
import { html, sendPage } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { readOptOut } from './links.ts'
import { optOut } from './service.ts'

export const unsubscribePages: Routes<{ sql: Sql; secrets: readonly string[] }> = (app, { sql, secrets }) => {
  const path = '/email/unsubscribe/:Token'
  const options = { schema: { hide: true } }

  app.get<{ Params: { Token: string } }>(path, options, async ({ params }, reply) => {
    if (!readOptOut(secrets, params.Token)) return sendPage(reply, 404, ...unknown)
    return sendPage(
      reply,
      200,
      'Unsubscribe',
      html`<p>Do you want to unsubscribe from e-mails of this kind? You will still get those about your coming bookings.</p>
<form method="post"><button>Unsubscribe</button></form>`,
    )
  })

  app.post<{ Params: { Token: string } }>(path, options, async ({ params }, reply) => {
    const address = readOptOut(secrets, params.Token)
    if (!address) return sendPage(reply, 404, ...unknown)
    await optOut(sql, address)
    return sendPage(reply, 200, 'Done', html`<p>You will get no more of these e-mails.</p>`)
  })
}

const unknown = [
  'This link is not valid',
  html`<p>Please use the complete link from your e-mail.</p>`,
] as const
