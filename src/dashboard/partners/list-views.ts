/**
 * The list of partners: for each partner, the number of bookings and the amount owed for this month, and
 * links to its terms and its statement. Pure.
 */
import type { Partner } from '../../accounts/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { isTotalUnknown, sumsView } from '../../reports/sales/statement/schemas.ts'
import type { MonthOwed } from '../../reports/sales/statement/service.ts'
import { emptyState, table } from '../frame/layout.ts'
import { money } from '../parts/party-words.ts'

type PartnerList = {
  partners: readonly Partner[]
  /** What partners owe for this month, with one row for each partner and currency. */
  owed: readonly MonthOwed[]
  /** The month of `owed`, such as `2026-11`. */
  month: string
}

export function partnerList(t: Texts, { partners, owed, month }: PartnerList): Markup {
  if (partners.length === 0) return emptyState(t.say('scorecard.none'))
  const of = ({ id }: Partner) => owed.filter(({ partnerId }) => partnerId === id)
  const amounts = (partner: Partner) =>
    of(partner)
      .map(sumsView)
      .map((totals) => (isTotalUnknown(totals) ? t.say('report.not-known') : money(t, totals.Owed)))
      .join(' · ') || '–'
  return table<Partner>(
    t.say('partners.title'),
    [
      {
        head: t.say('partners.partner'),
        cell: ({ id, name }) => html`<a href="/dashboard/partners/${id}">${name}</a>`,
        onCard: 'title',
      },
      {
        head: t.say('partners.bookings-of-month'),
        numeric: true,
        cell: (partner) => t.number(of(partner).reduce((sum, { bookings }) => sum + Number(bookings), 0)),
        onCard: 'headed',
      },
      { head: t.say('partners.owed-of-month'), numeric: true, cell: amounts, onCard: 'headed' },
      {
        head: t.say('partners.more'),
        cell: ({ id }) =>
          html`<div class="actions"><a class="button secondary" href="/dashboard/partners/${id}/terms">${t.say('partners.terms')}</a> <a class="button secondary" href="/dashboard/reports/partners/${id}?Month=${month}">${t.say('terms.statement')}</a></div>`,
      },
    ],
    partners,
  )
}
