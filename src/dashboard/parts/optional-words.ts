/** Values that a text may leave out. Pure. */

export type SentenceValues = Readonly<Record<string, string | number>>

/** The values `party` and `hasParty`, for texts such as `{hasParty, select, true { for {party}} other {}}`. */
export function optional(name: string, text: string): SentenceValues {
  return { [name]: text, [`has${name.charAt(0).toUpperCase()}${name.slice(1)}`]: String(text !== '') }
}
