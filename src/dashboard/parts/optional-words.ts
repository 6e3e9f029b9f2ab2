/** Values that a text may leave out. Pure. */

export type SentenceValues = Readonly<Record<string, string | number>>

/** The value, and whether there is one: `{hasParty, select, true { for {party}} other {}}` reads both of `party`. */
export function optional(name: string, text: string): SentenceValues {
  return { [name]: text, [`has${name.charAt(0).toUpperCase()}${name.slice(1)}`]: String(text !== '') }
}
