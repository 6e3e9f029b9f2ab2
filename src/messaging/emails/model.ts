/** Pure rules of e-mail: its kinds, when a failed one is tried again, and what a header may contain. */

export const emailKinds = [
  'workflow',
  'waitlist-offer',
  'closure',
  'confirmation',
  'test',
  'webhook-paused',
  'message',
  'receipt',
  'offer-unpaid',
] as const
export type EmailKind = (typeof emailKinds)[number]

/** The details of an e-mail to all bookings of a timeslot: the operator's text, which are templates. */
export type MessageWords = { TimeslotID: number; Subject: string; Message: string }

export const emailStatuses = ['queued', 'sent', 'failed', 'dropped'] as const
export type EmailStatus = (typeof emailStatuses)[number]

export type EmailMessage = {
  /** The local part of its Message-ID, the same at every hand-over. */
  id: string
  from: { name: string; address: string }
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** The address for unsubscribing; only in e-mails that are not about a coming booking. */
  unsubscribeUrl: string | null
}

/** The stored content of an e-mail that was sent to nobody. */
export type TestMessage = { Subject: string; Text: string }

const mostTries = 10

/**
 * Seconds until the next try after try n failed: half a minute at first, then two and a half times as long
 * each time, a day in all; each up to a quarter off, so that many do not retry at once.
 * @returns null after the last try.
 */
export function secondsUntilRetry(tries: number, random = Math.random()): number | null {
  return tries >= mostTries ? null : 30 * 2.5 ** (tries - 1) * (0.75 + random / 2)
}

const mostHeaderCharacters = 255

/**
 * Text as one line for a header, or for PostgreSQL as the reason of a failure: without control characters,
 * NUL and lone surrogates.
 */
export function toHeader(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...line.slice(0, 2 * mostHeaderCharacters)].slice(0, mostHeaderCharacters).join('')
}

/** Text as lines that every mail program shows: without other control characters, NUL and lone surrogates. */
export function toBody(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
}
