/** The layout of every page of the dashboard, and small parts that pages share. */
import type { FastifyReply } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import { translateFaults } from '../../http/translated-faults.ts'
import type { Texts } from '../../languages/texts.ts'
import { assetUrl } from './assets.ts'
import { banner, testBand } from './banner.ts'
import { sayRequired } from './field-label.ts'
import { attributes } from './forms.ts'
import { icon } from './icons.ts'
import { linksInMode } from './mode.ts'
import { doneWords } from './notices.ts'
import { addressAfterForm } from './page-before.ts'
import type { Session } from './session.ts'
import { textsFor } from './texts.ts'

/** The files of every page. */
const everywhere = ['tabler.css', 'dashboard.css', 'frame.css', 'forms.css', 'tables.css', 'dashboard.js']

export type DashboardPage = {
  title: string
  /** Content beside the title, such as a status. */
  aside?: Markup
  body: Markup
  status?: number
  /** Further files of `assets/` for this page, such as `calendar.css` or `live.js`. */
  assets?: readonly string[]
}

/**
 * Sends a page of the dashboard. With a session, the page has the menu and the notice of the last action, and
 * its links and forms keep the mode.
 */
export function sendDashboard(
  reply: FastifyReply,
  session: Session | null,
  page: DashboardPage,
): FastifyReply {
  const { title, aside, body, status = 200, assets = [] } = page
  const { url, method } = reply.request
  const t = textsFor(reply.request)
  // The address to which a form is sent may still select the notice of an earlier action.
  const done = session && method !== 'POST' && doneWords(t, url)
  const said = sayRequired(t, translateFaults(t, body))
  const document = html`<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${session ? html` · ${session.mode === 'test' ? t.say('test-mode.suffix', { account: session.user.accountName }) : session.user.accountName}` : ''}</title>
<link rel="icon" href="data:,">
${[...everywhere, ...assets].map(assetTag)}
</head>
<body${attributes({
    'data-no-network': t.say('page.no-network'),
    ...(assets.includes('live.js') && liveWords(t)),
    'data-form-page': addressAfterForm(reply.request, status),
  })}>
<a class="skip" href="#content">${t.say('page.skip')}</a>
${session ? banner(session, t, url) : ''}
${session?.mode === 'test' ? testBand(t, url) : ''}
<main id="content" tabindex="-1">
${session ? '' : html`<p class="service">${t.say('sign-in.service')}</p>`}
${aside ? html`<div class="title"><h1>${title}</h1>${aside}</div>` : html`<h1>${title}</h1>`}
${done ? html`<p role="status" class="done">${done}</p>` : ''}
${session ? linksInMode(session.mode, said) : said}
</main>
</body>
</html>
`
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(document.text)
}

/** The texts that `live.js` shows. It replaces `{time}`. */
function liveWords(t: Texts) {
  return {
    'data-updated': t.say('page.updated', { time: '{time}' }),
    'data-signed-out': t.say('page.signed-out'),
  }
}

function assetTag(name: string): Markup {
  const url = assetUrl(name)
  return name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${url}">\n`
    : html`<script type="module" src="${url}"></script>\n`
}

/** A badge with more letters may wrap. */
const longBadge = 24

/** A highlighted word, such as a status. `kind` selects its colour. The text must be clear without the colour. */
export function badge(text: string, kind: 'good' | 'warn' | 'bad' | 'quiet' | 'accent' = 'quiet'): Markup {
  return html`<span class="badge ${kind}${text.length > longBadge ? ' long' : ''}">${text}</span>`
}

export type Column<Row> = {
  head: string
  cell: (row: Row) => Markup | string | number
  numeric?: boolean
  /**
   * Where the cell is on a card. In a narrow window each row becomes a card, if a column is a `name` or
   * `title`. `name`: at the top; `side`: at the top right; `title`: the cell with the link of the card, below
   * the lines, or at the top if no column is a `name`; `headed`: a line that begins with the head; `line` or
   * nothing: a line without the head; `hidden`: shown neither on the card nor in the table of a window that is
   * slightly too wide for cards.
   */
  onCard?: 'name' | 'title' | 'side' | 'line' | 'headed' | 'hidden'
}

/**
 * A table that scrolls sideways if it is wider than the page. Screen readers read its caption. If a column has
 * `onCard` `name` or `title`, each row becomes a card in a narrow window, and a tap on the card follows the link
 * in the cell `title`, except on other links and buttons. In any other table, each row becomes a list of cells
 * with their heads on a phone. The elements have explicit roles, because browsers drop the roles of a table in
 * these layouts.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const kind = ({ numeric, onCard }: Column<Row>) =>
    attributes({ class: numeric ? 'numeric' : undefined, 'data-card': onCard })
  const cell = (column: Column<Row>, row: Row) =>
    html`<td role="cell" data-head="${column.head}"${kind(column)}>${column.cell(row)}</td>`
  const isCards = columns.some(({ onCard }) => onCard === 'title' || onCard === 'name')
  return html`<div class="scroller${isCards ? ' cards' : ''}" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader"${kind(column)}>${column.head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((column) => cell(column, row))}</tr>\n`)}</tbody>
</table></div>`
}

/** The text of an empty list. */
export function emptyState(text: string): Markup {
  return html`<p class="empty">${icon('empty')}<span>${text}</span></p>`
}

/** The query of an address with its question mark; empty if there is none. */
export function searchOf(url: string): string {
  return new URL(url, 'http://here').search
}

/** The link to the next page of a list: the same address with the cursor. Empty if the cursor is null. */
export function nextLink(t: Texts, url: string, cursor: string | null, parameter = 'Cursor'): Markup {
  if (cursor === null) return html``
  const next = new URL(url, 'http://here')
  next.searchParams.set(parameter, cursor)
  next.searchParams.delete('done')
  return html`<p class="pager"><a rel="next" href="${next.pathname}${next.search}">${t.say('page.more')}</a></p>`
}

/**
 * The address of a page, with the parameter `done` that selects its notice. A POST redirects to this address
 * (303), so that a reload does not send the form again. The result has no fragment, even if the path has one.
 */
export function doneAt(path: string, word: string, count?: number): string {
  const { pathname, searchParams } = new URL(path, 'http://here')
  // `set` replaces the `done` of an earlier action.
  searchParams.set('done', word)
  if (count === undefined) searchParams.delete('count')
  else searchParams.set('count', String(count))
  return `${pathname}?${searchParams}`
}
