/** The letters and the colour by which products are told apart where there is no room for their names. Pure. */

/** `colour` are names of classes. */
export type ProductMark = { mark: string; colour: string }

/** How many colours there are. As many products more have the same colours with a double edge; still more share these. */
export const hues = 8

/**
 * Two letters of each name, with a number where another product has the same ones. A product keeps its colour whatever
 * products are added after it.
 */
export function marksOf(products: readonly { id: number; name: string }[]): Map<number, ProductMark> {
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
  const isSecond = Math.floor(index / hues) % 2 === 1
  return `hue${index % hues}${isSecond ? ' second' : ''}`
}

/** The initials of its first word and of the next one that is longer than three letters, else of the next one at all. */
function lettersOf(name: string): string {
  const [first = '?', ...others] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const second = others.find((word) => word.length > 3) ?? others[0]
  const letters = second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')
  return letters.toUpperCase()
}
