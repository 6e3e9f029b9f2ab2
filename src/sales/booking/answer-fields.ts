/**
 * Fields of waiver questions in forms, and reading their answers. The name of a field has the id of its question. A question
 * of each participant has one field for each of them, all with the same name, or a group of boxes for each. If several lines
 * of a sale ask the same question, each line has its own field.
 */
import type { Question } from '../../catalogue/products/service.ts'
import { type FormFields, textsOf } from '../../http/form-fields.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import { defaultLocale } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { type Answers, choicesIn, joinChoices, listLacking, listUnanswered, textsFor } from './answers.ts'

/** An answer of the `nth` line of a sale that asks this. */
export type LineAnswer = Answers[number] & { nth: number }

export const answerFieldName = (id: number, nth = 1) => (nth === 1 ? `Answer-${id}` : `Answer-${id}-${nth}`)

/** The field of one participant's boxes. It is sent even if no box is ticked, so that answers keep the participants' order. */
const groupFieldName = (name: string, participant: number) => `${name}-p${participant}`

/** The answers of a form, in the order of its body. Empty fields are left out. */
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

/** ` (Participant 2)`; empty if no answer is of a single participant. */
function whose(t: Texts, numbers: readonly number[]): string {
  const shown = numbers.slice(0, mostNamed).map((number) => t.say('form.participant', { number }))
  if (numbers.length > mostNamed) shown.push('…')
  return shown.length === 0 ? '' : ` (${shown.join(', ')})`
}

const mostNamed = 5

/** What is wrong with an answer, in the reader's language. */
export function answerFault(t: Texts, message: string): string {
  if (message.startsWith(unansweredMessage)) {
    const numbers = [...message.matchAll(/\d+/g)].map(([digits]) => Number(digits))
    return `${t.say('form.unanswered')}${whose(t, numbers)}${message.endsWith('…)') ? ' …' : ''}`
  }
  return t.language === 'en' ? message : t.say('form.unusable')
}

/** Required questions without an answer, or without one of some participant. */
export function unanswered(
  questions: readonly Question[],
  answers: Answers,
  participants: number,
  nth = 1,
): FieldError[] {
  const english = textsIn(defaultLocale)
  return listUnanswered(questions, answers, participants).map((question) => {
    const message = `${unansweredMessage}${whose(english, listLacking(question, answers, participants))}`
    return { field: answerFieldName(question.id, nth), message }
  })
}

/** The labels of the questions, by the names of their fields. */
export function answerLabels(questions: readonly Question[], nth = 1): [string, string][] {
  return questions.map(({ id, label }) => [answerFieldName(id, nth), label])
}

/** @param t the texts of the reader's language; English when left out. */
type AnswerForm = { participants: number; faults: FormFaults; nth?: number; t?: Texts }

/** Fields for all questions, and hidden fields for answers whose questions were deleted. */
export function answerFields(
  questions: readonly Question[],
  answers: Answers,
  { participants, faults, nth = 1, t = textsIn(defaultLocale) }: AnswerForm,
): Markup {
  const known = new Set(questions.map(({ id }) => id))
  const others = answers.filter(({ QuestionID }) => !known.has(QuestionID))
  return html`${questions.map((question) => questionField(question, textsFor(answers, question.id), { participants, faults, t, name: answerFieldName(question.id, nth) }))}
${others.map(
  ({ QuestionID, Value }) =>
    html`${[Value].flat().map((text) => html`<input type="hidden" name="${answerFieldName(QuestionID, nth)}" value="${text}">`)}`,
)}`
}

type ShownQuestion = { participants: number; faults: FormFaults; t: Texts; name: string }

