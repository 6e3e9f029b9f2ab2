/**
 * How old a standby's data are, told from positions in the write-ahead log: no clock of another machine, nor the
 * standby's own word for its lag, which is 0 while it hears nothing.
 */

/** What was seen in one look. Positions are bytes of the log; `at` is a time that only goes on, in milliseconds. */
export type Look = {
  /** What the standby had replayed, asked first. */
  replayed: number
  /** When the primary was asked, and where it was, afterwards. */
  at: number
  position: number
}

/**
 * Gives a function that takes each look in turn and says as of when the standby has everything that was committed;
 * minus infinity while nothing is known. A primary that is idle, a replay that is paused and a connection between
 * the two that is broken all come out right, since only what arrived counts.
 * @param memory how long a position of the primary is of use, in milliseconds.
 */
export function createReplicaAge(memory: number): (look: Look) => number {
  let ahead: Pick<Look, 'at' | 'position'>[] = []
  let asOf = Number.NEGATIVE_INFINITY
  let last = 0
  return ({ replayed, at, position }) => {
    // A standby that began again may have less than before, and another that took its place as well.
    const isAnother = replayed < last
    last = replayed
    // No standby is ahead of a primary that was asked later: after a failover it may be one of another history.
    if (isAnother || replayed > position) {
      ahead = []
      asOf = Number.NEGATIVE_INFINITY
      return asOf
    }
    ahead.push({ at, position })
    const arrived = ahead.findLast((seen) => seen.position <= replayed)
    if (arrived) asOf = arrived.at
    ahead = ahead.filter((seen) => seen.position > replayed && seen.at > at - memory)
    return asOf
  }
}
