/** The page of a till: expected cash, count and payments. A closed till can be printed. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { CashMovementView, TillView } from '../../sales/till/schemas.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm, textField } from '../frame/forms.ts'
import { badge, nextLink } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { money } from '../parts/party-words.ts'
import { cashTable, differenceBadge, signedMoney, tillPath, whoseTill } from './words.ts'

export const closeTillLabels = new Map([
  ['Counted', 'Cash counted'],
  ['Note', 'Note'],
])

export type TillPage = {
  till: TillView
  movements: readonly CashMovementView[]
  url: string
  next: string | null
  again: ShownForm | null
}

export function tillPage(session: Session, t: Texts, page: TillPage): Markup {
  const { till, movements, url, next, again } = page
  const { timeZone } = session.user
  return html`${faultSummary(again?.faults ?? null)}
<p class="no-print"><a href="/dashboard/till">All tills</a></p>
<div class="columns">
<section data-live id="till" aria-labelledby="till-title"><h2 id="till-title">${till.Status === 'open' ? 'Expected cash' : 'Closing'}</h2>
${facts(t, till, timeZone)}
${belowZero(t, till)}
</section>
${till.Status === 'open' ? closeForm(session, till, again) : ''}
</div>
<section data-live id="movements" aria-labelledby="movements-title"><h2 id="movements-title">Cash in and out</h2>
${movements.length > 0 ? cashTable(t, timeZone, movements) : html`<p class="hint">No cash yet.</p>`}
${nextLink(url, next)}</section>
${till.Status === 'closed' ? html`<p class="hint no-print">Print this page for your accounts. A closed till cannot be changed.</p>` : ''}`
}

function facts(t: Texts, till: TillView, timeZone: string): Markup {
  const { ClosedAt, ClosedBy, Counted, Difference, Note } = till
  const rows: [string, Markup | string][] = [
    ['Status', till.Status === 'open' ? badge('open', 'good') : badge('closed')],
    ['User', whoseTill(till)],
    ['Opened', t.moment(till.OpenedAt, timeZone)],
    ['Float', money(t, till.Float)],
    ['Cash taken', money(t, till.Taken)],
    ['Cash paid back', money(t, till.PaidBack)],
    ['Expected', html`<strong>${signedMoney(t, till.Expected)}</strong>`],
  ]
  if (ClosedAt && Counted && Difference) {
    rows.push(
      ['Counted', html`<strong>${money(t, Counted)}</strong>`],
      ['Difference', differenceBadge(t, Difference)],
      ['Closed', t.moment(ClosedAt, timeZone)],
      ['Counted by', ClosedBy ? (ClosedBy.Email ?? 'A former user') : 'A command of the service'],
    )
    if (Note) rows.push(['Note', Note])
  }
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** An earlier version allowed refunds above the cash in a till. That cash came from elsewhere. */
function belowZero(t: Texts, { Status, Expected: { Amount, Currency } }: TillView): Markup {
  if (!Amount.startsWith('-')) return html``
  const more = money(t, { Amount: Amount.slice(1), Currency })
  const count =
    Status === 'open'
      ? ` Count what is in it now; the difference will be at least ${more} too much.`
      : ` So the difference is at least ${more} too much.`
  return html`<p class="hint">${more} more was paid back from this till than was ever in it, with cash from elsewhere.${count}</p>`
}

function closeForm(session: Session, till: TillView, again: ShownForm | null): Markup {
  const shown = again ?? { values: {}, faults: null }
  const counted = fieldOf(
    shown,
    `Cash counted in ${till.Float.Currency}`,
    'Counted',
    'All cash in the till, with the float.',
  )
  const note = fieldOf(shown, 'Note', 'Note', 'If the count differs: why.')
  const question = 'Close the till? It cannot be opened again.'
  return html`<section class="panel no-print" aria-labelledby="close-title"><h2 id="close-title">Count and close</h2>
${postForm(
  session,
  `${tillPath(till)}/close`,
  html`${inputField(counted, { inputmode: 'decimal', required: true, maxlength: 25, autocomplete: 'off' })}
${textField(note, { maxlength: 1000, rows: 2 })}
<button>Close the till</button>`,
  { question },
)}
</section>`
}
