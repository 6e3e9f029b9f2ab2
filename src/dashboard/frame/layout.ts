/** What every page of the dashboard has around its own content, and the small parts that pages share. */
import type { FastifyReply } from 'fastify'
import type { Mode } from '../../accounts/users/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { sayFaultsOnce } from './faults-once.ts'
import { attributes, postForm } from './forms.ts'
import { inMode, isBelow, keepMode, kindOf, routedUrl, testModePath } from './mode.ts'
import { doneWords } from './notices.ts'
import { mostRefundsCounted, type Session } from './session.ts'

type Section = { path: string; label: string; role?: 'owner' }

const refundsPath = '/dashboard/refunds'

/** The sections, in the order of the navigation; those with a role are for users who have it. */
const sections: readonly Section[] = [
  { path: '/dashboard/today', label: 'Today' },
  { path: '/dashboard/scan', label: 'Scan' },
  { path: '/dashboard/bookings', label: 'Bookings' },
  { path: '/dashboard/sell', label: 'Sell' },
  { path: '/dashboard/till', label: 'Till' },
  { path: refundsPath, label: 'Refunds' },
  { path: '/dashboard/calendar', label: 'Calendar' },
  { path: '/dashboard/reports', label: 'Reports', role: 'owner' },
  { path: '/dashboard/usage', label: 'Usage' },
  { path: '/dashboard/catalogue', label: 'Catalogue' },
  { path: '/dashboard/promotions', label: 'Promotions' },
  { path: '/dashboard/emails', label: 'E-mails' },
  { path: '/dashboard/partners', label: 'Partners', role: 'owner' },
  { path: '/dashboard/webhooks', label: 'Webhooks', role: 'owner' },
  { path: '/dashboard/users', label: 'Users', role: 'owner' },
  { path: '/dashboard/health', label: 'Health' },
]

export type DashboardPage = {
  title: string
  body: Markup
  status?: number
  /** Files of `assets/` that only this page needs, such as `calendar.css` or `live.js`. */
  assets?: readonly string[]
}

