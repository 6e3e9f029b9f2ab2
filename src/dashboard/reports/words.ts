/** The words of reports, as pages and files say them. Pure. */

import type { Texts } from '../../languages/texts.ts'
import { daysBetween } from '../../platform/text/calendar.ts'
import type { ReportBasis, ReportGroup, ReportRange, ReportStep } from '../../reports/sales/report/model.ts'
import { methodNames } from '../../sales/ledger/method-names.ts'
import { channelNames } from '../parts/booking-words.ts'

export const stepWords: Record<ReportStep, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  season: 'Season (3 months)',
}

export const basisWords: Record<ReportBasis, string> = {
  sold: 'Day of sale',
  travel: 'Day of the activity',
}

export const groupWords: Record<ReportGroup, string> = {
  product: 'Product',
  channel: 'Channel',
  partner: 'Partner',
  unit: 'Unit',
  method: 'Payment method',
}

/** The name of a group's row. */
export function groupName(group: ReportGroup, { id, name }: { id: number | null; name: string }): string {
  if (group === 'channel') return nameIn(channelNames, name)
  if (group === 'method') return nameIn(methodNames, name)
  if (group === 'partner') return id === null ? 'No partner' : name
  if (group === 'unit' && id === null) return name === 'reductions' ? 'Discounts and reductions' : 'No unit'
  return name
}

function nameIn(names: Readonly<Record<string, string>>, key: string): string {
  return names[key] ?? key
}

export function periodName(t: Texts, { from, to }: ReportRange): string {
  return from === to ? t.day(from) : `${t.day(from)} – ${t.day(to)}`
}

/** What a figure is compared with: as many days, which end where the report begins. */
export function beforeWords(t: Texts, { from, to }: ReportRange): string {
  const days = daysBetween(from, to) + 1
  return days === 1 ? 'The day before' : `The ${t.number(days)} days before`
}

/** How much a figure grew, with its sign; a dash where it was nothing before. */
export function changeWords(t: Texts, change: number | null): string {
  if (change === null) return '–'
  const percent = Math.round(change * 1000) / 10
  return `${percent > 0 ? '+' : ''}${t.number(percent)} %`
}

export function shareWords(t: Texts, part: number, whole: number): string {
  return whole === 0 ? '–' : `${t.number(Math.round((part / whole) * 1000) / 10)} %`
}
