/** The words of the pages of reports. Pure. */

import type { Texts } from '../../languages/texts.ts'
import { daysBetween } from '../../platform/text/calendar.ts'
import type { ReportGroup, ReportRange } from '../../reports/sales/report/model.ts'
import { paymentMethods } from '../../sales/ledger/queries.ts'
import { channels } from '../parts/booking-words.ts'

/** The name of a group's row. */
export function groupName(
  t: Texts,
  group: ReportGroup,
  { id, name }: { id: number | null; name: string },
): string {
  if (group === 'channel') return isChannel(name) ? t.say(`channel.${name}`) : name
  if (group === 'method') return isMethod(name) ? t.say(`method-name.${name}`) : name
  if (group === 'partner') return id === null ? t.say('report.no-partner') : name
  if (group === 'unit' && id === null)
    return t.say(name === 'reductions' ? 'report.reductions' : 'report.no-unit')
  return name
}

function isMethod(name: string): name is (typeof paymentMethods)[number] {
  return paymentMethods.some((method) => method === name)
}

function isChannel(name: string): name is (typeof channels)[number] {
  return channels.some((channel) => channel === name)
}

export function periodName(t: Texts, { from, to }: ReportRange): string {
  return from === to ? t.day(from) : `${t.day(from)} – ${t.day(to)}`
}

/** How many days a range has. */
export function daysIn({ from, to }: ReportRange): number {
  return daysBetween(from, to) + 1
}

/** The name of the earlier range: the same number of days, directly before the range of the report. */
export function beforeWords(t: Texts, range: ReportRange): string {
  return t.say('report.before', { count: daysIn(range) })
}

/**
 * The change of a figure in percent, with its sign; a dash for null.
 * @param change a fraction from changeOf(): 0.5 means 50 % more.
 */
export function changeWords(t: Texts, change: number | null): string {
  if (change === null) return '–'
  const percent = Math.round(change * 1000) / 10
  return `${percent > 0 ? '+' : ''}${t.number(percent)} %`
}

export function shareWords(t: Texts, part: number, whole: number): string {
  return whole === 0 ? '–' : `${t.number(Math.round((part / whole) * 1000) / 10)} %`
}
