/** The labels of a form’s fields in the reader’s language. Pure. */
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'

/** The names of fields with the texts of their labels. */
export type LabelKeys<Name extends string = string> = Readonly<Record<Name, TextKey>>

export function labelsIn(t: Texts, keys: LabelKeys): ReadonlyMap<string, string> {
  return new Map(Object.entries(keys).map(([name, key]) => [name, t.say(key)]))
}
