/**
 * A column chart with its axes, rendered on the server, so that it works without JavaScript and in print.
 * Each column has its figures in an SVG title, which charts.js shows beside the pointer, or when the user
 * moves through the columns with the keyboard. The caller shows the same figures in a table.
 */
import { html, type Markup } from '../../http/pages.ts'
import { attributes } from '../frame/forms.ts'
import { namedColumns, ticksUpTo } from './chart-scale.ts'

export type ChartColumn = {
  /** The figures of the column in words, shown beside the pointer. */
  label: string
  /** The name below the column. With many columns, only some names are shown. */
  name: string
  value: number
  /** The value of the earlier period that the column is compared with. */
  before?: number
}

type ColumnChart = {
  /** The description of the chart for screen readers. */
  title: string
  columns: readonly ChartColumn[]
  /** Formats a value for the axis. */
  write: (value: number) => string
  /** The legend for columns and for the marks of earlier values. Left out if there are no marks. */
  key?: { now: string; before: string }
}

const maxNames = 8

export function columnChart({ title, columns, write, key }: ColumnChart): Markup {
  const ticks = ticksUpTo(Math.max(0, ...columns.flatMap(({ value, before = 0 }) => [value, before])))
  const top = ticks.at(-1)!
  const upTo = (value: number) => percent(1 - value / top)
  const width = 1 / columns.length
  const lines = ticks.map((tick) => html`<line x1="0" x2="100%" y1="${upTo(tick)}" y2="${upTo(tick)}"/>`)
  const drawn = columns.map((column, index) => drawColumn(column, { from: index * width, width, top }))
  return html`<figure class="chart">${key ? html`<figcaption><span class="key now">${key.now}</span> <span class="key before">${key.before}</span></figcaption>` : ''}
<ol class="scale" aria-hidden="true">${ticks.toReversed().map((tick) => html`<li>${write(tick)}</li>`)}</ol>
<div class="plot"><svg class="columns" role="img" aria-label="${title}"><g class="lines">${lines}</g>
${drawn}</svg></div>
${names(columns)}</figure>`
}

type ColumnPlace = { from: number; width: number; top: number }

function drawColumn({ label, value, before }: ChartColumn, { from, width, top }: ColumnPlace): Markup {
  // Even a very small value has a visible height, so that it does not look like 0.
  const share = value > 0 ? Math.max(value / top, 0.01) : 0
  const bar = { x: percent(from + width * 0.12), width: percent(width * 0.76) }
  const at = percent(1 - (before ?? 0) / top)
  const mark = { x1: percent(from + width * 0.04), x2: percent(from + width * 0.96), y1: at, y2: at }
  const hit = { x: percent(from), width: percent(width), height: '100%' }
  return html`<g class="column"><rect${attributes({ class: 'hit', ...hit })}><title>${label}</title></rect><rect${attributes({ class: 'bar', ...bar, y: percent(1 - share), height: percent(share) })}/>${before ? html`<line${attributes({ class: 'before', ...mark })}/>` : ''}</g>
`
}

/** The names below the columns. Where there is little room, the style sheet hides every second one. */
function names(columns: readonly ChartColumn[]): Markup {
  const shown = namedColumns(columns.length, maxNames)
  const texts = shown.map((column, place) => {
    const middle = (column + 0.5) / columns.length
    const anchor = middle < 0.03 ? 'start' : middle > 0.97 ? 'end' : 'middle'
    const x = anchor === 'start' ? '0' : anchor === 'end' ? '100%' : percent(middle)
    return html`<text${attributes({ x, y: '1em', 'text-anchor': anchor, class: place % 2 === 1 ? 'spare' : undefined })}>${columns[column]!.name}</text>`
  })
  return html`<svg class="names" aria-hidden="true">${texts}</svg>`
}

function percent(share: number): string {
  return `${Math.round(share * 1e5) / 1e3}%`
}
