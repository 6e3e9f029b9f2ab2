/** The list of tills: open ones, the form that opens one, closed ones, and cash outside of tills. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import type { OutsideDay } from '../../sales/till/service.ts'
import { faultSummary, fieldOf, inputField, postForm, type ShownForm, selectField } from '../frame/forms.ts'
import { emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { money } from '../parts/party-words.ts'
import { differenceBadge, signedMoney, tillPath, whoseTill } from './words.ts'

export const openTillLabels = new Map([
  ['Float', 'Float'],
  ['Currency', 'Currency'],
])

export type TillList = {
  open: readonly TillView[]
  closed: readonly TillView[]
  /** The currencies without an open till of the user. */
  currencies: readonly string[]
  /** Whether the account has any currency. */
  sellsAnything: boolean
  /** Only for owners. */
  outside: readonly OutsideDay[] | null
  url: string
  next: string | null
  again: ShownForm | null
}

export function tillList(session: Session, t: Texts, list: TillList): Markup {
  const { open, closed, outside, url, next, again, sellsAnything } = list
  if (!sellsAnything && open.length + closed.length === 0)
    return emptyState('There is no product to sell yet, so no till is needed.')
  return html`${faultSummary(again?.faults ?? null)}
<section data-live id="open-tills" aria-labelledby="open-title"><h2 id="open-title">Open</h2>
${open.length > 0 ? openTable(session, t, open) : html`<p class="hint">No till is open. Cash that you take now is listed under cash outside tills.</p>`}
</section>
${openForm(session, list)}
<section aria-labelledby="closed-title"><h2 id="closed-title">Closed</h2>
${closed.length > 0 ? closedTable(session, t, closed) : html`<p class="hint">No till was closed yet.</p>`}
${nextLink(url, next)}</section>
${outside ? outsidePart(t, outside) : ''}`
}

function openTable(session: Session, t: Texts, tills: readonly TillView[]): Markup {
  const { timeZone, userId } = session.user
  return table<TillView>(
    'Open tills',
    [
      { head: 'User', cell: (till) => (till.User.UserID === userId ? 'Yours' : whoseTill(till)) },
      { head: 'Opened', cell: ({ OpenedAt }) => t.moment(OpenedAt, timeZone) },
      { head: 'Float', numeric: true, cell: ({ Float }) => money(t, Float) },
      { head: 'Taken', numeric: true, cell: ({ Taken }) => money(t, Taken) },
      { head: 'Paid back', numeric: true, cell: ({ PaidBack }) => money(t, PaidBack) },
      {
        head: 'Expected',
        numeric: true,
        cell: ({ Expected }) => html`<strong>${signedMoney(t, Expected)}</strong>`,
      },
      {
        head: 'Close',
        cell: (till) =>
          html`<a class="button" href="${tillPath(till)}" aria-label="Count and close the till of ${whoseTill(till)} in ${till.Float.Currency}">Count and close</a>`,
      },
    ],
    tills,
  )
}

function openForm(session: Session, { currencies, again }: TillList): Markup {
  const [first] = currencies
  if (first === undefined) return html``
  const shown = again ?? { values: { Currency: first }, faults: null }
  const currency =
    currencies.length === 1
      ? html`<input type="hidden" name="Currency" value="${first}">`
      : selectField(
          fieldOf(shown, 'Currency', 'Currency'),
          currencies.map((value) => ({ value, label: value })),
        )
  const label = currencies.length === 1 ? `Float in ${first}` : 'Float'
  const float = fieldOf(shown, label, 'Float', 'The cash in the till when you open it.')
  return html`<section class="panel no-print" aria-labelledby="new-title"><h2 id="new-title">Open your till</h2>
${postForm(session, '/dashboard/till', html`${currency}${inputField(float, { inputmode: 'decimal', required: true, maxlength: 25, autocomplete: 'off' })}<button>Open the till</button>`)}
</section>`
}

function closedTable(session: Session, t: Texts, tills: readonly TillView[]): Markup {
  const { timeZone } = session.user
  return table<TillView>(
    'Closed tills',
    [
      {
        head: 'Closed',
        cell: (till) => html`<a href="${tillPath(till)}">${t.moment(till.ClosedAt!, timeZone)}</a>`,
      },
      { head: 'User', cell: whoseTill },
      { head: 'Expected', numeric: true, cell: ({ Expected }) => signedMoney(t, Expected) },
      { head: 'Counted', numeric: true, cell: ({ Counted }) => (Counted ? money(t, Counted) : '') },
      {
        head: 'Difference',
        cell: ({ Difference }) => (Difference ? differenceBadge(t, Difference) : ''),
      },
      { head: 'Note', cell: ({ Note }) => Note ?? '' },
    ],
    tills,
  )
}

function outsidePart(t: Texts, days: readonly OutsideDay[]): Markup {
  return html`<section aria-labelledby="outside-title"><h2 id="outside-title">Cash outside tills</h2>
<p class="hint">Taken or paid back by a user who had no till open, or by a program. The last 31 days.</p>
${
  days.length === 0
    ? html`<p>None.</p>`
    : table<OutsideDay>(
        'Cash outside tills by day',
        [
          {
            head: 'Day',
            cell: ({ day }) => html`<a href="/dashboard/till/outside?Day=${day}">${t.day(day)}</a>`,
          },
          {
            head: 'Taken',
            numeric: true,
            cell: ({ takenMinor, currency }) => money(t, toMoney(takenMinor, currency)),
          },
          {
            head: 'Paid back',
            numeric: true,
            cell: ({ paidBackMinor, currency }) => money(t, toMoney(paidBackMinor, currency)),
          },
          { head: 'Payments', numeric: true, cell: ({ movements }) => t.number(movements) },
        ],
        days,
      )
}</section>`
}
