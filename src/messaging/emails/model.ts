/** Pure rules of e-mail: its kinds, when a failed e-mail is tried again, and what a header may contain. */

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

/**
 * The details of an e-mail to all bookings of a timeslot. `Subject` and `Message` are templates that the operator
 * wrote.
 */
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
  /** The URL for unsubscribing; null except in the e-mails of workflows after the end of a booking. */
  unsubscribeUrl: string | null
}

/** The stored content of an e-mail of a test account, which no recipient gets. */
export type TestMessage = { Subject: string; Text: string }

const maxTries = 10

/**
 * Seconds until the next try after try number `tries` failed: half a minute at first, then two and a half
 * times as long each time, about a day in total. Each pause is up to a quarter shorter or longer, so that not
 * all e-mails are retried at the same time.
 * @returns null after the last try.
 */
export function secondsUntilRetry(tries: number, random = Math.random()): number | null {
  return tries >= maxTries ? null : 30 * 2.5 ** (tries - 1) * (0.75 + random / 2)
}

const maxHeaderCharacters = 255

/**
 * Makes one line of at most 255 characters, for a header or for the stored reason of a failure. Control characters
 * become spaces, and lone surrogates are replaced.
 */
export function toHeader(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...line.slice(0, 2 * maxHeaderCharacters)].slice(0, maxHeaderCharacters).join('')
}

/**
 * Removes control characters except line feeds and tabs, and replaces lone surrogates, so that mail programs show the
 * text.
 */
export function toBody(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
}
