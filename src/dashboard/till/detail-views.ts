/** The page of a till: expected cash, count, and cash payments and refunds. A closed till can be printed. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { CashMovementView, TillView } from '../../sales/till/schemas.ts'
import type { CountedCash } from '../../sales/till/service.ts'
import { fieldOf, type ShownForm, textField, valueAt } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { badge, nextLink } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { amountField, hiddenAmount } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'
import { cashTable, differenceBadge, tillPath, tillUserText } from './words.ts'

export function closeTillLabels(t: Texts): Map<string, string> {
  return new Map([
    ['Counted', t.say('till.counted.label')],
    ['Note', t.say('till.note')],
  ])
}

export type TillPage = {
  till: TillView
  movements: readonly CashMovementView[]
  url: string
  next: string | null
  again: ShownForm | null
  /** The cash that the user has counted, with its difference; null until the user has sent a valid count. */
  counted: CountedCash | null
}

export function tillPage(session: Session, t: Texts, page: TillPage): Markup {
  const { till, movements, url, next, again } = page
  const { timeZone } = session.user
  return html`${faultSummary(again?.faults ?? null)}
<p class="links no-print"><a href="/dashboard/till">${t.say('till.all')}</a></p>
<div class="columns">
<section data-live id="till" aria-labelledby="till-title"><h2 id="till-title">${t.say(till.Status === 'open' ? 'till.expected.title' : 'till.closing')}</h2>
${facts(t, till, timeZone)}
${belowZero(t, till)}
</section>
${till.Status === 'open' ? closeForm(session, t, page) : ''}
</div>
<section data-live id="movements" aria-labelledby="movements-title"><h2 id="movements-title">${t.say('till.movements')}</h2>
${movements.length > 0 ? cashTable(t, timeZone, movements) : html`<p class="hint">${t.say('till.movements.none')}</p>`}
${nextLink(t, url, next)}</section>
${till.Status === 'closed' ? html`<p class="hint no-print">${t.say('till.print')}</p>` : ''}`
}

function facts(t: Texts, till: TillView, timeZone: string): Markup {
  const { ClosedAt, ClosedBy, Counted, Difference, Note } = till
  const rows: [string, Markup | string][] = [
    [
      t.say('word.status'),
      till.Status === 'open' ? badge(t.say('till.open'), 'good') : badge(t.say('till.closed')),
    ],
    [t.say('till.user'), tillUserText(t, till)],
    [t.say('till.opened'), t.moment(till.OpenedAt, timeZone)],
    [t.say('till.float'), money(t, till.Float)],
    [t.say('till.cash-taken'), money(t, till.Taken)],
    [t.say('till.cash-paid-back'), money(t, till.PaidBack)],
    [t.say('till.expected'), html`<strong>${money(t, till.Expected)}</strong>`],
  ]
  if (ClosedAt && Counted && Difference) {
    rows.push(
      [t.say('till.counted'), html`<strong>${money(t, Counted)}</strong>`],
      [t.say('till.difference'), differenceBadge(t, Difference)],
      [t.say('till.closed-at'), t.moment(ClosedAt, timeZone)],
      [
        t.say('till.counted-by'),
        ClosedBy ? (ClosedBy.Email ?? t.say('till.user.former')) : t.say('till.counted-by.service'),
      ],
    )
    if (Note) rows.push([t.say('till.note'), Note])
  }
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/**
 * A hint if the expected cash is below 0. This is possible because an earlier version allowed refunds of more
 * cash than a till had.
 */
function belowZero(t: Texts, { Status, Expected: { Amount, Currency } }: TillView): Markup {
  if (!Amount.startsWith('-')) return html``
  const more = money(t, { Amount: Amount.slice(1), Currency })
  return html`<p class="hint">${t.say(`till.below.${Status}`, { more })}</p>`
}

/** The form that closes a till, in two steps: the count, then the difference with a note that explains it. */
function closeForm(session: Session, t: Texts, { till, counted, again }: TillPage): Markup {
  const form = counted
    ? closingForm(session, t, till, { ...counted, again: again! })
    : countForm(session, t, till, again)
  return html`<section class="panel no-print" aria-labelledby="close-title"><h2 id="close-title">${t.say('till.count')}</h2>
${form}
</section>`
}

function countForm(session: Session, t: Texts, till: TillView, again: ShownForm | null): Markup {
  const label = t.say('till.counted.in', { currency: till.Float.Currency })
  const counted = fieldOf(again ?? { values: {}, faults: null }, label, 'Counted', t.say('till.counted.hint'))
  return postForm(
    session,
    `${tillPath(till)}/compare`,
    html`${amountField(t, counted, { required: true, maxlength: 25 })}
<button>${t.say('till.compare')}</button>`,
  )
}

type ClosingForm = CountedCash & { again: ShownForm }

function closingForm(session: Session, t: Texts, till: TillView, closing: ClosingForm): Markup {
  const { Counted, Difference, again } = closing
  const isExact = Number(Difference.Amount) === 0
  const note = fieldOf(again, t.say('till.note'), 'Note', isExact ? undefined : t.say('till.note.hint'))
  return postForm(
    session,
    `${tillPath(till)}/close`,
    html`${hiddenAmount(t, 'Counted', valueAt(again.values, 'Counted'))}
<input type="hidden" name="Difference" value="${Difference.Amount}">
<p>${t.say('till.counted')}: <strong>${money(t, Counted)}</strong> ${differenceBadge(t, Difference)}</p>
${textField(note, { maxlength: 1000, rows: 2, required: !isExact })}
<p>${t.say('till.close.about')}</p>
<p class="actions"><button>${t.say('till.close')}</button> <a href="${tillPath(till)}">${t.say('till.count.again')}</a></p>`,
  )
}
