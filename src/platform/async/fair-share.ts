/** How much of a shared limit one owner may use. */

const maxShareOfFree = 4

/**
 * Whether an owner may have another item: it may have at most four times as many items as there are free
 * places. So one owner alone gets at most about four fifths of all places.
 * @param own the items of the owner. @param free the free places. Either both numbers count the new item, or
 * neither does.
 */
export function isWithinShare(own: number, free: number): boolean {
  return own <= maxShareOfFree * free
}
