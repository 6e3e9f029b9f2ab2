/** Pure rules of who leaves a party that becomes smaller. */

export type StoredAnswers = { QuestionID: number; Value: string | string[] }[]

/** How many valid tickets of a unit become void if the party keeps `stay` of the unit. */
export function leavingOfUnit(valid: number, stay: number): number {
  return Math.max(0, valid - stay)
}

/**
 * Removes the answers of some participants, who are counted from 1. An answer for the whole party stays. An
 * answer of participants is left out if no text remains.
 */
export function answersWithout(
  answers: StoredAnswers,
  participants: readonly number[],
  isOfParticipants: (questionId: number) => boolean,
): StoredAnswers {
  const gone = new Set(participants)
  return answers.flatMap(({ QuestionID, Value }) => {
    if (!isOfParticipants(QuestionID)) return [{ QuestionID, Value }]
    const texts = [Value].flat().filter((_, index) => !gone.has(index + 1))
    if (texts.every((text) => text.trim() === '')) return []
    return [{ QuestionID, Value: texts.length === 1 ? texts[0]! : texts }]
  })
}
