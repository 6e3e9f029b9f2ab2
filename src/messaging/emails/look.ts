/**
 * The HTML part of an e-mail in the operator's look: the words of the text part and nothing else, in tables and inline
 * styles, which is what mail programs understand. Pure.
 */
import type { Locale } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import { readableOn, textOn } from '../../platform/text/colour.ts'
import { escapeHtml, lineToHtml, linkTo } from '../../platform/text/text-to-html.ts'
import type { Seller } from '../../sales/business-details/service.ts'

export type EmailLook = {
  name: string
  /** The whole address of the logo; null for none. */
  logoUrl: string | null
  /** `#rrggbb`; null for the service's own. */
  colour: string | null
  locale: Locale
}

/** The address that an e-mail is about, which stands alone on a line of its text; in HTML it is a button. */
export type EmailAction = { url: string; label: string }

export type EmailContent = { subject: string; text: string; action?: EmailAction | undefined }

const usualColour = '#0a5bb0'
const [page, card, ink] = ['#f5f7fa', '#ffffff', '#1c2733']
const [darkPage, darkCard, darkInk] = ['#131b26', '#1a2534', '#e6ebf1']
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"'

/** @param publicUrl before the path of the logo. */
export function lookOf({ name, logoPath, colour }: Seller, { locale }: Texts, publicUrl: string): EmailLook {
  return { name, logoUrl: logoPath && `${publicUrl}${logoPath}`, colour, locale }
}

/** A complete document. */
export function emailHtml(look: EmailLook, { subject, text, action }: EmailContent): string {
  const colour = look.colour ?? usualColour
  const paragraphs = text.trimEnd().split('\n\n')
  const content = paragraphs.map(
    (paragraph) => `<p style="margin:0 0 16px">${linesOf(paragraph, colour, action)}</p>`,
  )
  return `<!doctype html>
<html lang="${look.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: ${darkPage} !important }
  .card { background: ${darkCard} !important; color: ${darkInk} !important }
  .card a:not(.button) { color: ${readableOn(colour, darkCard)} !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${page}">
<table ${table} class="page" style="background:${page}"><tr><td align="center" style="padding:24px 12px">
<table ${table} class="card" style="max-width:600px;table-layout:fixed;background:${card};color:${ink};font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;text-align:left;border-top:6px solid ${colour}">
<tr><td style="padding:24px 24px 8px">${headOf(look)}</td></tr>
<tr><td style="padding:8px 24px;word-break:break-word">
${content.join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** The logo lies on white, since it may have been drawn for that. */
function headOf({ name, logoUrl }: EmailLook): string {
  const words = escapeHtml(name)
  if (!logoUrl) return `<strong style="font-size:18px">${words}</strong>`
  return `<img src="${escapeHtml(logoUrl)}" alt="${words}" height="64" style="display:block;height:64px;max-width:100%;width:auto;border:0;background:#ffffff;font-weight:bold">`
}

function linesOf(paragraph: string, colour: string, action: EmailAction | undefined): string {
  const style = `color:${readableOn(colour, card)}`
  return paragraph
    .split('\n')
    .map((line) => (action && line === action.url ? buttonOf(action, colour) : lineToHtml(line, style)))
    .join('<br>\n')
}

function buttonOf({ url, label }: EmailAction, colour: string): string {
  const style = `display:inline-block;margin-top:8px;padding:10px 20px;border-radius:6px;background:${colour};color:${textOn(colour)};text-decoration:none;font-weight:bold`
  return linkTo(url, escapeHtml(label), style).replace('<a ', '<a class="button" ')
}
