/** The content of the pages of a product's questions. Pure. */

import type { listQuestions } from '../../catalogue/products/service.ts'
import { questionTypes } from '../../catalogue/schemas.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import {
  checkboxField,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  selectField,
  textField,
} from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { productPath } from './paths.ts'

export type QuestionLine = Awaited<ReturnType<typeof listQuestions>>[number]

const typeWords: Record<(typeof questionTypes)[number], string> = {
  text: 'a line of text',
  textarea: 'several lines of text',
  select: 'one of the options',
  checkbox: 'ticks',
  date: 'a date',
  email: 'an e-mail address',
  phone: 'a phone number',
  signature: 'a signature',
  file: 'a file',
}
const typeChoices = questionTypes.map((value) => ({ value, label: typeWords[value] }))
const appliesToChoices = [
  { value: 'booking', label: 'once for the booking' },
  { value: 'participant', label: 'for every participant' },
]

/** The questions in order, with the buttons that change the order. */
export function questionsPart(session: Session, path: string, questions: QuestionLine[]): Markup {
  const version = versionOf(questions)
  return html`<h2 id="questions">Questions</h2>
${
  questions.length === 0
    ? emptyState('This product has no questions.')
    : html`<ol class="questions">${questions.map((question, index) => {
        const last = questions.length - 1
        const moves = [...(index > 0 ? (['up'] as const) : []), ...(index < last ? (['down'] as const) : [])]
        return html`<li>${questionWords(path, question)}
<div class="actions">${[...moves, 'remove' as const].map((what) => placeButton(session, path, question, { what, version }))}</div></li>\n`
      })}</ol>`
}
<p><a class="button secondary" href="${path}/questions/new">Add a question</a></p>`
}

function questionWords(
  path: string,
  { id, label, type, required, options, appliesTo }: QuestionLine,
): Markup {
  const kind = typeWords[type as keyof typeof typeWords]
  const choices = options.length > 0 ? `: ${options.join(', ')}` : ''
  const scope = appliesTo === 'participant' ? 'for every participant' : 'once for the booking'
  return html`<p><a href="${path}/questions/${id}">${label}</a><br>
<span class="hint">${kind}${choices}; ${scope}; ${required ? 'has to be answered' : 'need not be answered'}</span></p>`
}

const placeWords = { up: 'Up', down: 'Down', remove: 'Remove' }

function placeButton(
  session: Session,
  path: string,
  { id, label }: QuestionLine,
  { what, version }: { what: keyof typeof placeWords; version: string },
): Markup {
  const question = what === 'remove' ? 'Remove this question? Bookings keep the answers to it.' : undefined
  return postForm(
    session,
    `${path}/questions/${id}/place`,
    html`${versionField(version)}<input type="hidden" name="Do" value="${what}">
<button class="secondary" aria-label="${placeWords[what]}: ${label}">${placeWords[what]}</button>`,
    { class: 'inline', ...(question && { question }) },
  )
}

export const questionFieldNames = ['Label', 'Type', 'Options', 'AppliesTo', 'Required'] as const

export function questionPage(
  session: Session,
  { productId, questionId }: { productId: number; questionId: number | null },
  shown: ShownForm & { version: string },
): Markup {
  const field = (label: string, name: (typeof questionFieldNames)[number], hint?: string) =>
    fieldOf(shown, label, name, hint)
  const options = (shown.values as { Options?: string[] } | null)?.Options ?? []
  return html`${faultSummary(shown.faults)}
${postForm(
  session,
  `${productPath(productId)}/questions/${questionId ?? 'new'}`,
  html`${versionField(shown.version)}
${inputField(field('Question', 'Label', 'As the customer reads it.'), { required: true, maxlength: 1000 })}
${selectField(field('Answered by', 'Type'), typeChoices)}
${textField({ ...field('Options', 'Options', 'One on a line, for what is chosen or ticked.'), value: options.join('\n') }, { rows: 5 })}
${selectField(field('Asked', 'AppliesTo'), appliesToChoices)}
${checkboxField(field('Has to be answered before booking', 'Required'))}
<p class="actions"><button>Save</button> <a href="${productPath(productId)}#questions">Back to the product</a></p>`,
)}`
}
