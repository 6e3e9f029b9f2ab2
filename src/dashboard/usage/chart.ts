/** A bar for each day, drawn on the server. The same figures stand in a table beside it, for who cannot see it. */
import { html, type Markup } from '../../http/pages.ts'

const [slot, height] = [10, 100]

export type Bar = { label: string; value: number }

/** Bars of the picture's whole width; the tallest is as high as it. @param title says in words what it shows. */
export function barChart(title: string, bars: readonly Bar[]): Markup {
  const most = Math.max(...bars.map(({ value }) => value))
  const drawn = bars.map(({ label, value }, index) => {
    const tall = most > 0 ? Math.round((value / most) * height * 100) / 100 : 0
    // A little of something can be told from nothing.
    const shown = value > 0 ? Math.max(tall, 1) : 0
    return html`<rect x="${index * slot + 1}" y="${height - shown}" width="${slot - 2}" height="${shown}"><title>${label}</title></rect>\n`
  })
  return html`<svg class="bars" role="img" aria-label="${title}" viewBox="0 0 ${bars.length * slot} ${height}" preserveAspectRatio="none">
${drawn}</svg>`
}
