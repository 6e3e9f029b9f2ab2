/** QR codes as part of a page: an SVG in the markup, so that nothing is loaded and a printer draws it sharply. Pure. */
import encodeQr from 'qr'
import { html, Markup } from './pages.ts'

/** Light modules around the code, without which scanners do not find it. */
const border = 4

/** A code that is dark on white in every colour scheme. @param label for who does not see it. */
export function qrCode(text: string, label: string): Markup {
  const rows = encodeQr(text, 'raw', { border, ecc: 'medium' })
  const size = rows.length
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  )
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="200" height="200" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${new Markup(path.join(''))}" fill="#000"/></svg>`
}

/** Where dark modules begin in a row, and how many follow each other. */
function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last && last.x + last.length === x) last.length++
    else if (isDark) runs.push({ x, length: 1 })
  }
  return runs
}
