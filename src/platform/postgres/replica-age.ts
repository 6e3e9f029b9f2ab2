/**
 * How old the data of a standby is, calculated from positions in the write-ahead log. It does not use another
 * machine's clock, nor the lag that the standby reports, which is 0 while it is disconnected.
 */

/** One measurement. Positions are bytes of the write-ahead log; `at` is monotonic time in milliseconds. */
export type LagMeasurement = {
  /** The position that the standby had replayed, read first. */
  replayed: number
  /** A time after the standby's position was read, and before the primary's position is read. */
  at: number
  /** The position of the primary. */
  position: number
}

/**
 * Returns a function that takes each measurement and returns the time as of which the standby has every
 * commit; minus infinity while it is unknown. The result is also correct while the primary is idle, the
 * replay is paused, or the connection between the two is broken, because it depends only on replayed data.
 * @param memory how long a position of the primary is remembered, in milliseconds.
 */
export function createReplicaAge(memory: number): (look: LagMeasurement) => number {
  let ahead: Pick<LagMeasurement, 'at' | 'position'>[] = []
  let asOf = Number.NEGATIVE_INFINITY
  let last = 0
  return ({ replayed, at, position }) => {
    // The standby was restarted with less data, or another one took its place.
    const isAnother = replayed < last
    last = replayed
    // The primary's position was read later, so the standby cannot be ahead, unless a failover gave it
    // another history.
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
