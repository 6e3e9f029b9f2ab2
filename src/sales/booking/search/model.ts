/**
 * The search words of a booking, and how a typed search is read: a day, a time, phone numbers and words, all of
 * which have to match. Pure.
 */
import { fold, foldMarks, withoutApostrophes } from '../../../platform/text/fold.ts'
import { findDay, findTime } from './days.ts'

/**
 * The data of a booking from which its search words are made. Each list begins with the data of the booking itself;
 * the data of its tickets follows.
 */
export type Searchable = {
  names: readonly (string | null)[]
  phones: readonly (string | null)[]
  /**
   * An address is found as a whole and by the words before the @, but not by its domain, which thousands of
   * addresses share.
   */
  emails: readonly (string | null)[]
  /** References, which are found whole and by their parts. */
  codes: readonly (string | null)[]
}

// The maximum number of words of a booking, and of letters of a word. A name may be 255 letters long.
const maxWords = 100
const longestWord = 60
/** Fewer digits are a word, not the end of a phone number. */
const fewestDigits = 4
const maxTerms = 8
/** A shorter search term must equal a word, because too many words begin with it. */
const fewestLetters = 3

/** Whether a search term also finds longer words that begin with it. */
export function findsByBeginning(word: string): boolean {
  return word.length >= fewestLetters
}

function partsOf(text: string, foldIt = fold): string[] {
  return foldIt(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
}

/**
 * The digits of a phone number from the last to the first, so that the end of a number is the beginning of
 * the word.
 */
function phoneWord(phone: string): string {
  return `#${[...phone.replace(/\D/g, '')].reverse().join('')}`
}

/**
 * The search words of a booking, each with the account id before it: `7/ada`. If there are too many, the words of
 * its last tickets are left out.
 */
export function wordsOf(accountId: number, { names, phones, emails, codes }: Searchable): string[] {
  const read = (texts: readonly (string | null)[], wordsIn: (text: string) => string[]) =>
    texts.map((text) => (text === null ? [] : wordsIn(text)))
  const lists = [
    read(codes, (code) => [fold(code).replace(/\s+/g, ''), ...partsOf(code)]),
    read(phones, (phone) => [phoneWord(phone)]),
    read(emails, (email) => [fold(email), ...partsOf(email.replace(/@.*/s, ''))]),
    read(names, (name) => [...partsOf(name), ...partsOf(withoutApostrophes(name, ' '))]),
  ]
  const longest = Math.max(...lists.map((list) => list.length))
  const words = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat()
  const kept = [...new Set(words.map((word) => word.slice(0, longestWord)))].filter(
    (word) => word !== '' && word !== '#',
  )
  return kept.slice(0, maxWords).map((word) => `${accountId}/${word}`)
}

/** Whether a search has the form of a ticket's code, and nothing else. */
export function isTicketCode(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** A word or a phone number that has to match. `text` is its folded text; `query` a tsquery. */
export type SearchTerm = { text: string; query: string }
export type ReadSearch = { day: string | null; time: string | null; terms: SearchTerm[] }

/** The conditions of a search. A booking must meet all of them. */
export type BookingSearch = {
  /**
   * The reference of a booking, if the search is this reference, or the code of one of its tickets. Empty if no
   * booking can match.
   */
  reference?: string
  day?: string
  /** When the timeslot begins, as `09:00`. */
  time?: string
  /** A tsquery of all words that `orNamed` does not have. */
  words?: string
  /** Words that also name products, partners or sales. A booking matches by the word or by one of these. */
  orNamed: NamedQuery[]
}

export type NamedQuery = { query: string; productIds: number[]; partnerIds: number[]; saleIds: number[] }

// Matches a phone number with the signs that people write between digits, but not inside a word or a code.
const phonePattern = /(?<![\p{L}\p{N}@._-])\+?\(?\d[\d\s()./-]{4,}\d(?![\p{L}\p{N}@])/gu

/**
 * Reads a typed search. A day and a time in it are those of the timeslot. Four or more digits are the end of
 * a phone number or the beginning of a reference. Every other term is the beginning of a word; with fewer
 * than three letters, the whole word. Terms after the eighth are ignored; phone numbers are counted first.
 * @param today the date in the account's time zone, for `tomorrow` and for days without a year.
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
  return { day, time, terms: terms.slice(0, maxTerms) }
}

/** A tsquery of words, such as references, that are equal to the whole typed text without spaces or begin with it. */
export function referenceQuery(accountId: number, text: string): string {
  return lexeme(accountId, fold(text).replace(/\s+/g, ''))
}

/**
 * A tsquery of the end of a phone number without leading zeros, which are an international or trunk prefix;
 * or of the beginning of a code.
 */
function phoneQuery(accountId: number, digits: string): string {
  const national = digits.replace(/^0+/, '')
  const asCode = lexeme(accountId, digits)
  return national.length < fewestDigits ? asCode : `(${lexeme(accountId, phoneWord(national))} | ${asCode})`
}

/**
 * The tsquery of a typed word. It matches words as this version folds them and as earlier versions did. Null for a
 * word without letters and digits. Four or five digits may also be the end of a phone number.
 */
function wordQuery(accountId: number, word: string): string | null {
  if (/^\d{4,5}$/.test(word)) return phoneQuery(accountId, word)
  const [now, before] = [fold, foldMarks].map((foldIt) => foldedQuery(accountId, word, foldIt))
  return now === before ? now! : `(${now} | ${before})`
}

/** Matches the beginning of the whole word, or the beginnings of all its parts. */
function foldedQuery(accountId: number, word: string, foldIt: (text: string) => string): string | null {
  const parts = partsOf(word, foldIt)
  if (parts.length === 0) return null
  const ofParts = parts.map((part) => lexeme(accountId, part)).join(' & ')
  return parts.length === 1 ? ofParts : `(${lexeme(accountId, foldIt(word))} | (${ofParts}))`
}

/** Matches words with this beginning; if it has fewer than three letters, only this word. */
function lexeme(accountId: number, word: string): string {
  const quoted = `'${accountId}/${word.slice(0, longestWord).replace(/['\\]/g, '$&$&')}'`
  return findsByBeginning(word) ? `${quoted}:*` : quoted
}
