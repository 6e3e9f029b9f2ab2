/** How much of a shared limit one owner may use. */

const maxShareOfFree = 4

/**
 * Whether an owner may have `own` items, including the new one: at most four times the number of free places. So
 * one owner alone gets at most four fifths of all places.
 */
export function isWithinShare(own: number, left: number): boolean {
  return own <= maxShareOfFree * left
}
