/** The control of one waiver question in a form, for one participant or a whole party. Pure. */
import type { Question } from '../../catalogue/products/questions.ts'
import { attributes, type FormFaults, faultBeside, idOf } from '../../http/form-markup.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { choicesIn } from './answers.ts'

type ShownQuestion = {
  /** The answers that the control shows. */
  texts: readonly string[]
  /** The name under which the form sends the answers. */
  name: string
  /** The name in errors and ids, which differs for each participant. */
  field: string
  /** The name of the checkboxes of one participant; null if the whole party answers the question. */
  boxes: string | null
  faults: FormFaults
}

/** A question with its control, and the error of its answer. */
export function questionField(t: Texts, question: Question, shown: ShownQuestion): Markup {
  const { label, required, type } = question
  const { texts, name, field, boxes, faults } = shown
  const id = idOf(field)
  const fault = faults?.fields.get(field)
  // The message does not repeat the label, which is just above it.
  const about = fault ? faultBeside(field, '', fault) : html``
  const legend = html`${label}${required ? html` <span class="hint">${t.say('form.required')}</span>` : ''}`
  if (type !== 'checkbox')
    return html`<p class="field"><label for="${id}"><span>${legend}</span></label>
${control(t, question, { text: texts[0] ?? '', name, id, isWrong: fault !== undefined })}${about}</p>`
  const described = attributes({ 'aria-describedby': fault ? `${id}-about` : undefined })
  const sentEmpty = boxes === null ? '' : html`<input type="hidden" name="${boxes}" value="">`
  const choices = choicesOf(t, question, chosenIn(question, texts), { name: boxes ?? name, id })
  return html`<fieldset class="question"${described}><legend>${legend}</legend>${sentEmpty}${choices}${about}</fieldset>`
}

/**
 * The choices in these texts. An answer that a reseller sent through OCTO has several choices in one text, even if
 * the question is asked of the whole party.
 */
function chosenIn({ options }: Question, texts: readonly string[]): string[] {
  return texts.flatMap((text) => choicesIn(text, options))
}

/**
 * One box for each option, and for each earlier choice that is no longer an option. A question without
 * options has a single box, Yes.
 */
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

/** The value that the box of a question without options sends. It is the same in every language. */
const agreed = 'Yes'

/**
 * The text of an option in the reader's language. A Yes that the product does not translate is translated by
 * the service.
 */
function optionText(t: Texts, { options, optionLabels }: Question, option: string): string {
  if (options.length === 0 && option === agreed) return t.say('form.yes')
  return optionLabels?.[options.indexOf(option)] ?? (option === agreed ? t.say('form.yes') : option)
}

const inputTypes: Record<string, string> = { date: 'date', email: 'email', phone: 'tel' }
const maxCharacters = 10_000

function control(
  t: Texts,
  question: Question,
  { text, name, id, isWrong }: { text: string; name: string; id: string; isWrong: boolean },
): Markup {
  const { type, options } = question
  const common = {
    id,
    name,
    'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': isWrong ? `${id}-about` : undefined,
  }
  if (options.length > 0) {
    const choices = options.includes(text) || text === '' ? options : [...options, text]
    return html`<select${attributes(common)}><option value="">–</option>${choices.map(
      (option) =>
        html`<option${attributes({ value: option, selected: option === text })}>${optionText(t, question, option)}</option>`,
    )}</select>`
  }
  if (type === 'textarea')
    return html`<textarea${attributes({ ...common, rows: 3, maxlength: maxCharacters })}>\n${text}</textarea>`
  const more = { type: inputTypes[type] ?? 'text', value: text, maxlength: maxCharacters }
  return html`<input${attributes({ ...common, ...more })}>`
}
