/** Webhook endpoints in words: state, owner and events. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { retryDays } from '../../messaging/webhooks/deliveries/model.ts'
import type { EndpointView } from '../../messaging/webhooks/endpoints/schemas.ts'
import { badge } from '../frame/layout.ts'

/** The families of events, in the order in which people look for them. */
const families = [
  'booking',
  'availability',
  'product',
  'timeslot',
  'basket',
  'waitlist',
  'payment',
  'refund',
  'promotion',
  'partner-terms',
  'closure',
  'email',
  'till',
  'payment-settings',
  'business-details',
  'calendar-feed',
  'usage',
] as const
type Family = (typeof families)[number]

/** Sorts event types: `*` first, then families in the order of `families`, then single types. */
export function inOrderOfUse(types: readonly string[]): string[] {
  const place = (type: string) => ['*', ...families.map((family) => `${family}.*`), type].indexOf(type)
  return [...types].sort((one, other) => place(one) - place(other))
}

function familyOf(type: string): Family | undefined {
  return families.find((family) => type === `${family}.*`)
}

/** The name of a family of events, of all events, or of a type. */
export function eventWords(t: Texts, type: string): string {
  const family = familyOf(type)
  if (type === '*') return t.say('webhooks.events.everything')
  return family ? t.say(`webhooks.family.${family}`) : type
}

/** A shorter name for lists. */
export function shortEventWords(t: Texts, type: string): string {
  const family = familyOf(type)
  if (type === '*') return t.say('webhooks.events.everything.short')
  return family ? t.say(`webhooks.family-name.${family}`) : type
}

export function ownerWords(t: Texts, { Partner }: EndpointView): string {
  if (Partner === null) return t.say('webhooks.owner.account')
  return Partner.Name ?? t.say('webhooks.owner.no-partner')
}

/** An address without `https://` and without its query, which may contain a secret of the receiver. */
export function shortUrl({ URL }: EndpointView): string {
  return URL.replace(/^https:\/\//, '').replace(/\?.*$/, '?…')
}

/** The state of an endpoint, as a badge and a sentence. */
export function endpointStatus(endpoint: EndpointView, t: Texts, timeZone: string): Markup {
  const at = (instant: string) => t.moment(instant, timeZone)
  const { Status, PauseReason, PausedAt, FailingSince, LastDeliveredAt } = endpoint
  if (Status === 'paused') {
    const why = t.say(`webhooks.pause.${PauseReason ?? 'by-hand'}`, { count: retryDays })
    const since = t.say('webhooks.state.paused.since', { at: at(PausedAt!), why })
    return html`${badge(t.say('webhooks.state.paused'), PauseReason === 'by-hand' ? 'warn' : 'bad')} ${since}`
  }
  if (FailingSince !== null)
    return html`${badge(t.say('webhooks.state.failing'), 'warn')} ${t.say('webhooks.state.failing.since', { at: at(FailingSince) })}`
  const last =
    LastDeliveredAt === null
      ? t.say('webhooks.state.never')
      : t.say('webhooks.state.last', { at: at(LastDeliveredAt) })
  return html`${badge(t.say('webhooks.state.delivering'), 'good')} ${last}`
}

/**
 * How many deliveries wait for an endpoint, and how many events of the log the worker has not examined for it
 * yet.
 */
export function waitingWords({ Unfinished, Position, LogEnd }: EndpointView, t: Texts): string {
  const behind = LogEnd - Position
  const deliveries = t.say('webhooks.waiting.deliveries', { count: Unfinished })
  if (behind === 0) return Unfinished === 0 ? t.say('webhooks.waiting.none') : deliveries
  return t.say('webhooks.waiting.events', { deliveries, count: behind })
}
