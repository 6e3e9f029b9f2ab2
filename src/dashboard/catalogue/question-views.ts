/** The content of the pages of a product's questions. Pure. */

import type { listQuestions } from '../../catalogue/products/questions.ts'
import { questionTypes } from '../../catalogue/schemas.ts'
import { html, type Markup } from '../../http/pages.ts'
import { versionOf } from '../../http/versions.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import {
  checkboxField,
  fieldOf,
  inputField,
  type ShownForm,
  selectField,
  textField,
} from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { productPath } from './paths.ts'
import { productTabs } from './product-tabs.ts'

export type QuestionLine = Awaited<ReturnType<typeof listQuestions>>[number]
type QuestionType = (typeof questionTypes)[number]

/** The questions in order, with the buttons that move or remove a question. */
export function questionsPart(session: Session, t: Texts, path: string, questions: QuestionLine[]): Markup {
  const version = versionOf(questions)
  return html`<h2 id="questions">${t.say('question.list')}</h2>
${
  questions.length === 0
    ? emptyState(t.say('question.empty'))
    : html`<ol class="questions">${questions.map((question, index) => {
        const last = questions.length - 1
        const moves = [...(index > 0 ? (['up'] as const) : []), ...(index < last ? (['down'] as const) : [])]
        return html`<li>${questionWords(t, path, question)}
<div class="actions">${[...moves, 'remove' as const].map((what) => placeButton(session, t, path, question, { what, version }))}</div></li>\n`
      })}</ol>`
}
<p><a class="button secondary" href="${path}/questions/new">${t.say('question.add')}</a></p>`
}

function questionWords(
  t: Texts,
  path: string,
  { id, label, type, required, options, appliesTo }: QuestionLine,
): Markup {
  const kind = t.say(`question.type.${type as QuestionType}`)
  const facts = [
    options.length > 0 ? `${kind}: ${options.join(', ')}` : kind,
    t.say(appliesTo === 'participant' ? 'question.per.participant' : 'question.per.booking'),
    t.say(required ? 'question.required' : 'question.optional'),
  ]
  return html`<p><a href="${path}/questions/${id}">${label}</a><br>
<span class="hint">${facts.join('; ')}</span></p>`
}

function placeButton(
  session: Session,
  t: Texts,
  path: string,
  { id, label }: QuestionLine,
  { what, version }: { what: 'up' | 'down' | 'remove'; version: string },
): Markup {
  const question = what === 'remove' ? t.say('question.remove.ask') : undefined
  const words = t.say(`place.${what}`)
  return postForm(
    session,
    `${path}/questions/${id}/place`,
    html`${versionField(version)}<input type="hidden" name="Do" value="${what}">
<button class="secondary" aria-label="${words}: ${label}">${words}</button>`,
    { class: 'inline', ...(question && { question }) },
  )
}

export const questionFieldNames = ['Label', 'Type', 'Options', 'AppliesTo', 'Required'] as const

export function questionPage(
  session: Session,
  t: Texts,
  { productId, questionId }: { productId: number; questionId: number | null },
  shown: ShownForm & { version: string },
): Markup {
  const field = (label: TextKey, name: (typeof questionFieldNames)[number], hint?: TextKey) =>
    fieldOf(shown, t.say(label), name, hint && t.say(hint))
  const types = questionTypes.map((value) => ({ value, label: t.say(`question.type.${value}`) }))
  const scopes = (['booking', 'participant'] as const).map((value) => ({
    value,
    label: t.say(`question.per.${value}`),
  }))
  const options = (shown.values as { Options?: string[] } | null)?.Options ?? []
  return html`${productTabs(t, productId, 'questions')}${faultSummary(shown.faults)}
${postForm(
  session,
  `${productPath(productId)}/questions/${questionId ?? 'new'}`,
  html`${versionField(shown.version)}
${inputField(field('question.label', 'Label', 'question.label.hint'), { required: true, maxlength: 1000 })}
${selectField(field('question.answered-by', 'Type'), types)}
${textField({ ...field('question.options', 'Options', 'question.options.hint'), value: options.join('\n') }, { rows: 5 })}
${selectField(field('question.asked', 'AppliesTo'), scopes)}
${checkboxField(field('question.must-answer', 'Required'))}
<p class="actions"><button>${t.say('save')}</button> <a href="${productPath(productId)}#questions">${t.say('product.back')}</a></p>`,
)}`
}
