/** A chart of periods with its axes, drawn on the server. The same figures stand in a table. */
import { html, type Markup } from '../../http/pages.ts'
import { type Bar, barChart } from '../usage/chart.ts'

type AxisChart = {
  /** Says in words what it shows. */
  title: string
  bars: readonly Bar[]
  /** A value as the axis has it. */
  write: (value: number) => string
  /** What stands below the first and the last bar. */
  ends: readonly [string, string]
}

/** Bars from 0 to the tallest, whose value and half of it stand beside them. */
export function axisChart({ title, bars, write, ends }: AxisChart): Markup {
  const most = Math.max(0, ...bars.map(({ value }) => value))
  return html`<div class="chart"><p class="scale" aria-hidden="true"><span>${write(most)}</span><span>${write(most / 2)}</span><span>${write(0)}</span></p>
<div>${barChart(title, bars)}
<p class="axis" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></p></div></div>`
}
