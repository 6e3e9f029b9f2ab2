/**
 * Lists in forms that need no script: a line for each that is there, and some that are empty. A line that is emptied is
 * removed. Pure.
 */
import { type ShownForm, valueAt } from './forms.ts'

/** `names` are those of all lines there may be; `parts` the fields of each. */
export type FormLines = { names: readonly string[]; parts: readonly string[]; spare: number }

/** `Terms[0]`, `Terms[1]`, … */
export function lineNames(list: string, most: number): string[] {
  return Array.from({ length: most }, (_, index) => `${list}[${index}]`)
}

/** The values of a list by the names of their lines. */
export function byLine(list: string, values: readonly object[]): Record<string, object> {
  return Object.fromEntries(values.map((value, index) => [`${list}[${index}]`, value]))
}

/** The names of the lines to show: up to the last that has a value or a fault, and the empty ones. */
export function linesToShow(shown: ShownForm, { names, parts, spare }: FormLines): readonly string[] {
  const isUsed = (line: string) =>
    parts.some((part) => {
      const name = `${line}.${part}`
      return valueAt(shown.values, name) !== '' || shown.faults?.fields.has(name)
    })
  return names.slice(0, names.findLastIndex(isUsed) + 1 + spare)
}
