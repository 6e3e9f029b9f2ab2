/**
 * The two modes of the dashboard. The address of a page has the mode: `/dashboard/test/bookings` is the page
 * `/dashboard/bookings` of the test account. Links, tabs, forms and the back button keep their mode.
 */
import type { Mode } from '../../accounts/users/model.ts'
import { Markup } from '../../http/pages.ts'

const livePrefix = '/dashboard'
const testPrefix = '/dashboard/test'

/** The page on which owners start test mode. */
export const testModePath = '/dashboard/test-mode'

export function modeOf(url: string): Mode {
  return isBelow(testPrefix, url) ? 'test' : 'live'
}

/** The address of a page for the router, the same in both modes. */
export function routedUrl(url: string): string {
  return modeOf(url) === 'test' ? livePrefix + url.slice(testPrefix.length) : url
}

/**
 * The kind of a page. `data`: each mode has its own. `catalogue`: both modes share it, and only live mode can change it.
 * `account`: only live mode has it, such as the account, users, keys, health, queues, signing in and static files.
 * @param path an address in live mode, or the pattern of a route.
 */
export function kindOf(path: string): 'data' | 'catalogue' | 'account' {
  if (accountPages.test(path)) return 'account'
  return cataloguePages.test(path) ? 'catalogue' : 'data'
}

const accountPages =
  /^\/dashboard\/(account|sign-in|sign-out|sign-out-everywhere|users|health|queues|assets|test-mode|partners\/(keys|secrets))(?![^/?])/
const cataloguePages =
  /^\/dashboard\/(catalogue|promotions|emails\/workflows|partners\/[^/?]+|calendar\/closures|calendar\/reopen|calendar\/timeslots\/[^/?]+(?!\/(waitlist|message)))(?![^/?])/

/** The address of a page in a mode. A page of the kind `account` has the same address in both modes. */
export function inMode(mode: Mode, path: string): string {
  if (mode === 'live' || !isBelow(livePrefix, path) || modeOf(path) === 'test') return path
  return kindOf(path) === 'account' ? path : testPrefix + path.slice(livePrefix.length)
}

/** The content of a page, with links and forms that keep the mode. */
export function linksInMode(mode: Mode, { text }: Markup): Markup {
  // Quotation marks in people's text are escaped, so only our attributes match.
  const attribute = / (href|action|formaction)="([^"]*)"/g
  return new Markup(
    mode === 'live'
      ? text
      : text.replaceAll(attribute, (_, name: string, path: string) => ` ${name}="${inMode(mode, path)}"`),
  )
}

/** The name of a file, with a mark in test mode. */
export function fileNameIn(mode: Mode, name: string): string {
  return mode === 'test' ? `test-${name}` : name
}

/** Whether an address is `prefix`, or a path below it. */
export function isBelow(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && /^[/?#]?$/.test(url.charAt(prefix.length))
}
