/** Values that a text may leave out. Pure. */

export type SentenceValues = Readonly<Record<string, string | number>>

/**
 * For the name `party`, returns the values `party` (the text) and `hasParty` (whether it is not empty), for
 * texts such as `{hasParty, select, true { for {party}} other {}}`.
 */
export function optional(name: string, text: string): SentenceValues {
  return { [name]: text, [`has${name.charAt(0).toUpperCase()}${name.slice(1)}`]: String(text !== '') }
}
