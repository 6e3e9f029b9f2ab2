/** Webhook endpoints in words: state, owner and events. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { retryDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { badge } from '../frame/layout.ts'

/** All types of events, by family. */
const families: Readonly<Record<string, string>> = {
  'booking.*': 'Bookings: made, confirmed, changed, cancelled, checked in',
  'availability.*': 'Availability: the free places, times or prices of a day have changed',
  'product.*': 'Products: made or changed',
  'timeslot.*': 'Timeslots: made, changed, closed, opened again',
  'basket.*': 'Sales: opened, paid, cancelled, expired',
  'waitlist.*': 'Waitlists: who joins, is offered places, takes them or leaves',
  'payment.*': 'Payments: what is paid, and what the payment provider tells',
  'refund.*': 'Refunds: due and done',
  'promotion.*': 'Promotions: made, changed, ended',
  'partner-terms.*': 'Terms of partners: changed',
  'closure.*': 'Closures: made',
  'email.*': 'E-mails: sent',
  'till.*': 'Tills: opened, closed',
  'payment-settings.*': 'Settings of payments: changed',
  'business-details.*': 'Business details: changed',
  'calendar-feed.*': 'Calendar links: made, revoked',
  'usage.*': 'Usage: a threshold was crossed',
}

/** Families in the order in which people look for them. */
export function inOrderOfUse(types: readonly string[]): string[] {
  const place = (type: string) => ['*', ...Object.keys(families), type].indexOf(type)
  return [...types].sort((one, other) => place(one) - place(other))
}

/** The name of a family of events, of all events, or of a type. */
export function eventWords(type: string): string {
  return type === '*' ? 'Everything, also what is added later' : (families[type] ?? type)
}

/** A shorter name for lists. */
export function shortEventWords(type: string): string {
  return type === '*' ? 'Everything' : (families[type]?.split(':', 1)[0] ?? type)
}

export const bodyWords = {
  thin: 'What happened, and to what',
  full: 'Also how that is now',
  octo: 'As OCTO has it',
} as const

export function ownerWords({ Partner }: EndpointView): string {
  if (Partner === null) return 'The account'
  return Partner.Name ?? 'Keys without a partner'
}

/** An address without its query, which may have a secret of the receiver. */
export function shortUrl({ URL }: EndpointView): string {
  return URL.replace(/^https:\/\//, '').replace(/\?.*$/, '?…')
}

/** The state of an endpoint, as a badge and a sentence. */
export function endpointStatus(endpoint: EndpointView, t: Texts, timeZone: string): Markup {
  const at = (instant: string) => t.moment(instant, timeZone)
  const { Status, PauseReason, PausedAt, FailingSince, LastDeliveredAt } = endpoint
  if (Status === 'paused') {
    const why = pauseWords[PauseReason ?? 'by-hand']
    return html`${badge('paused', PauseReason === 'by-hand' ? 'warn' : 'bad')} Since ${at(PausedAt!)}: ${why}`
  }
  if (FailingSince !== null)
    return html`${badge('failing', 'warn')} No try has succeeded since ${at(FailingSince)}`
  const last = LastDeliveredAt === null ? 'Nothing was delivered yet' : `Last delivery ${at(LastDeliveredAt)}`
  return html`${badge('delivering', 'good')} ${last}`
}

const pauseWords = {
  'by-hand': 'paused by hand',
  gone: 'it answered that it is gone (410)',
  failing: `no delivery arrived for ${retryDays} days`,
} as const

/** How many deliveries and unread events wait for an endpoint. */
export function waitingWords({ Unfinished, Position, LogEnd }: EndpointView, { number }: Texts): string {
  const behind = LogEnd - Position
  const deliveries = `${number(Unfinished)} ${Unfinished === 1 ? 'delivery' : 'deliveries'}`
  if (behind === 0) return Unfinished === 0 ? 'Nothing' : deliveries
  return `${deliveries}, and ${number(behind)} ${behind === 1 ? 'event' : 'events'} to look through`
}
