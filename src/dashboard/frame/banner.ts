/** The header of every page of a signed-in user: sections, search, mode and user. */
import type { Mode } from '../../accounts/users/model.ts'
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { Texts } from '../../languages/texts.ts'
import { attributes, postForm } from './forms.ts'
import { type IconName, icon } from './icons.ts'
import { inMode, isBelow, kindOf, linksInMode, routedUrl, testModePath } from './mode.ts'
import { maxRefundsCounted, type Session } from './session.ts'
import { unseen } from './text-tags.ts'

type Group = { name: 'day' | 'products' | 'messages' | 'business' | 'system'; sections: readonly Section[] }
type Section = { path: string; icon: SectionName; role?: 'owner' }
/** The name of a section is the name of its icon. */
type SectionName = Extract<
  IconName,
  | 'today'
  | 'scan'
  | 'bookings'
  | 'sell'
  | 'till'
  | 'refunds'
  | 'calendar'
  | 'catalogue'
  | 'promotions'
  | 'emails'
  | 'workflows'
  | 'reports'
  | 'usage'
  | 'partners'
  | 'webhooks'
  | 'users'
  | 'settings'
  | 'health'
>

const refundsPath = '/dashboard/refunds'

const firstPath = '/dashboard/today'

/** The sections in the order of the menu, in groups. A section with a role is only for users with that role. */
const groups: readonly Group[] = [
  {
    name: 'day',
    sections: [
      { path: firstPath, icon: 'today' },
      { path: '/dashboard/scan', icon: 'scan' },
      { path: '/dashboard/bookings', icon: 'bookings' },
      { path: '/dashboard/sell', icon: 'sell' },
      { path: '/dashboard/till', icon: 'till' },
      { path: refundsPath, icon: 'refunds' },
      { path: '/dashboard/calendar', icon: 'calendar' },
    ],
  },
  {
    name: 'products',
    sections: [
      { path: '/dashboard/catalogue', icon: 'catalogue' },
      { path: '/dashboard/promotions', icon: 'promotions' },
    ],
  },
  {
    name: 'messages',
    sections: [
      { path: '/dashboard/emails', icon: 'emails' },
      { path: '/dashboard/emails/workflows', icon: 'workflows' },
    ],
  },
  {
    name: 'business',
    sections: [
      { path: '/dashboard/reports', icon: 'reports', role: 'owner' },
      { path: '/dashboard/partners', icon: 'partners', role: 'owner' },
      { path: '/dashboard/users', icon: 'users', role: 'owner' },
      { path: '/dashboard/settings', icon: 'settings', role: 'owner' },
    ],
  },
  {
    name: 'system',
    sections: [
      { path: '/dashboard/usage', icon: 'usage' },
      { path: '/dashboard/webhooks', icon: 'webhooks', role: 'owner' },
      { path: '/dashboard/health', icon: 'health', role: 'owner' },
    ],
  },
]

export function banner(session: Session, t: Texts, url: string): Markup {
  const { accountName, email, role } = session.user
  const shown = groups
    .map(({ name, sections }) => ({
      name,
      sections: sections.filter((section) => section.role === undefined || section.role === role),
    }))
    .filter(({ sections }) => sections.length > 0)
  const current = sectionOf(
    shown.flatMap(({ sections }) => sections),
    url,
  )
  const lists = shown.map(
    ({ name, sections }) => html`<p class="menu-group">${t.say(`menu.group.${name}`)}</p>
<ul>${sections.map((section) => menuItem(session, t, section, section === current))}</ul>`,
  )
  return html`<header class="banner">
<button type="button" class="secondary open-menu" popovertarget="menu">${icon('menu')}<span class="unseen">${t.say('menu.open')}</span></button>
<p class="account">${accountName}</p>
<div id="menu" class="menu" popover><p class="account">${accountName}</p>
${modeSwitch(session, t, current?.path ?? firstPath, url)}
<nav class="sections" aria-label="${t.say('menu.sections')}">${linksInMode(session.mode, html`${lists}`)}</nav></div>
${linksInMode(session.mode, finder(t, url))}
<details class="user"><summary>${icon('user')}<span class="name">${email}</span></summary>
<div class="user-menu"><p><a href="/dashboard/account">${t.say('account.title')}</a></p>
${postForm(session, '/dashboard/sign-out', html`<button class="secondary">${t.say('menu.sign-out')}</button>`)}</div>
</details>
</header>`
}

