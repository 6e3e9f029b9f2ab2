/**
 * The words by which a booking is found, and how what people type is read: a day, phone numbers and words, all of which
 * have to match. Pure.
 */
import { fold, foldMarks, withoutApostrophes } from '../../../platform/text/fold.ts'
import { findDay, findTime } from './days.ts'

/** What is known of a booking that people search by. */
export type Searchable = {
  names: readonly (string | null)[]
  phones: readonly (string | null)[]
  /** Found whole and by what stands before the @: thousands have what stands behind it. */
  emails: readonly (string | null)[]
  /** References, which are found whole and by their parts. */
  codes: readonly (string | null)[]
}

// What a booking is found by at most, and the longest word: a name may be 255 letters long.
const mostWords = 100
const longestWord = 60
/** Fewer digits are a word, not the end of a phone number. */
const fewestDigits = 4
const mostTerms = 8
/** Fewer letters are the beginning of too many words: they have to be one. */
const fewestLetters = 3

/** Whether a word is found by its beginning too. */
export function findsByBeginning(word: string): boolean {
  return word.length >= fewestLetters
}

function partsOf(text: string, foldIt = fold): string[] {
  return foldIt(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
}

/** From the last digit to the first, so that the end of a number is the beginning of the word. */
function phoneWord(phone: string): string {
  return `#${[...phone.replace(/\D/g, '')].reverse().join('')}`
}

/** The words of a booking, each behind its account. */
export function wordsOf(accountId: number, { names, phones, emails, codes }: Searchable): string[] {
  const given = (texts: readonly (string | null)[]) => texts.filter((text) => text !== null)
  const words = [
    ...given(names).flatMap((name) => [...partsOf(name), ...partsOf(withoutApostrophes(name, ' '))]),
    ...given(phones).map(phoneWord),
    ...given(emails).flatMap((email) => [fold(email), ...partsOf(email.replace(/@.*/s, ''))]),
    ...given(codes).flatMap((code) => [fold(code).replace(/\s+/g, ''), ...partsOf(code)]),
  ]
  const kept = [...new Set(words.map((word) => word.slice(0, longestWord)))].filter(
    (word) => word !== '' && word !== '#',
  )
  return kept.slice(0, mostWords).map((word) => `${accountId}/${word}`)
}

/** Whether a search is the code of a ticket, and nothing else. */
export function isTicketCode(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** A word or a phone number that has to match. `text` is its folded text; `query` a tsquery. */
export type SearchTerm = { text: string; query: string }
export type ReadSearch = { day: string | null; time: string | null; terms: SearchTerm[] }

/** What a search asks of bookings, all of it together. */
export type BookingSearch = {
  /** A ticket's code names its booking. */
  reference?: string
  day?: string
  /** When the timeslot begins, as `09:00`. */
  time?: string
  /** A tsquery of all words that are in no name below. */
  words?: string
  /** Words that are in the names of products or partners too, or mean a sale: either matches. */
  orNamed: NamedQuery[]
}

export type NamedQuery = { query: string; productIds: number[]; partnerIds: number[]; saleIds: number[] }

// With the signs that people write between digits; not inside of a word or a code.
const phonePattern = /(?<![\p{L}\p{N}@._-])\+?\(?\d[\d\s()./-]{4,}\d(?![\p{L}\p{N}@])/gu

/**
 * Reads what was typed. The first day and the first time in it are taken for those of the tour, runs of four and more digits
 * for the end of a phone number or the beginning of a reference, and what is left for the beginnings of words.
 * @param today the account's, by which `tomorrow` and a day without a year are read.
 */
export function readSearch(accountId: number, text: string, today: string): ReadSearch {
  const { time, rest: untimed } = findTime(text)
  const { day, rest } = findDay(untimed, today)
  const terms: SearchTerm[] = []
  const others = rest.replace(phonePattern, (typed) => {
    const digits = typed.replace(/\(0\)/, '').replace(/\D/g, '')
    if (digits.length < fewestDigits) return typed
    terms.push({ text: digits, query: phoneQuery(accountId, digits) })
    return ' '
  })
  for (const word of others.split(/\s+/)) {
    const query = wordQuery(accountId, word)
    if (query !== null) terms.push({ text: fold(word), query })
  }
  return { day, time, terms: terms.slice(0, mostTerms) }
}

/** A tsquery of a reference that is, or begins with, all that was typed. */
export function referenceQuery(accountId: number, text: string): string {
  return lexeme(accountId, fold(text).replace(/\s+/g, ''))
}

/** The end of a phone number without the zeros that stand for a country or a trunk; or the beginning of a code. */
function phoneQuery(accountId: number, digits: string): string {
  const national = digits.replace(/^0+/, '')
  const asCode = lexeme(accountId, digits)
  return national.length < fewestDigits ? asCode : `(${lexeme(accountId, phoneWord(national))} | ${asCode})`
}

/**
 * A word as it is folded, or as it was when words of earlier versions were written; null for signs alone. Four or five digits
 * may also be the end of a phone number.
 */
function wordQuery(accountId: number, word: string): string | null {
  if (/^\d{4,5}$/.test(word)) return phoneQuery(accountId, word)
  const [now, before] = [fold, foldMarks].map((foldIt) => foldedQuery(accountId, word, foldIt))
  return now === before ? now! : `(${now} | ${before})`
}

/** The beginning of the whole, or of each of its parts. */
function foldedQuery(accountId: number, word: string, foldIt: (text: string) => string): string | null {
  const parts = partsOf(word, foldIt)
  if (parts.length === 0) return null
  const ofParts = parts.map((part) => lexeme(accountId, part)).join(' & ')
  return parts.length === 1 ? ofParts : `(${lexeme(accountId, foldIt(word))} | (${ofParts}))`
}

/** A word that begins so. */
function lexeme(accountId: number, word: string): string {
  const quoted = `'${accountId}/${word.slice(0, longestWord).replace(/['\\]/g, '$&$&')}'`
  return findsByBeginning(word) ? `${quoted}:*` : quoted
}
