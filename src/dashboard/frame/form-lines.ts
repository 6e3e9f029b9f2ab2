/**
 * Lists in forms without JavaScript: a line for each item, and some empty lines. An item whose line is emptied is
 * removed. Pure.
 */
import { type ShownForm, valueAt } from './form-fields.ts'

/**
 * `names`: the names of all possible lines. `parts`: the fields of a line. `spare`: the number of empty lines
 * to show.
 */
export type FormLines = { names: readonly string[]; parts: readonly string[]; spare: number }

/** The names of `most` lines: `Terms[0]`, `Terms[1]`, … */
export function lineNames(list: string, most: number): string[] {
  return Array.from({ length: most }, (_, index) => `${list}[${index}]`)
}

/** The values of a list by the names of their lines. */
export function byLine(list: string, values: readonly object[]): Record<string, object> {
  return Object.fromEntries(values.map((value, index) => [`${list}[${index}]`, value]))
}

/**
 * The names of the lines to show: up to the last line with a value or a fault, and `spare` empty lines, but
 * no more than there are names.
 */
export function linesToShow(shown: ShownForm, { names, parts, spare }: FormLines): readonly string[] {
  const isUsed = (line: string) =>
    parts.some((part) => {
      const name = `${line}.${part}`
      return valueAt(shown.values, name) !== '' || shown.faults?.fields.has(name)
    })
  return names.slice(0, names.findLastIndex(isUsed) + 1 + spare)
}