/** The section of a page: the one with the longest path that the address begins with. */
function sectionOf(sections: readonly Section[], url: string): Section | undefined {
  const [nearest] = sections
    .filter(({ path }) => isBelow(path, url))
    .sort((one, other) => other.path.length - one.path.length)
  return nearest
}

function menuItem(session: Session, t: Texts, { path, icon: name }: Section, isCurrent: boolean): Markup {
  const link = { href: path, 'aria-current': isCurrent ? 'page' : undefined }
  return html`<li><a${attributes(link)}>${icon(name)}${t.say(`menu.${name}`)}${path === refundsPath ? dueCount(session, t) : ''}</a></li>`
}

/** The number of due refunds; empty if there are none. */
function dueCount({ refundsDue = 0 }: Session, t: Texts): Markup {
  if (refundsDue === 0) return html``
  const count = refundsDue === maxRefundsCounted ? `${refundsDue - 1}+` : refundsDue
  return html` ${markupOf(t, 'menu.refunds-due', {
    count: (words) => html`<span class="badge warn">${words}</span>`,
    due: count,
    unseen,
  })}`
}

/**
 * The search field for bookings. Empty on the list of bookings, because this page has its own search field.
 */
function finder(t: Texts, url: string): Markup {
  if (isBookingList(url)) return html``
  return html`<form method="get" action="/dashboard/bookings" class="find" role="search" aria-label="${t.say('menu.bookings')}">
<label class="unseen" for="find">${t.say('menu.find')}</label>
<input type="search" id="find" name="Search" maxlength="255" placeholder="${t.say('menu.find')}" autocomplete="off">
<button class="secondary">${icon('search')}<span class="unseen">${t.say('menu.find.button')}</span></button></form>`
}

function isBookingList(url: string): boolean {
  return routedUrl(url).replace(/\?.*$/s, '') === '/dashboard/bookings'
}

/**
 * The links to both modes. A page of the kind `catalogue` links to itself, and any other page to its section.
 * If the page has no section, both links lead to Today. So does the link to test mode if test mode does
 * not have the section. Without a test account, the link to test mode leads to the page that starts test mode.
 */
function modeSwitch({ mode, user }: Session, t: Texts, section: string, url: string): Markup {
  const page = kindOf(url) === 'catalogue' ? withoutDone(url) : section
  const test = kindOf(page) === 'account' ? firstPath : page
  const item = (to: Mode, label: string, href: string) =>
    html`<li><a${attributes({ href, 'aria-current': to === mode ? 'true' : undefined })}>${label}</a></li>`
  return html`<nav class="mode" aria-label="${t.say('menu.mode')}"><ul>
${item('live', t.say('menu.live'), page)}
${item('test', t.say('menu.test'), user.hasTestAccount ? inMode('test', test) : testModePath)}
</ul></nav>`
}

/** The banner of test mode, which stays visible when a page is scrolled. */
export function testBand(t: Texts, url: string): Markup {
  const live = (words: Markup) => html`<a href="${withoutDone(url)}">${words}</a>`
  const catalogue = html` ${markupOf(t, 'test-mode.catalogue', { live })}`
  return html`<aside class="test-band" aria-label="${t.say('test-mode.title')}"><p>${markupOf(t, 'test-mode.band')}${kindOf(url) === 'catalogue' ? catalogue : ''}</p></aside>`
}

/** The address of a page without the parameter `done`, which would show the notice again. */
function withoutDone(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://here')
  searchParams.delete('done')
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}
