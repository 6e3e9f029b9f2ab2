/**
 * Runs all steps of a change of a schedule, with one transaction for each step, and merges their results into
 * one response.
 */
import { lockAccount } from '../../../accounts/service.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { type OnceRequest, runInSteps } from '../../../platform/postgres/run-once.ts'
import type { EffectsView, ScheduleResult } from '../schemas.ts'
import { maxNamed, takeStep } from './following.ts'
import type { ChangedSchedule, ScheduleAuthor } from './service.ts'
import { effectsView, resultView } from './views.ts'

/**
 * @param begin calls createSchedule(), changeSchedule() or removeSchedule(), and may throw Problems. Later
 * steps throw none.
 */
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

/** Adds the effects of a step. Steps go from the earliest date to the latest, so the lists stay in order. */
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
    Timeslots: [...before.Timeslots, ...after.Timeslots].slice(0, maxNamed),
  }
}
