/** Pure rules of who leaves a party that becomes smaller. */

export type StoredAnswers = { QuestionID: number; Value: string | string[] }[]

/** How many tickets of a unit become void, if `stay` of it are left. */
export function leavingOfUnit(valid: number, stay: number): number {
  return Math.max(0, valid - stay)
}

/**
 * The answers without those of some participants, who are counted from 1. An answer to a question for the whole party stays,
 * and an answer without any text is left out.
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
