/** The page for owners with links to settings of the account, and to their own page. */
import { html } from '../../http/pages.ts'
import type { Routes } from '../../http/routes.ts'
import type { TextKey } from '../../languages/keys.ts'
import { sendDashboard } from '../frame/layout.ts'
import { textsFor } from '../frame/texts.ts'

const links: readonly { path: string; title: TextKey; about: TextKey }[] = [
  { path: '/dashboard/business-details', title: 'business.title', about: 'settings.business' },
  { path: '/dashboard/payment-settings', title: 'pay-settings.title', about: 'settings.payment' },
  { path: '/dashboard/emails/workflows', title: 'menu.workflows', about: 'settings.workflows' },
  { path: '/dashboard/calendar/feeds', title: 'calendar.feeds.title', about: 'settings.feeds' },
  { path: '/dashboard/account', title: 'account.title', about: 'settings.account' },
]

/** Register this route in the scope that requires the role `owner`. */
export const settingsPages: Routes<object> = (app) => {
  app.get('/settings', { schema: { hide: true } }, async (request, reply) => {
    const t = textsFor(request)
    const rows = links.map(
      ({ path, title, about }) =>
        html`<div><dt><a href="${path}">${t.say(title)}</a></dt><dd>${t.say(about)}</dd></div>`,
    )
    const body = html`<section class="panel"><dl class="facts">${rows}</dl></section>`
    return sendDashboard(reply, request.session, {
      title: t.say('menu.settings'),
      body,
      assets: ['bookings.css'],
    })
  })
}
