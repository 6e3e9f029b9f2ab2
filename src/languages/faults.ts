/**
 * What is wrong with a request, in the language of a reader of the dashboard. The API says it in English, and so does the code
 * that finds it; each other language has a table from the English messages to its own. Pure.
 */
import type { Language } from './locales.ts'
import { fields as portugueseFields } from './pt/faults/fields.ts'
import { faults as portuguese } from './pt/faults.ts'
import type { Texts } from './texts.ts'

/**
 * English messages with named places, such as `must have at most {n} characters`, and what each is in the language. A place
 * carries its text over: one of a single letter holds no space or comma, such as a number, and `{words}` holds English words
 * that have a translation themselves. `{field}` and `{other}` may hold the name of a field.
 */
type Table = Readonly<Record<string, string>>

/** What is wrong, and the names of fields that have no label on a page. */
type LanguageTables = { faults: Table; fields: Table }

const tables: Readonly<Record<Exclude<Language, 'en'>, LanguageTables>> = {
  pt: { faults: portuguese, fields: portugueseFields },
}

/** The message in the reader's language; in English if that has no translation. Several are separated by `; `. */
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

/** Compiled once for each language, when a page of it first says a fault. */
function findersOf(language: Exclude<Language, 'en'>): Find {
  const known = made.get(language) ?? createFind(tables[language])
  made.set(language, known)
  return known
}

function createFind({ faults: table, fields }: LanguageTables): Find {
  const patterns = Object.keys(table)
    .filter((english) => english.includes('{'))
    // Of two that match, the one with more letters of its own says more.
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
