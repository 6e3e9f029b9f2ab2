/**
 * Limits how many units of something, such as connections of a pool, each owner uses at once. An owner may
 * take another unit while it uses fewer units than are free. So one owner alone gets at most half of them,
 * rounded up, and the next owner usually finds free units.
 */

export type Turn = {
  /** Resolves when the work may begin. It never resolves if the turn ends first. */
  began: Promise<void>
  /** Call it when the work is done or no longer needed. Further calls do nothing. */
  end(): void
}

/** A turn that has begun: whether a caller still waits for its result, and how to end it. */
export type WorkTurn = { isAwaited(): boolean; done(): void }
export type TakeTurn = () => Promise<WorkTurn>

export type Shares = { take(owner: unknown): Turn }

/**
 * Owners that wait are served in turn. The turns of one owner begin in the order in which it took them.
 * @param capacity how many units there are.
 * @param limit when higher than the capacity: an owner that uses no unit may begin even when none is free, up
 * to this many units in all.
 */
export function createShares(capacity: number, limit = capacity): Shares {
  const used = new Map<unknown, number>()
  // By owner, in the order of their turns.
  const waiting = new Map<unknown, Set<() => void>>()
  let total = 0

  function mayBegin(owner: unknown): boolean {
    const own = used.get(owner) ?? 0
    return own < capacity - total || (own === 0 && total < limit)
  }

  function begin(owner: unknown): void {
    total++
    used.set(owner, (used.get(owner) ?? 0) + 1)
  }

  function release(owner: unknown): void {
    total--
    const own = used.get(owner)! - 1
    if (own > 0) used.set(owner, own)
    else used.delete(owner)
    // An owner that moves to the end of the map is visited again by this loop.
    for (const [next, starts] of waiting) if (mayBegin(next)) serve(next, starts)
  }

  function serve(owner: unknown, starts: Set<() => void>): void {
    const [start] = starts
    starts.delete(start!)
    waiting.delete(owner)
    if (starts.size > 0) waiting.set(owner, starts)
    begin(owner)
    start!()
  }

  function leave(owner: unknown, start: () => void): boolean {
    const starts = waiting.get(owner)
    if (!starts?.delete(start)) return false
    if (starts.size === 0) waiting.delete(owner)
    return true
  }

  return {
    take(owner) {
      let start = () => {}
      let hasEnded = false
      const began = new Promise<void>((resolve) => {
        start = resolve
      })
      if (!waiting.has(owner) && mayBegin(owner)) {
        begin(owner)
        start()
      } else waiting.set(owner, (waiting.get(owner) ?? new Set()).add(start))
      return {
        began,
        end() {
          if (hasEnded) return
          hasEnded = true
          if (!leave(owner, start)) release(owner)
        },
      }
    },
  }
}
