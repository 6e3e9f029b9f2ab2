/**
 * The page that a customer opens by the link of an offer, and its two buttons. Looking changes nothing, since mail
 * programs look at links too.
 */
import type { FastifyReply } from 'fastify'
import { html, sendPage } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { readBasket } from '../basket/views.ts'
import { findSettings } from '../payment-settings/service.ts'
import { readOffer } from './model.ts'
import { findEntry, leaveWaitlist, takeOwnOffer } from './service.ts'
import { offerView } from './views.ts'

type OfferPageOptions = { sql: Sql; secrets: readonly string[]; publicUrl: string }

const customer = { kind: 'customer' } as const
const actions = { take: takeOwnOffer, leave: leaveWaitlist } as const

export const offerPages: Routes<OfferPageOptions> = (app, { sql, secrets, publicUrl }) => {
  app.get<{ Params: { Token: string } }>(
    '/waitlist/:Token',
    { schema: { hide: true } },
    async ({ params: { Token: token } }, reply) => {
      const link = readOffer(secrets, token)
      const entry = link && (await findEntry(sql, link.accountId, link.entryId))
      if (!entry) return sendInvalid(reply)
      const [basket, settings] = await Promise.all([
        readBasket(sql, entry.accountId, entry.basketId),
        findSettings(sql, entry.accountId),
      ])
      return sendPage(reply, 200, entry.productName, offerView({ entry, basket, settings, token, publicUrl }))
    },
  )

  for (const [action, act] of Object.entries(actions)) {
    app.post<{ Params: { Token: string } }>(
      `/waitlist/:Token/${action}`,
      { schema: { hide: true } },
      async ({ params }, reply) => {
        const link = readOffer(secrets, params.Token)
        // A token that nobody signed may hold anything, also what no header can.
        if (!link) return sendInvalid(reply)
        // The page itself says what an offer that is over came to.
        await runAgain(sql, (tx) => act(tx, link.accountId, customer, link.entryId)).catch((error) => {
          if (!(error instanceof Problem)) throw error
        })
        return reply.redirect(`/waitlist/${params.Token}`, 303)
      },
    )
  }
}

function sendInvalid(reply: FastifyReply): FastifyReply {
  const body = html`<p>Please use the link as it stands in your e-mail.</p>`
  return sendPage(reply, 404, 'This link is not valid', body)
}
