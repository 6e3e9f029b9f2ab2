/** Writes a summary as JSON row by row, so that the whole response is never in memory. */
import type { Days } from '../model.ts'
import type { SumRow, UsagePeriod } from './summary-queries.ts'

/** Turns a period, and then the rows of sumUsage() in their order, into text. */
export type SummaryForm = {
  head(period: UsagePeriod): string
  everything(row: SumRow): string
  row(row: SumRow): string
  end(): string
}

/** The body of a summary as in summarySchema; with `Days` for rows of the shape `meters-with-days`. */
export function jsonForm(range: Days, withDays: boolean): SummaryForm {
  // The text that closes the last meter, and the separators before the next meter and the next day.
  let [closing, beforeMeter, beforeDay] = ['', '', '']
  return {
    head: (period) => `{"data":{"Period":${JSON.stringify(viewPeriod(range, period))}`,
    everything: (row) => `,"Totals":${JSON.stringify(viewTotals(row))},"Meters":[`,
    row(row) {
      if (row.day !== null) {
        const text = beforeDay + JSON.stringify({ Day: row.day, ...viewSums(row) })
        beforeDay = ','
        return text
      }
      const json = JSON.stringify({ Meter: row.meter, ...viewSums(row) })
      const text = closing + beforeMeter + (withDays ? `${json.slice(0, -1)},"Days":[` : json)
      closing = withDays ? ']}' : ''
      beforeMeter = ','
      beforeDay = ''
      return text
    },
    end: () => `${closing}]}}`,
  }
}

export function viewPeriod({ from, to }: Days, { fromSecond, toSecond }: UsagePeriod) {
  return { From: from, To: to, FromTimestamp: fromSecond, ToTimestamp: toSecond }
}

export function viewTotals({ total, events }: SumRow) {
  return { Usage: Number(total), Events: events }
}

export function viewSums({ total, events }: SumRow) {
  return { TotalUsage: Number(total), EventCount: events }
}
