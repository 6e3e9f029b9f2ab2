/**
 * The part of lanes.ts that schedules lanes whose resource is locked. A lane is the queue of the items that
 * need one resource. Each lane waits for its turn to run in a batch of its own, and its items wait for a
 * limited time.
 */
import type { Fifo } from './fifo.ts'
import { createShares, type Turn } from './shares.ts'

type AsideLane<Entry> = {
  owner: unknown
  entries: Fifo<Entry>
  /** The turn that the lane has, or waits for. */
  turn: Turn | null
}

export type AsideOptions<Entry, Lane> = {
  /** The most lanes that have their turn at once. One owner gets at most half of the turns, rounded up. */
  maxAlone: number
  /** The longest time that an item waits for the turn of its lane. */
  maxAsideMs: number
  /** Called when the turn of a lane has come. */
  begin: (lane: Lane) => void
  /** Called with each item that has waited too long. */
  refuse: (lane: Lane, entry: Entry) => void
  /** Called when a lane has no items left. */
  close: (lane: Lane) => void
}

const sweepMs = 50

/** `deadline` is the time at which an item is refused; 0 until its lane is first set aside. */
export function createAside<Entry extends { deadline: number }, Lane extends AsideLane<Entry>>({
  maxAlone,
  maxAsideMs,
  begin,
  refuse,
  close,
}: AsideOptions<Entry, Lane>) {
  const waiting = new Set<Lane>()
  const turns = createShares(maxAlone)
  let sweeping: NodeJS.Timeout | undefined

  function add(lane: Lane): void {
    const now = performance.now()
    lane.entries.forEach((entry) => {
      entry.deadline ||= now + maxAsideMs
    })
    refuseLate(lane, now)
    if (lane.entries.length === 0) close(lane)
    else awaitTurn(lane)
  }

  function awaitTurn(lane: Lane): void {
    waiting.add(lane)
    sweeping ??= setInterval(sweep, sweepMs)
    const turn = turns.take(lane.owner)
    lane.turn = turn
    turn.began.then(() => {
      waiting.delete(lane)
      begin(lane)
    })
  }

  function refuseLate(lane: Lane, now: number): void {
    for (let entry = lane.entries.first(); entry && entry.deadline <= now; entry = lane.entries.first()) {
      lane.entries.shift()
      refuse(lane, entry)
    }
  }

  function sweep(): void {
    const now = performance.now()
    for (const lane of waiting) {
      refuseLate(lane, now)
      if (lane.entries.length > 0) continue
      waiting.delete(lane)
      endTurn(lane)
      close(lane)
    }
    if (waiting.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  function endTurn(lane: Lane): void {
    lane.turn?.end()
    lane.turn = null
  }

  return { add, endTurn }
}
