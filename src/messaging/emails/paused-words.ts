/** The text of the e-mail about a paused webhook endpoint. Pure. */
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import { addDays } from '../../platform/text/calendar.ts'
import { pausedDays } from '../webhooks/deliveries/model.ts'
import type { PausedEndpoint } from './facts.ts'
import type { Words } from './words.ts'

export type PausedEmailContext = {
  t: Texts
  accountName: string
  endpoint: PausedEndpoint
  /** The URL of the page on which users of the dashboard resume the endpoint. */
  page: string
}

export function pausedWords(letter: PausedEmailContext): Words {
  const { t, accountName, endpoint, page } = letter
  const { isPartners, partnerName: partner, unfinished: count, pausedAt } = endpoint
  // The query string may contain a secret of the receiver.
  const url = endpoint.url.replace(/\?.*$/, '')
  const about = [
    url,
    ...(endpoint.description ? [endpoint.description] : []),
    ...(isPartners ? [partner ? t.say('paused.for', { partner }) : t.say('paused.for-nobody')] : []),
  ]
  const date = t.date(addDays(pausedAt.slice(0, 10), pausedDays))
  return {
    hasOwnFooter: true,
    subject: t.say('paused.subject', { host: new URL(url).host }),
    text: `${[
      t.say('email.greeting.nobody'),
      t.say('paused.opening'),
      about.join('\n'),
      [whyOf(letter), lastTry(letter)].filter(Boolean).join(' '),
      t.say('paused.waiting', { count, date }),
      howToResume(letter),
      accountName,
    ].join('\n\n')}\n`,
    action: { url: page, label: t.say('paused.button') },
  }
}

function whyOf({
  t,
  endpoint: { reason, failingSince, pausedAt, timeZone: zone },
}: PausedEmailContext): string {
  if (reason === 'gone') return t.say('paused.gone', { when: t.dateTime(pausedAt), zone })
  return t.say('paused.failing', { when: t.dateTime(failingSince ?? pausedAt), zone })
}

/** Empty if the endpoint responded 410, which whyOf() already says, or if no failed try is known. */
function lastTry({ t, endpoint: { reason, httpStatus: status, fault } }: PausedEmailContext): string {
  if (reason === 'gone') return ''
  if (status !== null) return t.say('paused.status', { status })
  return fault ? t.say('paused.fault', { fault: faultIn(t, fault) }) : ''
}

function howToResume({
  t,
  accountName,
  endpoint: { id, isPartners, hasEmail },
  page,
}: PausedEmailContext): string {
  if (!isPartners || !hasEmail) return `${t.say('paused.resume')}\n${page}`
  const path = `/api/v2/ota/webhooks/${id}/resume`
  return `${t.say('paused.resume-by-key', { path })} ${t.say('paused.resume-by-users', { seller: accountName })}\n${page}`
}
