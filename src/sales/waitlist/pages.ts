/**
 * What a customer sees who follows the link of an offer: what is offered, and two buttons. Looking changes
 * nothing, since mail programs look at links too.
 */
import type { FastifyReply } from 'fastify'
import { hoursText } from '../../catalogue/opening-hours.ts'
import { html, type Markup, sendPage } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { boughtView, unitsText } from '../booking/bought-view.ts'
import { readOffer } from './model.ts'
import { findEntry, leaveWaitlist, takeWaitlistOffer, type WaitlistEntryRow } from './service.ts'

const customer = { kind: 'customer' } as const
const actions = { take: takeWaitlistOffer, leave: leaveWaitlist } as const

export const offerPages: Routes<{ sql: Sql; secrets: readonly string[] }> = (app, { sql, secrets }) => {
  app.get<{ Params: { Token: string } }>(
    '/waitlist/:Token',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const link = readOffer(secrets, params.Token)
      const entry = link && (await findEntry(sql, link.accountId, link.entryId))
      if (!entry) return sendInvalid(reply)
      return sendPage(reply, 200, entry.productName, offer(entry, params.Token))
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

function offer(entry: WaitlistEntryRow, token: string): Markup {
  const { Units, Total } = boughtView(entry)
  const who = entry.units
    ? unitsText(Units)
    : `${entry.participants} ${entry.participants === 1 ? 'place' : 'places'}`
  const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: Total.Currency })
  const when = entry.openingHours ? `, open ${hoursText(entry.openingHours)}` : ` at ${entry.time}`
  const party = html`<p>${longDate(entry.date)}${when}, ${who}, ${money.format(Total.Amount as `${number}`)} in all.
Your reference is <strong>${entry.reference}</strong>.</p>`
  return html`${party}
${standing(entry, token)}`
}

function standing({ status, bookingStatus, offerUntil, timeZone }: WaitlistEntryRow, token: string): Markup {
  if (status === 'waiting')
    return html`<p>You are on the waitlist. We will write to you when places become free.</p>`
  if (status === 'taken' && bookingStatus === 'confirmed') return html`<p>Your places are booked.</p>`
  if (status === 'taken' && bookingStatus === 'held')
    return html`<p>The places are held for you. They are booked as soon as they are paid for.</p>`
  if (status === 'left') return html`<p>You have left the waitlist.</p>`
  if (!offerUntil) return html`<p>This offer is over.</p>`
  const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return html`<p>The places are yours if you take them by ${until.format(offerUntil)}.</p>
<form method="post" action="/waitlist/${token}/take"><button>Take the places</button></form>
<form method="post" action="/waitlist/${token}/leave"><button>Leave the waitlist</button></form>`
}
