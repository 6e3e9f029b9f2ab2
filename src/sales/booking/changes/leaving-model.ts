/** Pure rules of who leaves a party that becomes smaller. */

export type StoredAnswers = { QuestionID: number; Value: string | string[] }[]

/** How many valid tickets of a unit become void if the party keeps `stay` of the unit. */
export function leavingOfUnit(valid: number, stay: number): number {
  return Math.max(0, valid - stay)
}

/**
 * Removes the answers of some participants. Their numbers count from 1, and run through all answers to a question.
 * An answer for the whole party stays. An answer of participants is left out if no text remains.
 */
export function answersWithout(
  answers: StoredAnswers,
  participants: readonly number[],
  isOfParticipants: (questionId: number) => boolean,
): StoredAnswers {
  const gone = new Set(participants)
  const counts = new Map<number, number>()
  return answers.flatMap(({ QuestionID, Value }) => {
    if (!isOfParticipants(QuestionID)) return [{ QuestionID, Value }]
    const all = [Value].flat()
    const before = counts.get(QuestionID) ?? 0
    counts.set(QuestionID, before + all.length)
    const texts = all.filter((_, index) => !gone.has(before + index + 1))
    if (texts.every((text) => text.trim() === '')) return []
    return [{ QuestionID, Value: texts.length === 1 ? texts[0]! : texts }]
  })
}
