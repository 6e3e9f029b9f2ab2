/** Text as it is compared when people search: without accents, and each letter as those write it who do not have it. Pure. */

const apostrophes = /['’‘`´]/g

/** Letters that Unicode does not take apart into a letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
}

/** The letters that fold() writes as others, and leaves in no text. */
export const foldedLetters = Object.keys(plainLetters).join('')
const folded = new RegExp(`[${foldedLetters}]`, 'g')

/**
 * Without accents and apostrophes, in lower case: `Zoë` and `ZOE` are one word, and so are `O’Brien` and `obrien`, and
 * `Sørensen` and `sorensen`.
 */
export function fold(text: string): string {
  return foldMarks(text).replace(folded, (letter) => plainLetters[letter]!)
}

/** As earlier versions folded: letters without a decomposition stay. */
export function foldMarks(text: string): string {
  return withoutApostrophes(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

export function withoutApostrophes(text: string, by = ''): string {
  return text.replace(apostrophes, by)
}
