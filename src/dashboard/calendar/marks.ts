/** The letters and the colour of a product, for places that have no room for its name. Pure. */

/** `colour`: one or two CSS classes, separated by a space. */
export type ProductBadge = { mark: string; colour: string }

/**
 * How many colours there are. The next 8 products have the same colours with a double edge. After 16 products,
 * colours and edges repeat.
 */
export const hueCount = 8

/**
 * Two letters of each name, with a number if an earlier product has the same letters. A new product does not
 * change the marks and colours of earlier ones.
 */
export function marksOf(products: readonly { id: number; name: string }[]): Map<number, ProductBadge> {
  const used = new Map<string, number>()
  const inOrder = products.toSorted((one, other) => one.id - other.id)
  return new Map(
    inOrder.map(({ id, name }, index) => {
      const letters = lettersOf(name)
      const times = (used.get(letters) ?? 0) + 1
      used.set(letters, times)
      return [id, { mark: times === 1 ? letters : `${letters}${times}`, colour: colourOf(index) }]
    }),
  )
}

function colourOf(index: number): string {
  const isSecond = Math.floor(index / hueCount) % 2 === 1
  return `hue${index % hueCount}${isSecond ? ' second' : ''}`
}

/**
 * The initials of two words: the first word, and the next word with more than three letters. If there is no
 * such word, the second word is used instead. For a name of one word, its first two letters.
 */
function lettersOf(name: string): string {
  const [first = '?', ...others] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const second = others.find((word) => word.length > 3) ?? others[0]
  const letters = second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')
  return letters.toUpperCase()
}
