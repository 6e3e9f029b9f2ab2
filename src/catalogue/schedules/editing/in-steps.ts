/**
 * Runs a change of a schedule from the first step to the last, each in a transaction of its own, and makes
 * one response.
 */
import { lockAccount } from '../../../accounts/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runInSteps } from '../../../platform/postgres/run-once.ts'
import type { EffectsView, ScheduleResult } from '../schemas.ts'
import { mostNamed, takeStep } from './following.ts'
import type { ChangedSchedule, ScheduleAuthor } from './service.ts'
import { effectsView, resultView } from './views.ts'

/** @param begin createSchedule(), changeSchedule() or removeSchedule(), which make all refusals. */
export function changeInSteps(
  sql: Sql,
  request: OnceRequest,
  { accountId, actor, productId, horizonDays }: ScheduleAuthor,
  begin: (tx: Transaction) => Promise<ChangedSchedule>,
): Promise<{ answer: ScheduleResult; replayed: boolean }> {
  return runInSteps(sql, request, async (tx, before: ScheduleResult | null) => {
    if (!before) {
      const changed = await begin(tx)
      return { answer: resultView(changed), unfinished: changed.unfinished }
    }
    await lockAccount(tx, accountId)
    const schedule = { id: before.Schedule.ID, productId, horizonDays }
    const { outcome, unfinished } = await takeStep(tx, { accountId, actor }, schedule)
    return {
      answer: { ...before, Timeslots: addEffects(before.Timeslots, effectsView(outcome)) },
      unfinished,
    }
  })
}

/** Steps go from the earliest date to the latest. */
function addEffects(before: EffectsView, after: EffectsView): EffectsView {
  return {
    Made: addSeveral(before.Made, after.Made),
    Changed: addSeveral(before.Changed, after.Changed),
    Removed: addSeveral(before.Removed, after.Removed),
    Closed: addSeveral(before.Closed, after.Closed),
    Left: addSeveral(before.Left, after.Left),
  }
}

type SeveralView<S> = { Count: number; Timeslots: S[] }

function addSeveral<S>(before: SeveralView<S>, after: SeveralView<S>): SeveralView<S> {
  return {
    Count: before.Count + after.Count,
    Timeslots: [...before.Timeslots, ...after.Timeslots].slice(0, mostNamed),
  }
}
