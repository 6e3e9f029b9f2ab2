/**
 * Waiver questions in forms: a field for each answer, and the answers read back. A field goes by the id of its
 * question; what is asked of each participant has one field for each of them, of the same name. A sale in which several
 * lines ask the same has a field for each line.
 */
import type { Question } from '../../catalogue/products/service.ts'
import { type FormFields, textsOf } from '../../http/form-fields.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { usualLocale } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { type Answers, listUnanswered, textsFor } from './answers.ts'

/** An answer of the `nth` line of a sale that asks this. */
export type LineAnswer = Answers[number] & { nth: number }

export const answerFieldName = (id: number, nth = 1) => (nth === 1 ? `Answer-${id}` : `Answer-${id}-${nth}`)

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

const unansweredMessage = 'has to be answered'

/** What is wrong with an answer, in the reader's language. */
export function answerFault(t: Texts, message: string): string {
  if (message === unansweredMessage) return t.say('form.unanswered')
  return t.language === 'en' ? message : t.say('form.unusable')
}

/** Required questions without an answer, or without one of some participant. */
export function unanswered(
  questions: readonly Question[],
  answers: Answers,
  participants: number,
  nth = 1,
): FieldError[] {
  return listUnanswered(questions, answers, participants).map(({ id }) => {
    return { field: answerFieldName(id, nth), message: unansweredMessage }
  })
}

/** What the fields of questions are called, by their names. */
export function answerLabels(questions: readonly Question[], nth = 1): [string, string][] {
  return questions.map(({ id, label }) => [answerFieldName(id, nth), label])
}

/** @param t the texts of the reader's language; the usual ones on pages of the dashboard. */
type AnswerForm = { participants: number; faults: FormFaults; nth?: number; t?: Texts }

/** Fields for all questions, and hidden ones for what is answered but asked no more. */
export function answerFields(
  questions: readonly Question[],
  answers: Answers,
  { participants, faults, nth = 1, t = textsIn(usualLocale) }: AnswerForm,
): Markup {
  const known = new Set(questions.map(({ id }) => id))
  const others = answers.filter(({ QuestionID }) => !known.has(QuestionID))
  return html`${questions.map((question) => questionField(question, textsFor(answers, question.id), { participants, faults, t, name: answerFieldName(question.id, nth) }))}
${others.map(
  ({ QuestionID, Value }) =>
    html`${[Value].flat().map((text) => html`<input type="hidden" name="${answerFieldName(QuestionID, nth)}" value="${text}">`)}`,
)}`
}

function questionField(
  question: Question,
  texts: string[],
  { participants, faults, t, name }: Required<Omit<AnswerForm, 'nth'>> & { name: string },
): Markup {
  const { label, required, appliesTo, type } = question
  const fault = faults?.fields.get(name)
  const about = fault ? faultBeside(name, faults?.labels?.get(name) ?? label, fault) : html``
  const many = appliesTo === 'participant' ? participants : 1
  const legend = html`${label}${required ? html` <span class="hint">${t.say('form.required')}</span>` : ''}`
  if (many === 1 && type !== 'checkbox') {
    return html`<p class="field"><label for="${idOf(name)}"><span>${legend}</span></label>
${control(t, question, { text: texts[0] ?? '', name, id: idOf(name), fault: fault !== undefined })}${about}</p>`
  }
  const parts =
    type === 'checkbox' && many === 1
      ? choicesOf(t, question, texts, name)
      : Array.from({ length: many }, (_, index) => {
          const inputId = index === 0 ? idOf(name) : `${idOf(name)}-${index + 1}`
          return html`<p class="field"><label for="${inputId}">${t.say('form.participant', { number: index + 1 })}</label>
${control(t, question, { text: texts[index] ?? '', name, id: inputId, fault: fault !== undefined })}</p>`
        })
  return html`<fieldset class="question"><legend>${legend}</legend>${parts}${about}</fieldset>`
}

/** One box for each option; a question without options is one to be agreed to. */
function choicesOf(t: Texts, { options }: Question, texts: string[], name: string): Markup[] {
  return (options.length > 0 ? options : [agreed]).map((option, index) => {
    const box = {
      type: 'checkbox',
      id: index === 0 ? idOf(name) : `${idOf(name)}-${index + 1}`,
      name,
      value: option,
      checked: texts.includes(option),
    }
    return html`<label class="choice"><input${attributes(box)}> ${optionText(t, option)}</label>`
  })
}

/** What is sent for a question without options, whatever its reader reads. */
const agreed = 'Yes'

function optionText(t: Texts, option: string): string {
  return option === agreed ? t.say('form.yes') : option
}

const inputTypes: Record<string, string> = { date: 'date', email: 'email', phone: 'tel' }
const mostCharacters = 10_000

function control(
  t: Texts,
  { type, options }: Question,
  { text, name, id: inputId, fault }: { text: string; name: string; id: string; fault: boolean },
): Markup {
  const common = {
    id: inputId,
    name,
    'aria-invalid': fault ? 'true' : undefined,
    'aria-describedby': fault ? `${idOf(name)}-about` : undefined,
  }
  const asked = type === 'checkbox' && options.length === 0 ? [agreed] : options
  if (asked.length > 0) {
    const choices = asked.includes(text) || text === '' ? asked : [...asked, text]
    return html`<select${attributes(common)}><option value="">–</option>${choices.map(
      (option) =>
        html`<option${attributes({ value: option, selected: option === text })}>${optionText(t, option)}</option>`,
    )}</select>`
  }
  if (type === 'textarea')
    return html`<textarea${attributes({ ...common, rows: 3, maxlength: mostCharacters })}>\n${text}</textarea>`
  const more = { type: inputTypes[type] ?? 'text', value: text, maxlength: mostCharacters }
  return html`<input${attributes({ ...common, ...more })}>`
}
