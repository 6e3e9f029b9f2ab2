/**
 * The two modes of the dashboard, live and test. The address of a page contains the mode:
 * `/dashboard/test/bookings` is the page `/dashboard/bookings` of the test account. So links, tabs, forms and
 * the back button keep the mode.
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
 * The kind of a page. `data`: each mode has its own data. `catalogue`: both modes show the same data, and
 * only live mode can change them. `account`: the page exists only in live mode, such as the pages of the
 * account, users, keys, health and queues, the sign-in page, and static files.
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

/**
 * The address of a page in a mode. A page of the kind `account` has the same address in both modes.
 * @param path the address in live mode. Any other address, outside the dashboard or with the prefix of test
 *   mode, is returned unchanged.
 */
export function inMode(mode: Mode, path: string): string {
  if (mode === 'live' || !isBelow(livePrefix, path) || modeOf(path) === 'test') return path
  return kindOf(path) === 'account' ? path : testPrefix + path.slice(livePrefix.length)
}

/** The content of a page, with links and forms that keep the mode. */
export function linksInMode(mode: Mode, { text }: Markup): Markup {
  // Quotation marks in texts of users are escaped, so only attributes that our code wrote match.
  const attribute = / (href|action|formaction)="([^"]*)"/g
  return new Markup(
    mode === 'live'
      ? text
      : text.replaceAll(attribute, (_, name: string, path: string) => ` ${name}="${inMode(mode, path)}"`),
  )
}

/** The name of a file; in test mode with the prefix `test-`. */
export function fileNameIn(mode: Mode, name: string): string {
  return mode === 'test' ? `test-${name}` : name
}

/** Whether an address is `prefix`, or a path below it. */
export function isBelow(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && /^[/?#]?$/.test(url.charAt(prefix.length))
}