function questionField(question: Question, texts: string[], shown: ShownQuestion): Markup {
  const { label, required, appliesTo, type } = question
  const { participants, faults, t, name } = shown
  const fault = faults?.fields.get(name)
  const about = fault ? faultBeside(name, faults?.labels?.get(name) ?? label, fault) : html``
  const isEach = appliesTo === 'participant'
  const legend = html`${label}${required ? html` <span class="hint">${t.say('form.required')}</span>` : ''}`
  if (type !== 'checkbox' && !(isEach && participants > 1)) {
    return html`<p class="field"><label for="${idOf(name)}"><span>${legend}</span></label>
${control(t, question, { text: texts[0] ?? '', name, id: idOf(name), fault: fault !== undefined })}${about}</p>`
  }
  const parts = isEach
    ? Array.from({ length: participants }, (_, index) => {
        const id = index === 0 ? idOf(name) : `${idOf(name)}-p${index + 1}`
        if (type === 'checkbox')
          return groupOf(t, question, ownChoices(question, texts, { index, participants }), {
            name,
            id,
            index,
            participants,
          })
        return html`<p class="field"><label for="${id}">${t.say('form.participant', { number: index + 1 })}</label>
${control(t, question, { text: texts[index] ?? '', name, id, fault: fault !== undefined })}</p>`
      })
    : choicesOf(t, question, chosenIn(question, texts), { name, id: idOf(name) })
  const described = attributes({ 'aria-describedby': fault ? `${idOf(name)}-about` : undefined })
  return html`<fieldset class="question"${described}><legend>${legend}</legend>${parts}${about}</fieldset>`
}

type OfParticipant = { index: number; participants: number }

/** The choices of one participant. A party of one has all answers, because earlier versions stored its choices as a list. */
function ownChoices(question: Question, texts: string[], { index, participants }: OfParticipant): string[] {
  return chosenIn(question, participants === 1 ? texts : texts.slice(index, index + 1))
}

/** The choices in these texts. OCTO has several choices as one text, also for a whole booking. */
function chosenIn({ options }: Question, texts: readonly string[]): string[] {
  return texts.flatMap((text) => choicesIn(text, options))
}

/** The boxes of one participant, with a title if there are other participants. */
function groupOf(
  t: Texts,
  question: Question,
  chosen: string[],
  { name, id, index, participants }: OfParticipant & { name: string; id: string },
): Markup {
  const group = groupFieldName(name, index + 1)
  const boxes = html`<input type="hidden" name="${group}" value="">${choicesOf(t, question, chosen, { name: group, id })}`
  if (participants === 1) return boxes
  return html`<fieldset class="participant"><legend>${t.say('form.participant', { number: index + 1 })}</legend>${boxes}</fieldset>`
}

/** One box for each option, and for each earlier choice that is no longer one. A question without options has the box Yes. */
function choicesOf(
  t: Texts,
  question: Question,
  chosen: readonly string[],
  { name, id }: { name: string; id: string },
): Markup[] {
  const { options } = question
  const asked = options.length > 0 ? options : [agreed]
  const others = chosen.filter((text) => text !== '' && !asked.includes(text))
  return [...asked, ...others].map((option, index) => {
    const box = {
      type: 'checkbox',
      id: index === 0 ? id : `${id}-box-${index + 1}`,
      name,
      value: option,
      checked: chosen.includes(option),
    }
    return html`<label class="choice"><input${attributes(box)}> ${optionText(t, question, option)}</label>`
  })
}

/** The value of a question without options, in every language. */
const agreed = 'Yes'

/** An option in the reader's language; that of a question without options is the service's own. */
function optionText(t: Texts, { options, optionLabels }: Question, option: string): string {
  if (options.length === 0 && option === agreed) return t.say('form.yes')
  return optionLabels?.[options.indexOf(option)] ?? (option === agreed ? t.say('form.yes') : option)
}

const inputTypes: Record<string, string> = { date: 'date', email: 'email', phone: 'tel' }
const mostCharacters = 10_000

function control(
  t: Texts,
  question: Question,
  { text, name, id: inputId, fault }: { text: string; name: string; id: string; fault: boolean },
): Markup {
  const { type, options } = question
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
        html`<option${attributes({ value: option, selected: option === text })}>${optionText(t, question, option)}</option>`,
    )}</select>`
  }
  if (type === 'textarea')
    return html`<textarea${attributes({ ...common, rows: 3, maxlength: mostCharacters })}>\n${text}</textarea>`
  const more = { type: inputTypes[type] ?? 'text', value: text, maxlength: mostCharacters }
  return html`<input${attributes({ ...common, ...more })}>`
}
