/**
 * The icons of the pages, from the icon set Tabler. The build writes the icons that this file names to
 * dist/assets/icons.svg.
 */
import { html, type Markup } from '../../http/pages.ts'
import { assetUrl } from './assets.ts'

/** The names of icons on our pages, with their names in Tabler. */
export const icons = {
  today: 'sun',
  scan: 'qrcode',
  bookings: 'ticket',
  sell: 'shopping-cart',
  till: 'cash-register',
  refunds: 'receipt-refund',
  calendar: 'calendar-week',
  reports: 'chart-bar',
  usage: 'gauge',
  catalogue: 'list-details',
  promotions: 'rosette-discount',
  emails: 'mail',
  workflows: 'route',
  partners: 'affiliate',
  webhooks: 'webhook',
  users: 'users',
  settings: 'settings',
  health: 'heartbeat',
  menu: 'menu-2',
  search: 'search',
  filters: 'adjustments-horizontal',
  user: 'user-circle',
  empty: 'inbox',
} as const

export type IconName = keyof typeof icons

/** An icon beside words with the same meaning, so that screen readers skip it. */
export function icon(name: IconName): Markup {
  return html`<svg class="icon" aria-hidden="true"><use href="${assetUrl('icons.svg')}#${name}"/></svg>`
}
