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
import { toMoney } from '../../platform/text/money.ts'
import { readBasket } from '../basket/views.ts'
import { readLedger } from '../ledger/service.ts'
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
      const { accountId, basketId } = entry
      const [basket, settings, ledgers] = await Promise.all([
        readBasket(sql, accountId, basketId),
        findSettings(sql, accountId),
        readLedger(sql, accountId, [basketId]),
      ])
      const ledger = ledgers.get(basketId)
      const owed = ledger && ledger.balance > 0n ? toMoney(ledger.balance, ledger.currency) : null
      const shown = { entry, basket, owed, settings, token, publicUrl }
      return sendPage(reply, 200, entry.productName, offerView(shown))
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
