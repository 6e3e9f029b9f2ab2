/** The header of every page of a signed-in user: sections, search, mode and user. */
import type { Mode } from '../../accounts/users/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { attributes, postForm } from './forms.ts'
import { type IconName, icon } from './icons.ts'
import { inMode, isBelow, keepMode, kindOf, routedUrl, testModePath } from './mode.ts'
import { mostRefundsCounted, type Session } from './session.ts'

type Section = { path: string; label: string; icon: IconName; role?: 'owner' }

const refundsPath = '/dashboard/refunds'

/** The sections in the order of the menu, in groups. A section with a role is only for users with that role. */
const groups: readonly (readonly Section[])[] = [
  [
    { path: '/dashboard/today', label: 'Today', icon: 'today' },
    { path: '/dashboard/scan', label: 'Scan', icon: 'scan' },
    { path: '/dashboard/bookings', label: 'Bookings', icon: 'bookings' },
    { path: '/dashboard/sell', label: 'Sell', icon: 'sell' },
    { path: '/dashboard/till', label: 'Till', icon: 'till' },
    { path: refundsPath, label: 'Refunds', icon: 'refunds' },
    { path: '/dashboard/calendar', label: 'Calendar', icon: 'calendar' },
  ],
  [
    { path: '/dashboard/catalogue', label: 'Catalogue', icon: 'catalogue' },
    { path: '/dashboard/promotions', label: 'Promotions', icon: 'promotions' },
    { path: '/dashboard/emails', label: 'E-mails', icon: 'emails' },
    { path: '/dashboard/emails/workflows', label: 'Workflows', icon: 'workflows' },
  ],
  [
    { path: '/dashboard/reports', label: 'Reports', icon: 'reports', role: 'owner' },
    { path: '/dashboard/usage', label: 'Usage', icon: 'usage' },
    { path: '/dashboard/partners', label: 'Partners', icon: 'partners', role: 'owner' },
    { path: '/dashboard/webhooks', label: 'Webhooks', icon: 'webhooks', role: 'owner' },
    { path: '/dashboard/users', label: 'Users', icon: 'users', role: 'owner' },
    { path: '/dashboard/health', label: 'Health', icon: 'health', role: 'owner' },
  ],
]

const firstPath = groups[0]![0]!.path

export function banner(session: Session, url: string): Markup {
  const { accountName, email, role } = session.user
  const shown = groups
    .map((group) => group.filter((section) => section.role === undefined || section.role === role))
    .filter((group) => group.length > 0)
  const current = sectionOf(shown.flat(), url)
  const lists = shown.map(
    (group) => html`<ul>${group.map((section) => menuItem(session, section, section === current))}</ul>`,
  )
  return html`<header class="banner">
<button type="button" class="secondary open-menu" popovertarget="menu">${icon('menu')}<span class="unseen">Menu</span></button>
<p class="account">${accountName}</p>
<nav id="menu" class="sections" aria-label="Sections" popover>${keepMode(session.mode, html`${lists}`)}</nav>
${keepMode(session.mode, finder(url))}
${modeSwitch(session, current?.path ?? firstPath, url)}
<details class="user"><summary>${icon('user')}<span class="name">${email}</span></summary>
<div class="user-menu"><p><a href="/dashboard/account">Your sign-in</a></p>
${postForm(session, '/dashboard/sign-out', html`<button class="secondary">Sign out</button>`)}</div>
</details>
</header>`
}

/** The section of a page: the nearest one above it. */
function sectionOf(sections: readonly Section[], url: string): Section | undefined {
  const [nearest] = sections
    .filter(({ path }) => isBelow(path, url))
    .sort((one, other) => other.path.length - one.path.length)
  return nearest
}

function menuItem(session: Session, { path, label, icon: name }: Section, isCurrent: boolean): Markup {
  const link = { href: path, 'aria-current': isCurrent ? 'page' : undefined }
  return html`<li><a${attributes(link)}>${icon(name)}${label}${path === refundsPath ? dueCount(session) : ''}</a></li>`
}

/** The number of due refunds; empty if there are none. */
function dueCount({ refundsDue = 0 }: Session): Markup {
  if (refundsDue === 0) return html``
  const count = refundsDue === mostRefundsCounted ? `${refundsDue - 1}+` : refundsDue
  return html` <span class="badge warn">${count}<span class="unseen"> due</span></span>`
}

/** The search of bookings, on every page except their list, which has its own. */
function finder(url: string): Markup {
  if (isBookingList(url)) return html``
  return html`<form method="get" action="/dashboard/bookings" class="find" role="search" aria-label="Bookings">
<label class="unseen" for="find">Find a booking</label>
<input type="search" id="find" name="Search" maxlength="255" placeholder="Find a booking" autocomplete="off">
<button class="secondary">${icon('search')}<span class="unseen">Find</span></button></form>`
}

function isBookingList(url: string): boolean {
  return routedUrl(url).replace(/\?.*$/s, '') === '/dashboard/bookings'
}

/** The link to the same page in the other mode; if there is none, to its section. */
function modeSwitch({ mode, user }: Session, section: string, url: string): Markup {
  const page = kindOf(url) === 'catalogue' ? withoutDone(url) : section
  const test = kindOf(page) === 'account' ? firstPath : page
  const item = (to: Mode, label: string, href: string) =>
    html`<li><a${attributes({ href, 'aria-current': to === mode ? 'true' : undefined })}>${label}</a></li>`
  return html`<nav class="mode" aria-label="Mode"><ul>
${item('live', 'Live', page)}
${item('test', 'Test', user.hasTestAccount ? inMode('test', test) : testModePath)}
</ul></nav>`
}

/** The banner of test mode, which stays visible when a page is scrolled. */
export function testBand(url: string): Markup {
  const catalogue = html` The catalogue is changed in <a href="${withoutDone(url)}">live mode</a>; test mode follows it.`
  return html`<aside class="test-band" aria-label="Test mode"><p><strong>Test mode</strong>: nothing here is sold.${kindOf(url) === 'catalogue' ? catalogue : ''}</p></aside>`
}

/** The address of a page without the word for its notice. */
function withoutDone(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here')
  searchParams.delete('done')
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}
