/** How much of what all owners share one of them may take. */

const timesWhatIsLeft = 4

/** Whether an owner that has `own` may have one more: it may have four times what is left, so one alone four fifths of all. */
export function mayTakeMore(own: number, left: number): boolean {
  return own <= timesWhatIsLeft * left
}
