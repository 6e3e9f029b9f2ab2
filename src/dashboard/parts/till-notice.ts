/**
 * Notices beside the method "cash": the user has no open till in the currency, or too little in it for a refund.
 * Pure.
 */
import { html, type Markup } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Price, toExactMinorUnits } from '../../platform/text/money.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { money } from './party-words.ts'

/**
 * A notice that the user has no open till in this currency. The style sheet shows it while cash is selected.
 * @param tills the currencies of the user's open tills.
 * @param cash the sentence that says where the cash is counted instead.
 */
export function noTillNotice(
  t: Texts,
  tills: readonly string[],
  currency: string,
  cash = t.say('till-notice.outside'),
): Markup {
  if (tills.includes(currency)) return html``
  const which = tills.length > 0 ? t.say('till-notice.none-in', { currency }) : t.say('till-notice.none')
  return html`<p class="no-till no-print">${which} ${cash} <a href="/dashboard/till">${t.say('till-notice.open')}</a></p>`
}

/**
 * A notice that the user’s open till has too little cash for a refund. The style sheet shows it while cash is
 * selected. Empty if there is enough cash, or no till in the currency.
 * @param tills the user's open tills.
 */
export function shortTillNotice(t: Texts, tills: readonly TillView[], refund: Price): Markup {
  const till = tills.find(({ Float }) => Float.Currency === refund.Currency)
  if (!till || minorOf(till.Expected) >= minorOf(refund)) return html``
  return html`<p class="no-till no-print">${shortText(t, till.Expected, refund)} <a href="/dashboard/till">${t.say('till-notice.till')}</a></p>`
}

/**
 * Replaces a `till-short` problem with one whose message says what to do, with amounts in the reader's language.
 * Returns any other error unchanged.
 */
export function shortTillInWords(error: unknown, t: Texts): unknown {
  if (!(error instanceof Problem && error.slug === 'till-short')) return error
  const { InTill, Refund } = error.extensions as { InTill: Price; Refund: Price }
  return new Problem(error.slug, shortText(t, InTill, Refund))
}

/** @param inTill the cash in the till. If it is below 0, the text says 0. */
function shortText(t: Texts, inTill: Price, refund: Price): string {
  const { Currency } = refund
  const left = minorOf(inTill) > 0n ? money(t, inTill) : money(t, { Amount: '0', Currency })
  return t.say('till-notice.short', { left, refund: money(t, refund) })
}

function minorOf({ Amount, Currency }: Price): bigint {
  const minor = toExactMinorUnits(Amount.replace('-', ''), Currency) ?? 0n
  return Amount.startsWith('-') ? -minor : minor
}
