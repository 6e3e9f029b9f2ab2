/** How much one owner may take of something that all owners share. */

const timesWhatIsLeft = 4

/**
 * Whether an owner that has `own` may have one more: at most four times what is left, so one owner alone gets
 * at most four fifths.
 */
export function mayTakeMore(own: number, left: number): boolean {
  return own <= timesWhatIsLeft * left
}