/** Answers a page of the dashboard, with the navigation when somebody is signed in. */
export function sendDashboard(
  reply: FastifyReply,
  session: Session | null,
  page: DashboardPage,
): FastifyReply {
  const { title, body, status = 200, assets = [] } = page
  const { url } = reply.request
  const done = session && doneWords(url)
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${session ? html` · ${session.user.accountName}${session.mode === 'test' ? ' (test mode)' : ''}` : ''}</title>
<link rel="icon" href="data:,">
${['dashboard.css', 'dashboard.js', ...assets].map(assetTag)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${session ? banner(session, url) : ''}
${session?.mode === 'test' ? testBand(url) : ''}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${done ? html`<p role="status" class="done">${done}</p>` : ''}
${session ? keepMode(session.mode, sayFaultsOnce(body)) : body}
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

function assetTag(name: string): Markup {
  const url = `/dashboard/assets/${name}`
  return name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${url}">\n`
    : html`<script type="module" src="${url}"></script>\n`
}

function banner(session: Session, url: string): Markup {
  const { accountName, email, role } = session.user
  const shown = sections.filter((section) => section.role === undefined || section.role === role)
  const items = html`${shown.map((section) => navigationItem(session, section, url))}`
  return html`<header class="banner">
<p class="account">${accountName}</p>
<nav aria-label="Sections"><ul>${keepMode(session.mode, items)}</ul></nav>
${keepMode(session.mode, finder(url))}
${modeSwitch(session, shown, url)}
<details class="user"><summary>${email}</summary>
<p><a href="/dashboard/account">Your sign-in</a></p>
${postForm(session, '/dashboard/sign-out', html`<button>Sign out</button>`)}
</details>
</header>`
}

/** Finds bookings from every page but their list, which has the field itself. */
function finder(url: string): Markup {
  if (isBookingList(url)) return html``
  return html`<form method="get" action="/dashboard/bookings" class="find" role="search" aria-label="Bookings">
<label class="unseen" for="find">Find a booking</label>
<input type="search" id="find" name="Search" maxlength="255" placeholder="Find a booking" autocomplete="off">
<button class="secondary">Find</button></form>`
}

function isBookingList(url: string): boolean {
  return routedUrl(url).replace(/\?.*$/s, '') === '/dashboard/bookings'
}

/** Leads to what is shown here in the other mode: a page of the catalogue, or else the section. */
function modeSwitch({ mode, user }: Session, shown: readonly Section[], url: string): Markup {
  const section = shown.find(({ path }) => isBelow(path, url)) ?? sections[0]!
  const page = kindOf(url) === 'catalogue' ? withoutDone(url) : section.path
  const test = kindOf(page) === 'account' ? sections[0]!.path : page
  const item = (to: Mode, label: string, href: string) =>
    html`<li><a${attributes({ href, 'aria-current': to === mode ? 'true' : undefined })}>${label}</a></li>`
  return html`<nav class="mode" aria-label="Mode"><ul>
${item('live', 'Live', page)}
${item('test', 'Test', user.hasTestAccount ? inMode('test', test) : testModePath)}
</ul></nav>`
}

/** What stands above every page in test mode, also when it is scrolled. */
function testBand(url: string): Markup {
  const catalogue = html` The catalogue is changed in <a href="${withoutDone(url)}">live mode</a>; test mode follows it.`
  return html`<aside class="test-band" aria-label="Test mode"><p><strong>Test mode</strong>: nothing here is sold.${kindOf(url) === 'catalogue' ? catalogue : ''}</p></aside>`
}

function navigationItem(session: Session, { path, label }: Section, url: string): Markup {
  const current = isBelow(path, url) ? 'page' : undefined
  return html`<li><a${attributes({ href: path, 'aria-current': current })}>${label}${path === refundsPath ? dueCount(session) : ''}</a></li>`
}

/** How many refunds wait; nothing where none does. */
function dueCount({ refundsDue = 0 }: Session): Markup {
  if (refundsDue === 0) return html``
  const count = refundsDue === mostRefundsCounted ? `${refundsDue - 1}+` : refundsDue
  return html` <span class="badge warn">${count}<span class="unseen"> due</span></span>`
}

/** The address of a page without the word of what was just done there. */
function withoutDone(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here')
  searchParams.delete('done')
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

/** A badge of more letters wraps where there is no room. */
const longBadge = 24

/** A word that stands out, such as a status; `kind` picks its colour, which is never the only sign. */
export function badge(text: string, kind: 'good' | 'warn' | 'bad' | 'quiet' | 'accent' = 'quiet'): Markup {
  return html`<span class="badge ${kind}${text.length > longBadge ? ' long' : ''}">${text}</span>`
}

export type Column<Row> = { head: string; cell: (row: Row) => Markup | string | number; numeric?: boolean }

/**
 * A table that can be scrolled sideways where it is wider than the page; `caption` is read to who cannot see it. On a
 * phone each row is a list of its cells under their heads: so the roles, which a cell that is no cell would lose.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const kind = ({ numeric }: Column<Row>) => attributes({ class: numeric ? 'numeric' : undefined })
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th scope="col" role="columnheader"${kind(column)}>${column.head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((column) => html`<td role="cell" data-head="${column.head}"${kind(column)}>${column.cell(row)}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}

/** What stands where a list has nothing to show. */
export function emptyState(text: string): Markup {
  return html`<p class="empty">${text}</p>`
}

/** What an address asks for, with its question mark; empty when it asks for nothing. */
export function searchOf(url: string): string {
  return new URL(url, 'http://here').search
}

/** The link to the rest of a list: the address of this page, at another position. */
export function nextLink(url: string, cursor: string | null, parameter = 'Cursor'): Markup {
  if (cursor === null) return html``
  const next = new URL(url, 'http://here')
  next.searchParams.set(parameter, cursor)
  next.searchParams.delete('done')
  return html`<p class="pager"><a rel="next" href="${next.pathname}${next.search}">Show more</a></p>`
}

/** The address of a page with a word that says what was just done; a POST leads there (303), so reload is safe. */
export function doneAt(path: string, word: string): string {
  const { pathname, searchParams } = new URL(path, 'http://here')
  // Not beside the word of what was done before.
  searchParams.set('done', word)
  return `${pathname}?${searchParams}`
}
