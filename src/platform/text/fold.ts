/** Folds text for searches: without accents, and in plain letters. Pure. */

const apostrophes = /['’‘`´]/g

/** Letters that Unicode does not decompose into a letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** The letters that fold() replaces. Folded text has none of them. */
export const foldedLetters = Object.keys(plainLetters).join('')
const folded = new RegExp(`[${foldedLetters}]`, 'g')

/**
 * Without accents and apostrophes, in lower case: `Zoë` and `ZOE` are one word, and so are `O’Brien` and `obrien`, and
 * `Sørensen` and `sorensen`.
 */
export function fold(text: string): string {
  return foldMarks(text).replace(folded, (letter) => plainLetters[letter]!)
}

/**
 * Removes accents and apostrophes, but keeps letters such as ø. Earlier versions of the service folded text like this.
 */
export function foldMarks(text: string): string {
  return withoutApostrophes(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Removes apostrophes, or replaces each of them by the text `by`. */
export function withoutApostrophes(text: string, by = ''): string {
  return text.replace(apostrophes, by)
}
