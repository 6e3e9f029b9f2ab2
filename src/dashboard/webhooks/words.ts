/** Webhook endpoints in words: how each stands, whose it is, and what it gets. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { retryDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import type { Formats } from '../frame/formats.ts'
import { badge } from '../frame/layout.ts'

/** What there is to choose from, family by family. */
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

/** What a page calls a family of events, all of them, or a type. */
export function eventWords(type: string): string {
  return type === '*' ? 'Everything, also what is added later' : (families[type] ?? type)
}

/** The same in a list, where there is less room. */
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

/** An address without what stands behind its question mark, which may be a secret of the receiver. */
export function shortUrl({ URL }: EndpointView): string {
  return URL.replace(/^https:\/\//, '').replace(/\?.*$/, '?…')
}

/** How an endpoint stands, as a badge and a sentence. */
export function endpointStatus(endpoint: EndpointView, formats: Formats, timeZone: string): Markup {
  const at = (instant: string) => formats.instant(instant, timeZone)
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

/** How much waits for an endpoint: deliveries, and events that were not looked at yet. */
export function waitingWords({ Unfinished, Position, LogEnd }: EndpointView, { number }: Formats): string {
  const behind = LogEnd - Position
  const deliveries = `${number(Unfinished)} ${Unfinished === 1 ? 'delivery' : 'deliveries'}`
  if (behind === 0) return Unfinished === 0 ? 'Nothing' : deliveries
  return `${deliveries}, and ${number(behind)} ${behind === 1 ? 'event' : 'events'} to look through`
}
