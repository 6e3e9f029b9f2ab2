/**
 * What `npm start` prints: the addresses of the service, the sign-in and the keys of a new demo, and three
 * requests to paste.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { toActivityId } from '../catalogue/model.ts'
import type { Demo } from '../demo/account.ts'
import type { BookableSlot } from './queries.ts'

export type Showing = {
  /**
   * The keys and the user of the demo, if this start has created it. Keys and password are stored only as
   * hashes, so print them now.
   */
  demo: Demo | null
  /** The timeslot that the requests look up and book. */
  slot: BookableSlot | null
}

/**
 * Waits until the web process responds on `baseUrl`, then prints. Prints nothing after `requested` has aborted.
 */
export async function announce(baseUrl: string, showing: Showing, requested: AbortSignal): Promise<void> {
  while (!requested.aborted) {
    const answer = await fetch(`${baseUrl}/healthz`).catch(() => null)
    if (answer?.ok) {
      process.stdout.write(greeting(baseUrl, showing))
      return
    }
    await delay(50)
  }
}

function greeting(baseUrl: string, { demo, slot }: Showing): string {
  const lines = ['', `The service listens on ${baseUrl}`, `Its reference is at ${baseUrl}/docs`]
  lines.push(`The dashboard is at ${baseUrl}/dashboard`)
  if (demo) lines.push(...shownOnce(demo))
  const key = demo?.key
  if (slot && !key) lines.push('To try it, make a key first:', makeKey(slot.account))
  if (slot) lines.push(...requests(`${baseUrl}/api/v2/ota/marketplace`, key ?? '$KEY', slot))
  return `${lines.join('\n')}\n\n`
}

function shownOnce({ key, testKey, user }: Demo): string[] {
  const { account, email, password } = user
  return [
    `Demo sign-in, shown only this once: account ${account}, e-mail ${email}, password ${password}`,
    `Demo key, shown only this once: ${key}`,
    `Demo test key, which sells nothing, shown only this once: ${testKey}`,
  ]
}

function makeKey(account: string): string {
  return `KEY=$(npm run --silent cli -- keys create --account ${account} --scope ota --scope operator --scope usage:read --scope usage:write)`
}

function requests(api: string, key: string, slot: BookableSlot): string[] {
  const activityId = toActivityId(slot.activity)
  const authorization = `-H "Authorization: Bearer ${key}"`
  const range = `StartDate=${slot.date}&EndDate=${daysAfter(slot.date, 6)}`
  const booking = JSON.stringify({
    ActivityID: activityId,
    Date: slot.date,
    Time: slot.time,
    Participants: 2,
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  return [
    '# list products',
    `curl -sS ${authorization} '${api}/products'`,
    '# check dates',
    `curl -sS ${authorization} '${api}/availability/${activityId}/dates?${range}'`,
    '# book',
    `curl -sS ${authorization} -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomUUID()}' -d '${booking}' '${api}/booking'`,
  ]
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}
