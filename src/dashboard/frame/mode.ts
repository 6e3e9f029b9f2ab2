/**
 * The two modes of the dashboard. The address says which one a page is in: `/dashboard/test/bookings` is the page
 * `/dashboard/bookings` of the test account. A link, a tab, a form and the way back keep the mode that they have.
 */
import type { Mode } from '../../accounts/users/model.ts'
import { Markup } from '../../http/pages.ts'

const livePrefix = '/dashboard'
const testPrefix = '/dashboard/test'

/** The page on which owners open test mode. */
export const testModePath = '/dashboard/test-mode'

export function modeOf(url: string): Mode {
  return isBelow(testPrefix, url) ? 'test' : 'live'
}

/** The address at which the router finds a page, which is the same in both modes. */
export function routedUrl(url: string): string {
  return modeOf(url) === 'test' ? livePrefix + url.slice(testPrefix.length) : url
}

/**
 * What a page is about: `data` of the mode; the `catalogue`, which is changed in live mode alone; or the `account` with
 * its people and keys, which stands in live mode alone.
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

/** The address of a page in a mode; of a page of the account, the only one that it has. */
export function inMode(mode: Mode, path: string): string {
  if (mode === 'live' || !isBelow(livePrefix, path) || modeOf(path) === 'test') return path
  return kindOf(path) === 'account' ? path : testPrefix + path.slice(livePrefix.length)
}

/** What a page shows, with its links and forms leading to pages in the same mode. */
export function keepMode(mode: Mode, { text }: Markup): Markup {
  // No text of people has a quotation mark in it that is not escaped.
  const attribute = / (href|action|formaction)="([^"]*)"/g
  return new Markup(
    mode === 'live'
      ? text
      : text.replaceAll(attribute, (_, name: string, path: string) => ` ${name}="${inMode(mode, path)}"`),
  )
}

/** The name of a file, which says when it is of test mode. */
export function fileNameIn(mode: Mode, name: string): string {
  return mode === 'test' ? `test-${name}` : name
}

/** Whether an address is this one or one below it. */
export function isBelow(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && /^[/?#]?$/.test(url.charAt(prefix.length))
}
