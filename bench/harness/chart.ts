/** Draws charts as SVG, readable on light and dark pages. */
import { type Chart, formatCell } from './report.ts'

const width = 900
const [labels, figures] = [250, 210]
const [lineHeight, titleHeight, gap] = [24, 34, 18]

const style = `<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px } .faint { fill: #57606a }
.ours { fill: #0969da } .other { fill: #afb8c1 } .grid { stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .faint { fill: #8d96a0 } .ours { fill: #4493f8 } .other { fill: #656c76 } .grid { stroke: #3d444d }
}
</style>`

/** One group of bars for each chart. A bar of a rival says how this service compares with it. */
export function drawBars(charts: Chart[], caption: string): string {
  const parts: string[] = [text(0, 18, caption, 'faint')]
  let top = titleHeight
  for (const { title, unit, bars } of charts) {
    const most = Math.max(...bars.map(({ value }) => value)) || 1
    const ours = bars.find((bar) => bar.ours)
    parts.push(text(0, top + 18, `${title} (${unit})`, 'title'))
    top += titleHeight
    for (const { label, value, ours: isOurs } of bars) {
      const length = Math.max(1, ((width - labels - figures) * value) / most)
      const ratio = ours && !isOurs && value > 0 ? `ours ${formatCell(ours.value / value)} ×` : ''
      parts.push(text(0, top + 14, label))
      parts.push(
        `<rect class="${isOurs ? 'ours' : 'other'}" x="${labels}" y="${top + 2}" width="${length.toFixed(1)}" height="16" rx="2"/>`,
      )
      parts.push(
        text(labels + length + 8, top + 14, [formatCell(value), ratio].filter(Boolean).join(' · '), 'faint'),
      )
      top += lineHeight
    }
    top += gap
  }
  return svg(top, parts)
}

export type Line = { label: string; points: { x: number; y: number }[] }

/** Lines over one pair of axes that begin at 0. */
export function drawLines(
  lines: Line[],
  { caption, x, y }: { caption: string; x: string; y: string },
): string {
  const [left, top, height] = [50, titleHeight + 10, 320]
  const points = lines.flatMap((line) => line.points)
  const maxX = Math.max(...points.map((point) => point.x)) || 1
  const maxY = Math.max(...points.map((point) => point.y)) || 1
  const right = width - figures
  const parts: string[] = [text(0, 18, caption, 'faint'), text(0, top - 14, y, 'faint')]
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const level = top + height * (1 - share)
    parts.push(`<line class="grid" x1="${left}" x2="${right}" y1="${level}" y2="${level}"/>`)
    parts.push(text(0, level + 4, formatCell(Math.round(maxY * share)), 'faint'))
  }
  const ends = new Set<number>()
  for (const [index, { label, points }] of lines.entries()) {
    const at = points.map((point) => {
      return `${(left + ((right - left) * point.x) / maxX).toFixed(1)},${(top + height * (1 - point.y / maxY)).toFixed(1)}`
    })
    const hue = (index * 360) / lines.length
    parts.push(
      `<polyline fill="none" stroke="hsl(${hue} 65% 50%)" stroke-width="1.5" points="${at.join(' ')}"/>`,
    )
    // Labels of lines that end at the same height are moved apart.
    let level = Math.round(top + height * (1 - (points.at(-1)?.y ?? 0) / maxY))
    while ([...ends].some((taken) => Math.abs(taken - level) < 16)) level += 16
    ends.add(level)
    const last = formatCell(Math.round(points.at(-1)?.y ?? 0))
    parts.push(`<rect x="${right + 8}" y="${level - 4}" width="10" height="10" fill="hsl(${hue} 65% 50%)"/>`)
    parts.push(text(right + 24, level + 5, `${label} · ${last}`))
  }
  parts.push(
    text(left, top + height + 20, '0', 'faint'),
    text(right - 60, top + height + 20, `${formatCell(Math.round(maxX))} ${x}`, 'faint'),
  )
  return svg(Math.max(top + height, ...ends) + 40, parts)
}

function svg(height: number, parts: string[]): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n<title>What was measured, side by side</title>\n${style}\n${parts.join('\n')}\n</svg>\n`
}

function text(x: number, y: number, content: string, kind = ''): string {
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y}"${kind && ` class="${kind}"`}>${safe}</text>`
}
