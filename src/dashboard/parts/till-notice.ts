/** What stands beside cash: that the user has no till open for it, or one with too little in it to pay back from. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { Problem } from '../../http/problems.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Price, toExactMinorUnits } from '../../platform/text/money.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import { money } from './party-words.ts'

/**
 * Beside the choice of how is paid: shown while that is cash, by the stylesheet.
 * @param tills the currencies in which the user has a till open.
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
 * Beside a refund that the user’s open till cannot pay in cash, shown while cash is chosen; nothing where it can.
 * @param tills those that the user has open.
 */
export function shortTillNotice(t: Texts, tills: readonly TillView[], refund: Price): Markup {
  const till = tills.find(({ Float }) => Float.Currency === refund.Currency)
  if (!till || minorOf(till.Expected) >= minorOf(refund)) return html``
  return html`<p class="no-till no-print">${shortText(t, till.Expected, refund)} <a href="/dashboard/till">${t.say('till-notice.till')}</a></p>`
}

/** The same error; one of a till with too little in it with what to do, and with amounts as the page writes them. */
export function shortTillInWords(error: unknown, t: Texts): unknown {
  if (!(error instanceof Problem && error.slug === 'till-short')) return error
  const { InTill, Refund } = error.extensions as { InTill: Price; Refund: Price }
  return new Problem(error.slug, shortText(t, InTill, Refund))
}

/** @param inTill less than nothing is nothing to pay from. */
function shortText(t: Texts, inTill: Price, refund: Price): string {
  const { Currency } = refund
  const left = minorOf(inTill) > 0n ? money(t, inTill) : money(t, { Amount: '0', Currency })
  return t.say('till-notice.short', { left, refund: money(t, refund) })
}

function minorOf({ Amount, Currency }: Price): bigint {
  const minor = toExactMinorUnits(Amount.replace('-', ''), Currency) ?? 0n
  return Amount.startsWith('-') ? -minor : minor
}
