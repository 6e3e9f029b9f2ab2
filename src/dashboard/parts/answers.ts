/**
 * Waiver questions in forms: a field for each answer, and the answers read back. A field goes by the id of its
 * question; what is asked of each participant has one field for each of them, of the same name. A sale in which several
 * lines ask the same has a field for each line.
 */
import type { FastifyRequest } from 'fastify'
import type { Question } from '../../catalogue/products/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { listUnanswered, textsFor } from '../../sales/booking/answers.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { type FormFields, textsOf } from '../frame/form-body.ts'
import { attributes, type FormFaults, idOf, renameFaults } from '../frame/forms.ts'

export type GivenAnswers = BookingRecord['Answers']

/** An answer of the `nth` line of a sale that asks this. */
export type LineAnswer = GivenAnswers[number] & { nth: number }

const fieldName = (id: number, nth = 1) => (nth === 1 ? `Answer-${id}` : `Answer-${id}-${nth}`)

/** Puts the answers of a form into its body, before that is checked. */
export async function takeAnswers(request: FastifyRequest): Promise<void> {
  const Answers = readAnswers(request.formFields).map(({ QuestionID, Value }) => ({ QuestionID, Value }))
  Object.assign(request.body as object, { Answers })
}

/** The same error, with what it says of an answer said of its field. */
export function asOfFields(
  error: unknown,
  answers: readonly (GivenAnswers[number] & { nth?: number })[],
): unknown {
  return renameFaults(error, (field) => {
    const answer = answers[Number(/^Answers\[(\d+)\]/.exec(field)?.[1])]
    return answer ? fieldName(answer.QuestionID, answer.nth) : field
  })
}

/** The answers of a form in the order of its body. What was left empty is no answer. */
export function readAnswers(fields: FormFields): LineAnswer[] {
  return Object.keys(fields).flatMap((name) => {
    const [, digits, nth] = /^Answer-([1-9]\d{0,14})(?:-([1-9]\d?))?$/.exec(name) ?? []
    const id = Number(digits)
    const texts = textsOf(fields, name)
    if (Number.isNaN(id) || texts.every((text) => text.trim() === '')) return []
    return [{ QuestionID: id, Value: texts.length === 1 ? texts[0]! : texts, nth: Number(nth ?? 1) }]
  })
}

/** Required questions without an answer, or without one of some participant. */
export function unanswered(
  questions: readonly Question[],
  answers: GivenAnswers,
  participants: number,
  nth = 1,
): FieldError[] {
  return listUnanswered(questions, answers, participants).map(({ id }) => {
    return { field: fieldName(id, nth), message: 'has to be answered' }
  })
}

/** What the fields of questions are called, by their names. */
export function answerLabels(questions: readonly Question[], nth = 1): [string, string][] {
  return questions.map(({ id, label }) => [fieldName(id, nth), label])
}

/** Fields for all questions, and hidden ones for what is answered but asked no more. */
export function answerFields(
  questions: readonly Question[],
  answers: GivenAnswers,
  { participants, faults, nth = 1 }: { participants: number; faults: FormFaults; nth?: number },
): Markup {
  const known = new Set(questions.map(({ id }) => id))
  const others = answers.filter(({ QuestionID }) => !known.has(QuestionID))
  return html`${questions.map((question) => questionField(question, textsFor(answers, question.id), { participants, faults, name: fieldName(question.id, nth) }))}
${others.map(
  ({ QuestionID, Value }) =>
    html`${[Value].flat().map((text) => html`<input type="hidden" name="${fieldName(QuestionID, nth)}" value="${text}">`)}`,
)}`
}

function questionField(
  question: Question,
  texts: string[],
  { participants, faults, name }: { participants: number; faults: FormFaults; name: string },
): Markup {
  const { label, required, appliesTo, type } = question
  const fault = faults?.fields.get(name)
  const about = fault ? html`<span class="fault" id="${idOf(name)}-about">${fault}</span>` : html``
  const many = appliesTo === 'participant' ? participants : 1
  const legend = html`${label}${required ? html` <span class="hint">(required)</span>` : ''}`
  if (many === 1 && type !== 'checkbox') {
    return html`<p class="field"><label for="${idOf(name)}"><span>${legend}</span></label>
${control(question, { text: texts[0] ?? '', name, id: idOf(name), fault: fault !== undefined })}${about}</p>`
  }
  const parts =
    type === 'checkbox' && many === 1
      ? choicesOf(question, texts, name)
      : Array.from({ length: many }, (_, index) => {
          const inputId = index === 0 ? idOf(name) : `${idOf(name)}-${index + 1}`
          return html`<p class="field"><label for="${inputId}">Participant ${index + 1}</label>
${control(question, { text: texts[index] ?? '', name, id: inputId, fault: fault !== undefined })}</p>`
        })
  return html`<fieldset class="question"><legend>${legend}</legend>${parts}${about}</fieldset>`
}

/** One box for each option; a question without options is one to be agreed to. */
function choicesOf({ options }: Question, texts: string[], name: string): Markup[] {
  return (options.length > 0 ? options : ['Yes']).map((option, index) => {
    const box = {
      type: 'checkbox',
      id: index === 0 ? idOf(name) : `${idOf(name)}-${index + 1}`,
      name,
      value: option,
      checked: texts.includes(option),
    }
    return html`<label class="choice"><input${attributes(box)}> ${option}</label>`
  })
}

const inputTypes: Record<string, string> = { date: 'date', email: 'email', phone: 'tel' }
const mostCharacters = 10_000

function control(
  { type, options }: Question,
  { text, name, id: inputId, fault }: { text: string; name: string; id: string; fault: boolean },
): Markup {
  const common = {
    id: inputId,
    name,
    'aria-invalid': fault ? 'true' : undefined,
    'aria-describedby': fault ? `${idOf(name)}-about` : undefined,
  }
  const asked = type === 'checkbox' && options.length === 0 ? ['Yes'] : options
  if (asked.length > 0) {
    const choices = asked.includes(text) || text === '' ? asked : [...asked, text]
    return html`<select${attributes(common)}><option value="">–</option>${choices.map(
      (option) => html`<option${attributes({ value: option, selected: option === text })}>${option}</option>`,
    )}</select>`
  }
  if (type === 'textarea')
    return html`<textarea${attributes({ ...common, rows: 3, maxlength: mostCharacters })}>\n${text}</textarea>`
  const more = { type: inputTypes[type] ?? 'text', value: text, maxlength: mostCharacters }
  return html`<input${attributes({ ...common, ...more })}>`
}

/** Answers to be read, each with the text of its question. */
export function answerList(questions: readonly Question[], answers: GivenAnswers): Markup {
  const labels = new Map(questions.map(({ id, label }) => [id, label]))
  return html`<dl class="facts">${answers.map(({ QuestionID, Value }) => {
    const label = labels.get(QuestionID) ?? `Question ${QuestionID}, which is asked no more`
    return html`<div><dt>${label}</dt><dd>${[Value].flat().join(' · ')}</dd></div>`
  })}</dl>`
}

/** Every question that has an answer, required or not: an allergy matters as much. */
export function answersOf(questions: readonly Question[], { Answers }: BookingRecord): Markup {
  const answered = questions.flatMap(({ id, label }) => {
    const texts = textsFor(Answers, id).filter((text) => text.trim() !== '')
    return texts.length > 0 ? [html`<li>${label} <strong>${texts.join(' · ')}</strong></li>`] : []
  })
  return answered.length > 0 ? html`<ul class="answers">${answered}</ul>` : html``
}
