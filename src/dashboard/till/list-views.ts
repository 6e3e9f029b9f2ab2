/** The list of tills: open ones, the form that opens one, closed ones, and cash outside of tills. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { toMoney } from '../../platform/text/money.ts'
import type { TillView } from '../../sales/till/schemas.ts'
import type { OutsideDay } from '../../sales/till/service.ts'
import { fieldOf, type ShownForm, selectField } from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { emptyState, nextLink, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { amountField } from '../parts/amounts.ts'
import { money } from '../parts/party-words.ts'
import { differenceBadge, tillPath, tillUserText } from './words.ts'

export function openTillLabels(t: Texts): Map<string, string> {
  return new Map([
    ['Float', t.say('till.float')],
    ['Currency', t.say('till.currency')],
  ])
}

export type TillList = {
  open: readonly TillView[]
  closed: readonly TillView[]
  /** The currencies in which the user has no open till. */
  currencies: readonly string[]
  /** Whether the account has a product, and so a currency. */
  sellsAnything: boolean
  /** The cash outside of tills by day; null unless the user is an owner. */
  outside: readonly OutsideDay[] | null
  url: string
  next: string | null
  again: ShownForm | null
}

export function tillList(session: Session, t: Texts, list: TillList): Markup {
  const { open, closed, outside, url, next, again, sellsAnything } = list
  if (!sellsAnything && open.length + closed.length === 0) return emptyState(t.say('till.none-needed'))
  return html`${faultSummary(again?.faults ?? null)}
<section data-live id="open-tills" aria-labelledby="open-title"><h2 id="open-title">${t.say('till.open.title')}</h2>
${open.length > 0 ? openTable(session, t, open) : html`<p class="hint">${t.say('till.open.none')}</p>`}
</section>
${openForm(session, t, list)}
<section aria-labelledby="closed-title"><h2 id="closed-title">${t.say('till.closed.title')}</h2>
${closed.length > 0 ? closedTable(session, t, closed) : html`<p class="hint">${t.say('till.closed.none')}</p>`}
${nextLink(t, url, next)}</section>
${outside ? outsidePart(t, outside) : ''}`
}

function openTable(session: Session, t: Texts, tills: readonly TillView[]): Markup {
  const { timeZone, userId } = session.user
  return table<TillView>(
    t.say('till.open.caption'),
    [
      {
        head: t.say('till.user'),
        onCard: 'title',
        cell: (till) => (till.User.UserID === userId ? t.say('till.yours') : tillUserText(t, till)),
      },
      { head: t.say('till.opened'), onCard: 'headed', cell: ({ OpenedAt }) => t.moment(OpenedAt, timeZone) },
      { head: t.say('till.float'), onCard: 'headed', numeric: true, cell: ({ Float }) => money(t, Float) },
      { head: t.say('till.taken'), onCard: 'headed', numeric: true, cell: ({ Taken }) => money(t, Taken) },
      {
        head: t.say('receipt.paid-back'),
        onCard: 'headed',
        numeric: true,
        cell: ({ PaidBack }) => money(t, PaidBack),
      },
      {
        head: t.say('till.expected'),
        onCard: 'headed',
        numeric: true,
        cell: ({ Expected }) => html`<strong>${money(t, Expected)}</strong>`,
      },
      {
        head: t.say('till.close.head'),
        onCard: 'line',
        cell: (till) =>
          html`<a class="button" href="${tillPath(till)}" aria-label="${t.say('till.count.of', { user: tillUserText(t, till), currency: till.Float.Currency })}">${t.say('till.count')}</a>`,
      },
    ],
    tills,
  )
}

function openForm(session: Session, t: Texts, { currencies, again }: TillList): Markup {
  const [first] = currencies
  if (first === undefined) return html``
  const shown = again ?? { values: { Currency: first }, faults: null }
  const currency =
    currencies.length === 1
      ? html`<input type="hidden" name="Currency" value="${first}">`
      : selectField(
          fieldOf(shown, t.say('till.currency'), 'Currency'),
          currencies.map((value) => ({ value, label: value })),
        )
  const label = currencies.length === 1 ? t.say('till.float.in', { currency: first }) : t.say('till.float')
  const float = fieldOf(shown, label, 'Float', t.say('till.float.hint'))
  return html`<section class="panel no-print" aria-labelledby="new-title"><h2 id="new-title">${t.say('till.new')}</h2>
${postForm(session, '/dashboard/till', html`${currency}${amountField(t, float, { required: true, maxlength: 25 })}<button>${t.say('till.new.open')}</button>`)}
</section>`
}

function closedTable(session: Session, t: Texts, tills: readonly TillView[]): Markup {
  const { timeZone } = session.user
  return table<TillView>(
    t.say('till.closed.caption'),
    [
      {
        head: t.say('till.closed-at'),
        onCard: 'title',
        cell: (till) => html`<a href="${tillPath(till)}">${t.moment(till.ClosedAt!, timeZone)}</a>`,
      },
      { head: t.say('till.user'), onCard: 'line', cell: (till) => tillUserText(t, till) },
      {
        head: t.say('till.expected'),
        onCard: 'headed',
        numeric: true,
        cell: ({ Expected }) => money(t, Expected),
      },
      {
        head: t.say('till.counted'),
        onCard: 'headed',
        numeric: true,
        cell: ({ Counted }) => (Counted ? money(t, Counted) : ''),
      },
      {
        head: t.say('till.difference'),
        onCard: 'headed',
        cell: ({ Difference }) => (Difference ? differenceBadge(t, Difference) : ''),
      },
      { head: t.say('till.note'), onCard: 'line', cell: ({ Note }) => Note ?? '' },
    ],
    tills,
  )
}

function outsidePart(t: Texts, days: readonly OutsideDay[]): Markup {
  return html`<section aria-labelledby="outside-title"><h2 id="outside-title">${t.say('till.outside')}</h2>
<p class="hint">${t.say('till.outside.about')}</p>
${
  days.length === 0
    ? html`<p>${t.say('till.outside.none')}</p>`
    : table<OutsideDay>(
        t.say('till.outside.caption'),
        [
          {
            head: t.say('till.outside.day'),
            cell: ({ day }) =>
              html`<span class="links"><a href="/dashboard/till/outside?Day=${day}">${t.day(day)}</a></span>`,
          },
          {
            head: t.say('till.taken'),
            numeric: true,
            cell: ({ takenMinor, currency }) => money(t, toMoney(takenMinor, currency)),
          },
          {
            head: t.say('receipt.paid-back'),
            numeric: true,
            cell: ({ paidBackMinor, currency }) => money(t, toMoney(paidBackMinor, currency)),
          },
          {
            head: t.say('till.outside.payments'),
            numeric: true,
            cell: ({ movements }) => t.number(movements),
          },
        ],
        days,
      )
}</section>`
}
