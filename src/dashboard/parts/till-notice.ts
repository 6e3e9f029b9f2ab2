/** What stands beside cash while the user has no till open for it. Nothing is held up by it. Pure. */
import { html, type Markup } from '../../http/pages.ts'

/**
 * Beside the choice of how is paid: shown while that is cash, by the stylesheet.
 * @param tills the currencies in which the user has a till open.
 */
export function noTillNotice(
  tills: readonly string[],
  currency: string,
  cash = 'This cash is listed under cash outside of tills.',
): Markup {
  if (tills.includes(currency)) return html``
  const which = tills.length > 0 ? `No till is open in ${currency}.` : 'No till is open.'
  return html`<p class="no-till no-print">${which} ${cash} <a href="/dashboard/till">Open a till</a></p>`
}
