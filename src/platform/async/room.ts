/** How much of a shared limit one owner may use. */

const timesWhatIsLeft = 4

/**
 * Whether an owner that has `own` items, the new one included, stays within four times what is left. So one
 * owner alone gets at most four fifths.
 */
export function mayTakeMore(own: number, left: number): boolean {
  return own <= timesWhatIsLeft * left
}
