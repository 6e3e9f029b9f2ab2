/**
 * The HTML part of an e-mail in the operator's look: the words of the text part, with the logo or name above them and
 * the operator's contact data below. It uses tables and inline styles, because mail programs support little else. Pure.
 */
import type { Locale } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import { readableOn, textOn } from '../../platform/text/colour.ts'
import { phoneText } from '../../platform/text/phone.ts'
import { escapeHtml, lineToHtml, linkTo } from '../../platform/text/text-to-html.ts'
import { mailAddress, phoneAddress } from '../../sales/business-details/contact-links.ts'
import type { Seller } from '../../sales/business-details/service.ts'

export type EmailLook = {
  name: string
  /** The absolute URL of the logo; null for none. */
  logoUrl: string | null
  /** `#rrggbb`; null for the colour of the service. */
  colour: string | null
  locale: Locale
  /** The labels of buttons that lead to pages of this service. `start` is the beginning of the URL of such a page. */
  buttons?: readonly { start: string; label: string }[]
  /** The footer as lines of HTML: the operator's name and contact data. */
  foot?: readonly string[]
}

/** The main link of an e-mail. In the text part it is a line of its own; in HTML it is a button. */
export type EmailAction = { url: string; label: string }

export type EmailContent = {
  subject: string
  text: string
  action?: EmailAction | undefined
  /** The paragraphs of `text` that list data of the booking. In HTML they become tables. */
  facts?: readonly string[] | undefined
}

const defaultColour = '#0a5bb0'
const [page, card, ink] = ['#f5f7fa', '#ffffff', '#1c2733']
const [darkPage, darkCard, darkInk] = ['#131b26', '#1a2534', '#e6ebf1']
const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"'

/** @param publicUrl the URL of the service, to which the paths of the logo and of linked pages are appended. */
export function lookOf(seller: Seller, t: Texts, publicUrl: string): EmailLook {
  const { name, logoPath, colour } = seller
  const buttons = [
    { start: `${publicUrl}/tickets/`, label: t.say('email.tickets.button') },
    { start: `${publicUrl}/waitlist/`, label: t.say('email.offer.button') },
  ]
  const logoUrl = logoPath && `${publicUrl}${logoPath}`
  return { name, logoUrl, colour, locale: t.locale, buttons, foot: footOf(seller) }
}

/** Returns no lines if the account has no contact data, because the header already has its name. */
function footOf({ name, addressLines, phone, email, colour }: Seller): string[] {
  const style = `color:${readableOn(colour ?? defaultColour, card)}`
  const lines = [
    ...(addressLines.length > 0 ? [escapeHtml(addressLines.join(', '))] : []),
    ...(phone ? [linkTo(phoneAddress(phone), escapeHtml(phoneText(phone, null)), style)] : []),
    ...(email ? [linkTo(mailAddress(email), escapeHtml(email), style)] : []),
  ]
  return lines.length > 0 ? [`<strong>${escapeHtml(name)}</strong>`, ...lines] : []
}

/** Returns a complete HTML document. */
export function emailHtml(look: EmailLook, content: EmailContent): string {
  const { subject, text, facts = [] } = content
  const colour = look.colour ?? defaultColour
  const paragraphs = text
    .trimEnd()
    .split('\n\n')
    .map((paragraph) =>
      facts.includes(paragraph)
        ? factsTable(paragraph, colour)
        : `<p style="margin:0 0 16px">${linesOf(paragraph, look, content)}</p>`,
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
${paragraphs.join('\n')}
</td></tr>${footRow(look)}
</table>
</td></tr></table>
</body>
</html>
`
}

/**
 * The logo gets a white background, because many logos are drawn for white and would be unreadable on a dark
 * card.
 */
function headOf({ name, logoUrl }: EmailLook): string {
  const words = escapeHtml(name)
  if (!logoUrl) return `<strong style="font-size:18px">${words}</strong>`
  return `<img src="${escapeHtml(logoUrl)}" alt="${words}" height="64" style="display:block;box-sizing:content-box;height:64px;max-width:calc(100% - 24px);width:auto;padding:8px 12px;border:0;border-radius:8px;background:#ffffff;color:${ink};font-weight:bold">`
}

function footRow({ foot = [] }: EmailLook): string {
  if (foot.length === 0) return ''
  return `\n<tr><td style="padding:0 24px 24px"><p style="margin:8px 0 0;padding-top:16px;border-top:1px solid #8b95a1;font-size:14px">${foot.join('<br>\n')}</p></td></tr>`
}

/** Writes each line as a row of a table, the first one in bold. */
function factsTable(paragraph: string, colour: string): string {
  const rows = paragraph.split('\n').map((line, index) => {
    const words = lineToHtml(line, `color:${readableOn(colour, card)}`)
    return `<tr><td style="padding:2px 0 2px 12px;border-left:4px solid ${colour}">${index === 0 ? `<strong>${words}</strong>` : words}</td></tr>`
  })
  return `<table ${table} style="margin:0 0 16px">\n${rows.join('\n')}\n</table>`
}

function linesOf(paragraph: string, look: EmailLook, { action }: EmailContent): string {
  const colour = look.colour ?? defaultColour
  return paragraph
    .split('\n')
    .map((line) => {
      const button = action?.url === line ? action : ownButton(look, line)
      return button ? buttonOf(button, colour) : lineToHtml(line, `color:${readableOn(colour, card)}`)
    })
    .join('<br>\n')
}

/** The button for a line that consists only of a link to a page that `buttons` lists; null for other lines. */
function ownButton({ buttons = [] }: EmailLook, line: string): EmailAction | null {
  const url = line.trim()
  const own = buttons.find(({ start }) => url.startsWith(start))
  return own && /^[\w:/.-]+$/.test(url) ? { url, label: own.label } : null
}

function buttonOf({ url, label }: EmailAction, colour: string): string {
  const style = `display:inline-block;margin-top:8px;padding:10px 20px;border-radius:6px;background:${colour};color:${textOn(colour)};text-decoration:none;font-weight:bold`
  return linkTo(url, escapeHtml(label), style).replace('<a ', '<a class="button" ')
}
