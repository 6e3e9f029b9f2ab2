/**
 * Form fields for the answers to waiver questions, and the reading of these answers. The name of a field
 * contains the id of its question. A question that each participant is asked has one field for each
 * participant, all with the same name, or one group of boxes for each participant. If several lines of a sale
 * ask the same question, each line has its own field. The form shows the fields of each participant as a
 * group.
 */
import type { Question } from '../../catalogue/products/questions.ts'
import { type FormFields, textsOf } from '../../http/form-fields.ts'
import type { FormFaults } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { questionField } from './answer-controls.ts'
import { type Answers, isOfEach, joinChoices, listLacking, listUnanswered, textsFor } from './answers.ts'

/**
 * An answer for one line of a sale: `nth` is the number of the line among those that ask the question, from
 * 1.
 */
export type LineAnswer = Answers[number] & { nth: number }

export const answerFieldName = (id: number, nth = 1) => (nth === 1 ? `Answer-${id}` : `Answer-${id}-${nth}`)

/**
 * The name of one participant's boxes. The form sends this field even if no box is ticked, so that the answers
 * stay in the order of the participants.
 */
const boxesName = (name: string, participant: number) => `${name}-p${participant}`

/**
 * The name of one participant's field in errors and ids. In the submitted form, all fields of a question have the
 * name of the first participant's field. Only boxes have a name for each participant.
 */
export function participantField(name: string, participant: number): string {
  return participant === 1 ? name : boxesName(name, participant)
}

/** The answers of a form, in the order of its body. An answer is left out if all of its fields are empty. */
export function readAnswers(fields: FormFields): LineAnswer[] {
  const answers = new Map<string, LineAnswer & { Value: string[] }>()
  for (const field of Object.keys(fields)) {
    const [, digits, nth = '1', participant] =
      /^Answer-([1-9]\d{0,14})(?:-([1-9]\d?))?(?:-p([1-9]\d{0,2}))?$/.exec(field) ?? []
    if (digits === undefined) continue
    const texts = textsOf(fields, field)
    const name = answerFieldName(Number(digits), Number(nth))
    const answer = answers.get(name) ?? { QuestionID: Number(digits), Value: [], nth: Number(nth) }
    answer.Value.push(...(participant === undefined ? texts : [joinChoices(texts)]))
    answers.set(name, answer)
  }
  return [...answers.values()].flatMap(({ Value, ...of }) => {
    if (Value.every((text) => text.trim() === '')) return []
    return [{ ...of, Value: Value.length === 1 ? Value[0]! : Value }]
  })
}

const unansweredMessage = 'has to be answered'

/** The error of an answer, in the reader's language. */
export function answerFault(t: Texts, message: string): string {
  if (message === unansweredMessage) return t.say('form.unanswered')
  return t.language === 'en' ? message : t.say('form.unusable')
}

/**
 * One error for each empty field of a required question: first the fields of the whole party, then those of
 * each participant.
 */
export function unanswered(
  questions: readonly Question[],
  answers: Answers,
  participants: number,
  nth = 1,
): FieldError[] {
  const open = listUnanswered(questions, answers, participants).flatMap((question) => {
    const name = answerFieldName(question.id, nth)
    if (!isOfEach(question, participants)) return [{ number: 0, field: name }]
    const lacking = listLacking(question, answers, participants)
    return lacking.map((number) => ({ number, field: participantField(name, number) }))
  })
  return open
    .sort((one, other) => one.number - other.number)
    .map(({ field }) => ({ field, message: unansweredMessage }))
}

/** `of` names the line of the sale. It is empty in a sale of one line. */
type LabelSettings = { participants: number; nth?: number; of?: string }

/** The labels of the fields, each with its participant if the question is asked of several. */
export function answerLabels(
  t: Texts,
  questions: readonly Question[],
  { participants, nth = 1, of = '' }: LabelSettings,
): [string, string][] {
  return questions.flatMap((question) => {
    const name = answerFieldName(question.id, nth)
    if (!isOfEach(question, participants)) return [[name, labelWith(question.label, [of])]]
    return numbers(participants).map((number): [string, string] => [
      participantField(name, number),
      labelWith(question.label, [t.say('form.participant', { number }), of]),
    ])
  })
}

/** `Height (Participant 2, Canoe, 10:00)`; only the label if there is nothing to add. */
export function labelWith(label: string, more: readonly string[]): string {
  const added = more.filter((text) => text !== '')
  return added.length > 0 ? `${label} (${added.join(', ')})` : label
}

function numbers(participants: number): number[] {
  return Array.from({ length: participants }, (_, index) => index + 1)
}

type AnswerForm = { participants: number; faults: FormFaults; nth?: number }

/**
 * Fields for all questions: first those of the whole party, then those of each participant in a group of their own.
 * Hidden fields keep the answers to questions that are not in `questions`.
 */
export function answerFields(
  t: Texts,
  questions: readonly Question[],
  answers: Answers,
  { participants, faults, nth = 1 }: AnswerForm,
): Markup {
  const known = new Set(questions.map(({ id }) => id))
  const others = answers.filter(({ QuestionID }) => !known.has(QuestionID))
  const fieldFor = (question: Question, participant: number | null) => {
    const name = answerFieldName(question.id, nth)
    const all = textsFor(answers, question.id)
    const isEach = question.appliesTo === 'participant'
    // For a party of one, the control shows all texts, because earlier versions stored its choices as a list.
    const texts = participant === null ? all : all.slice(participant - 1, participant)
    const field = participantField(name, participant ?? 1)
    const boxes = isEach ? boxesName(name, participant ?? 1) : null
    return questionField(t, question, { texts, name, field, boxes, faults })
  }
  const ofEach = questions.filter((question) => isOfEach(question, participants))
  const ofAll = questions.filter((question) => !isOfEach(question, participants))
  const group = (legend: string, fields: Markup[]) =>
    html`<fieldset class="asked-of"><legend>${legend}</legend>${fields}</fieldset>`
  const whole = ofAll.map((question) => fieldFor(question, null))
  const people = ofEach.length === 0 ? [] : numbers(participants)
  return html`${whole.length > 0 && people.length > 0 ? group(t.say('form.whole-party'), whole) : whole}
${people.map((number) =>
  group(
    t.say('form.participant', { number }),
    ofEach.map((question) => fieldFor(question, number)),
  ),
)}
${others.map(
  ({ QuestionID, Value }) =>
    html`${[Value].flat().map((text) => html`<input type="hidden" name="${answerFieldName(QuestionID, nth)}" value="${text}">`)}`,
)}`
}
