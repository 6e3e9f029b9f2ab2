/**
 * Translates messages about invalid requests for users of the dashboard. The code that checks requests makes these
 * messages in English, and the API returns them unchanged. Each other language has a table from English messages to
 * its own. Pure.
 */
import { decimalMark } from './decimal-mark.ts'
import type { Language } from './locales.ts'
import { fields as portugueseFields } from './pt/faults/fields.ts'
import { faults as portuguese } from './pt/faults.ts'
import type { Texts } from './texts.ts'

/**
 * English messages with placeholders, such as `must have at most {n} characters`, and their translations. The
 * text at a placeholder is copied. A placeholder with a one-letter name matches text without spaces, commas
 * and semicolons, such as a number. The text at `{words}` is itself a message, or a list of messages, and is
 * translated. At `{field}` and `{other}`, the name of a field is translated. At `{amount}`, a decimal of the API
 * gets the decimal mark of the language.
 */
type Table = Readonly<Record<string, string>>

/** The translations of messages, and of the names of fields that have no label on a page. */
type LanguageTables = { faults: Table; fields: Table }

const tables: Readonly<Record<Exclude<Language, 'en'>, LanguageTables>> = {
  pt: { faults: portuguese, fields: portugueseFields },
}

/**
 * The message in the reader's language; in English if there is no translation. Translates each of several
 * messages that are separated by `; `.
 */
export function faultIn({ language }: Texts, message: string): string {
  if (language === 'en') return message
  const find = findersOf(language)
  const whole = find(message)
  if (whole !== null) return whole
  return message
    .split('; ')
    .map((part) => find(part) ?? part)
    .join('; ')
}

/** The name of a field without a label, such as `Sale from`, in the reader's language. */
export function fieldIn({ language }: Texts, name: string): string {
  return language === 'en' ? name : (tables[language].fields[name] ?? name)
}

type Find = (message: string) => string | null

const made = new Map<Language, Find>()

/** Compiles the table of a language when it is first needed. */
function findersOf(language: Exclude<Language, 'en'>): Find {
  const known = made.get(language) ?? createFind(tables[language], decimalMark(language))
  made.set(language, known)
  return known
}

function createFind({ faults: table, fields }: LanguageTables, mark: string): Find {
  const patterns = Object.keys(table)
    .filter((english) => english.includes('{'))
    // The patterns with the most fixed text first, because they are the most specific.
    .sort((one, other) => lettersOf(other) - lettersOf(one))
    .map((english) => [toRegExp(english), table[english]!] as const)
  const carried = (name: string, text: string) => {
    if (name === 'words')
      return (
        find(text) ??
        text
          .split(', ')
          .map((word) => find(word) ?? word)
          .join(', ')
      )
    if (name === 'amount') return text.replace(/^(\d+)\.(\d+)$/, `$1${mark}$2`)
    const isField = (name === 'field' || name === 'other') && Object.hasOwn(fields, text)
    return isField ? `“${fields[text]}”` : text
  }
  const find: Find = (message) => {
    if (Object.hasOwn(table, message)) return table[message]!
    for (const [pattern, sentence] of patterns) {
      const found = pattern.exec(message)
      if (found)
        return sentence.replace(place, (whole, name: string) => carried(name, found.groups?.[name] ?? whole))
    }
    return null
  }
  return find
}

const place = /\{([a-z]\w*)\}/g

function lettersOf(english: string): number {
  return english.replace(place, '').length
}

const special = /[\\^$.*+?()[\]{}|]/g

function toRegExp(english: string): RegExp {
  const source = english
    .split(/(\{[a-z]\w*\})/)
    .map((part, index) =>
      index % 2 === 1
        ? `(?<${part.slice(1, -1)}>${part.length === 3 ? '[^\\s,;]+' : '.*?'})`
        : part.replace(special, '\\$&'),
    )
  return new RegExp(`^${source.join('')}$`, 's')
}
