/** The text of the e-mail about a paused webhook endpoint. Pure. */
import { addDays } from '../../platform/text/calendar.ts'
import { longDate } from '../../platform/text/local-time.ts'
import { pausedDays } from '../webhooks/deliveries/model.ts'
import type { PausedEndpoint } from './facts.ts'
import type { Words } from './words.ts'

/** @param page where users of the dashboard resume it. */
export function pausedWords(accountName: string, endpoint: PausedEndpoint, page: string): Words {
  const { isPartners, unfinished, pausedAt } = endpoint
  // The query string may contain a secret of the receiver.
  const url = endpoint.url.replace(/\?.*$/, '')
  const about = [
    url,
    ...(endpoint.description ? [endpoint.description] : []),
    ...(isPartners ? [`For: ${endpoint.partnerName ?? 'keys without a partner'}`] : []),
  ]
  const waiting =
    unfinished === 1 ? '1 delivery to it waits' : `${unfinished.toLocaleString('en')} deliveries to it wait`
  const last = longDate(addDays(pausedAt.slice(0, 10), pausedDays))
  return {
    subject: `Webhooks are paused: ${new URL(url).host}`,
    text: `${[
      'Good day,',
      'this webhook endpoint is paused. Nothing is sent to it until it is resumed:',
      about.join('\n'),
      [whyOf(endpoint), lastTry(endpoint)].filter(Boolean).join(' '),
      `${waiting}, and so does everything that happens from now on. Nothing is lost if the endpoint is resumed before ${last}.`,
      howToResume(accountName, endpoint, page),
      accountName,
    ].join('\n\n')}\n`,
  }
}

function whyOf({ reason, failingSince, pausedAt, timeZone }: PausedEndpoint): string {
  if (reason === 'gone')
    return `On ${instantText(pausedAt, timeZone)} it responded 410 (Gone), which means that the endpoint does not exist any more.`
  return `No delivery has arrived since ${instantText(failingSince ?? pausedAt, timeZone)}.`
}

/** Empty where the reason already says the same. */
function lastTry({ reason, httpStatus, fault }: PausedEndpoint): string {
  if (reason === 'gone') return ''
  if (httpStatus !== null) return `The response to the last try had the status ${httpStatus}.`
  return fault ? `The last try got no response: ${fault}` : ''
}

function howToResume(
  accountName: string,
  { id, isPartners, hasEmail }: PausedEndpoint,
  page: string,
): string {
  const theirs = isPartners && hasEmail
  const here = `${theirs ? `Users of the dashboard of ${accountName} resume it` : 'When it works again, resume it'} here:\n${page}`
  return theirs
    ? `When it works again, resume it with your API key: POST /api/v2/ota/webhooks/${id}/resume. ${here}`
    : here
}

function instantText(local: string, timeZone: string): string {
  return `${longDate(local.slice(0, 10))} at ${local.slice(11)} (${timeZone})`
}
