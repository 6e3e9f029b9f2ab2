/** QR codes as SVG in a page's markup, so that the page loads no image and prints sharply. Pure. */
import encodeQr from 'qr'
import { html, Markup } from './pages.ts'

/** Width of the light border in modules. Scanners need it to find the code. */
const border = 4

/**
 * A code that is dark on white in every colour scheme. @param label text for people who do not see the code.
 */
export function qrCode(text: string, label: string): Markup {
  const rows = encodeQr(text, 'raw', { border, ecc: 'medium' })
  const size = rows.length
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  )
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="200" height="200" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${new Markup(path.join(''))}" fill="#000"/></svg>`
}

/** The runs of dark modules in a row. */
function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (isDark && last && last.x + last.length === x) last.length++
    else if (isDark) runs.push({ x, length: 1 })
  }
  return runs
}
