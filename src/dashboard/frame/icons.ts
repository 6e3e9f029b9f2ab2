/** The icons of pages, drawn by Tabler. The build puts those that are named here into one file, dist/assets/icons.svg. */
import { html, type Markup } from '../../http/pages.ts'
import { assetUrl } from './assets.ts'

/** What pages call an icon, and what Tabler does. */
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
  health: 'heartbeat',
  menu: 'menu-2',
  search: 'search',
  filters: 'adjustments-horizontal',
  user: 'user-circle',
  empty: 'inbox',
} as const

export type IconName = keyof typeof icons

/** A drawing beside words that say the same: it is not read out. */
export function icon(name: IconName): Markup {
  return html`<svg class="icon" aria-hidden="true"><use href="${assetUrl('icons.svg')}#${name}"/></svg>`
}
