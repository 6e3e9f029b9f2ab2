/**
 * The page behind the link of an offer: the questions before the payment, and the buttons to take or leave the offer.
 * Opening the page changes nothing, because mail programs open links too.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { translateFaults } from '../../http/translated-faults.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { toMoney } from '../../platform/text/money.ts'
import { readDescribedBasket } from '../basket/description.ts'
import type { BasketView } from '../basket/schemas.ts'
import type { LineAnswer } from '../booking/answer-fields.ts'
import { answersSchema } from '../booking/schemas.ts'
import { readerOf, sendCustomerPage, sendInvalidLink } from '../business-details/customer-page.ts'
import { findSeller } from '../business-details/service.ts'
import { listUnused } from '../ledger/refund-list-queries.ts'
import { refundEntryView } from '../ledger/refund-views.ts'
import { refundSentences, unusedSentences } from '../ledger/refund-words.ts'
import { readLedger } from '../ledger/service.ts'
import { findSettings } from '../payment-settings/service.ts'
import { offerIn } from './in-language.ts'
import { readOffer } from './model.ts'
import * as form from './offer-form.ts'
import { findEntry, leaveWaitlist, takeOwnOffer } from './service.ts'
import { offerView } from './views.ts'

type OfferPageOptions = { sql: Sql; secrets: readonly string[]; publicUrl: string }
type Params = { Params: { Token: string } }

const customer = { kind: 'customer' } as const
/** The maximum size of a form in bytes. Answers may be long. */
const formBytes = 256 * 1024

export const offerPages: Routes<OfferPageOptions> = (app, { sql, secrets, publicUrl }) => {
  app.get<Params>('/waitlist/:Token', { schema: { hide: true } }, (request, reply) =>
    sendOffer(request, reply, null),
  )

  app.post<Params>(
    '/waitlist/:Token/take',
    {
      schema: { hide: true, body: Type.Object({ Answers: answersSchema }) },
      attachValidation: true,
      preValidation: form.takeOfferAnswers,
      bodyLimit: formBytes,
    },
    async (request, reply) => {
      const link = readOffer(secrets, request.params.Token)
      // Not a redirect: an unsigned token may contain characters that are not allowed in a header.
      if (!link) return sendInvalidLink(request, reply)
      const { accountId, entryId: id } = link
      const answers = form.sentAnswers(request)
      try {
        form.checkOfferAnswers(request)
        await act((tx) => takeOwnOffer(tx, accountId, customer, { id, answers }))
      } catch (error) {
        return sendOffer(request, reply, { error, answers })
      }
      return reply.redirect(addressOf(request), 303)
    },
  )

  app.post<Params>('/waitlist/:Token/leave', { schema: { hide: true } }, async (request, reply) => {
    const link = readOffer(secrets, request.params.Token)
    if (!link) return sendInvalidLink(request, reply)
    await act((tx) => leaveWaitlist(tx, link.accountId, customer, link.entryId))
    return reply.redirect(addressOf(request), 303)
  })

  /** Ignores problems other than `validation`: the page that follows shows what happened to an offer that is over. */
  async function act(work: (tx: Transaction) => Promise<unknown>): Promise<void> {
    await runAgain(sql, work).catch((error) => {
      if (!(error instanceof Problem) || error.slug === 'validation') throw error
    })
  }

  async function sendOffer(request: FastifyRequest<Params>, reply: FastifyReply, failed: FailedForm | null) {
    const { Token: token } = request.params
    const link = readOffer(secrets, token)
    const found = link && (await findEntry(sql, link.accountId, link.entryId))
    if (!found) return sendInvalidLink(request, reply)
    const { accountId, basketId } = found
    const [{ basket, lines: own }, { paymentPage }, seller, ledgers] = await Promise.all([
      readDescribedBasket(sql, accountId, basketId),
      findSettings(sql, accountId),
      findSeller(sql, accountId),
      readLedger(sql, accountId, [basketId]),
    ])
    const reader = readerOf(request, seller.locale)
    const { entry, lines } = await offerIn(sql, seller.productLanguage, reader.t, {
      entry: found,
      lines: own,
    })
    const ledger = ledgers.get(basketId)
    const owed = ledger && ledger.balance > 0n ? toMoney(ledger.balance, ledger.currency) : null
    const refused = failed && form.refusedOffer(reader.t, failed.error, failed.answers)
    const path = `/waitlist/${token}`
    const unused = hasUnusedPayment(basket.Status) ? await listUnused(sql, accountId, basketId) : []
    const to = { t: reader.t, seller }
    const moneyBack = {
      unused: unusedSentences(to, unused.map(refundEntryView)),
      refunds: ledger ? refundSentences(to, ledger, ledger.refunds) : [],
    }
    const shown = {
      reader,
      entry,
      basket,
      lines,
      owed,
      moneyBack,
      paymentPage,
      seller,
      path,
      publicUrl,
      refused,
    }
    return sendCustomerPage(reply, {
      ...{ status: refused ? 422 : 200, title: entry.productName },
      ...{ body: translateFaults(reader.t, offerView(shown)), reader, seller, path },
    })
  }
}

function hasUnusedPayment(status: BasketView['Status']): boolean {
  return status === 'refund-due' || status === 'refunded'
}

/** The error of a refused form, and its answers. */
type FailedForm = { error: unknown; answers: LineAnswer[] | null }

/** The page of the offer whose form was sent, in the language that its reader chose. */
function addressOf(request: FastifyRequest<Params>): string {
  return `/waitlist/${request.params.Token}${readerOf(request, null).query}`
}
