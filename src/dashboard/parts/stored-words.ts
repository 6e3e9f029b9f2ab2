/** Stored values as a form shows them, for the faults of a form that another user has edited meanwhile. Pure. */
import type { Texts } from '../../languages/texts.ts'
import { showAmount } from './amounts.ts'

/** The labels of the choices of select fields, by the name of the field and the value: `Type CHILD`. */
export type ChoiceLabels = ReadonlyMap<string, string>

/**
 * For showFormAgain(): amounts and percentages in the reader's language, durations with their units, whether a
 * checkbox is ticked, and the labels of choices. Any other value is unchanged.
 */
export function storedWords(
  t: Texts,
  choices: ChoiceLabels = new Map(),
): (field: string, existing: string) => string {
  return (field, existing) => {
    const label = choices.get(`${field} ${existing}`)
    if (label !== undefined) return label
    if (/(?:^|\.)(?:Amount|Percent|Commission)$/.test(field)) return showAmount(existing, t.locale)
    if (/Minutes$/.test(field) && Number(existing) > 0) return t.duration(Number(existing))
    if (existing === 'true') return t.say('stored.ticked')
    return existing === 'false' ? t.say('stored.unticked') : existing
  }
}
