/** The content of the pages of workflows. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import type { TextKey } from '../../languages/keys.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Trigger, triggers } from '../../messaging/emails/triggers.ts'
import type { WorkflowRow } from '../../messaging/workflows/service.ts'
import {
  checkboxField,
  fieldOf,
  inputField,
  type ShownForm,
  selectField,
  textField,
  valueAt,
} from '../frame/form-fields.ts'
import { faultSummary, postForm } from '../frame/forms.ts'
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import { type ComparedField, versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { durationField } from '../parts/duration-fields.ts'
import { variableList } from '../parts/variable-list.ts'

const listPath = '/dashboard/emails/workflows'

type ProductChoice = { id: number; name: string }
type WorkflowList = { workflows: WorkflowRow[]; products: ProductChoice[]; url: string; next: string | null }

export function workflowList(
  session: Session,
  t: Texts,
  { workflows, products, url, next }: WorkflowList,
): Markup {
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const about = ({ productId }: WorkflowRow) =>
    productId === null ? t.say('workflows.products.all') : (names.get(productId) ?? '')
  return html`<p class="actions"><a class="button" href="${listPath}/new">${t.say('workflows.new')}</a></p>
${
  workflows.length === 0
    ? emptyState(t.say('workflows.empty'))
    : table(
        t.say('workflows.title'),
        [
          {
            head: t.say('workflows.workflow'),
            onCard: 'title',
            cell: ({ id, name }) => html`<a href="${listPath}/${id}">${name}</a>`,
          },
          {
            head: t.say('workflows.sends'),
            onCard: 'line',
            cell: (workflow) =>
              t.say('workflows.sends.for', { when: whenWords(t, workflow), product: about(workflow) }),
          },
          {
            head: t.say('workflows.now'),
            onCard: 'line',
            cell: (workflow) => activeCell(session, t, workflow),
          },
        ],
        workflows,
      )
}
${nextLink(t, url, next)}`
}

function whenWords(t: Texts, { trigger: name, offsetMinutes }: WorkflowRow): string {
  const trigger = t.say(`workflows.trigger.${name}`)
  return offsetMinutes === 0
    ? t.say('workflows.at-once', { trigger })
    : t.say('workflows.after', { length: lengthWords(t, offsetMinutes), trigger })
}

/** Minutes as days, hours and minutes: 1530 is "1 day 1 hour 30 minutes". */
function lengthWords(t: Texts, minutes: number): string {
  const parts = [
    { count: Math.floor(minutes / 1440), key: 'duration.days' },
    { count: Math.floor((minutes % 1440) / 60), key: 'workflows.hours' },
    { count: minutes % 60, key: 'workflows.minutes' },
  ] as const
  return parts
    .filter(({ count }) => count > 0)
    .map(({ count, key }) => t.say(key, { count }))
    .join(' ')
}

function activeCell(session: Session, t: Texts, { id, name, active }: WorkflowRow): Markup {
  const words = t.say(active ? 'workflows.switch-off' : 'workflows.switch-on')
  return html`${active ? badge(t.say('workflows.on'), 'good') : badge(t.say('workflows.off'))}
${postForm(
  session,
  `${listPath}/${id}/active`,
  html`<input type="hidden" name="Active" value="${String(!active)}">
<button class="secondary" aria-label="${words}: ${name}">${words}</button>`,
  { class: 'inline' },
)}`
}

/** The fields in which users type text. */
export const workflowTexts = ['Name', 'Subject', 'Body'] as const
const choices = ['Trigger', 'OffsetMinutes', 'ProductID', 'Active'] as const

/** The sent and the stored values of the other fields, in the words of the page. */
export function compareChoices(
  t: Texts,
  products: readonly ProductChoice[],
  given: unknown,
  existing: unknown,
): ComparedField[] {
  const words = (values: unknown, field: (typeof choices)[number]): string => {
    const value = valueAt(values, field)
    if (field === 'Trigger')
      return triggers.includes(value as Trigger) ? t.say(`workflows.trigger.${value as Trigger}`) : ''
    if (field === 'OffsetMinutes')
      return lengthWords(t, Number(value)) || t.say('workflows.minutes', { count: 0 })
    if (field === 'Active') return t.say(value === 'true' ? 'workflows.on' : 'workflows.off')
    return products.find(({ id }) => String(id) === value)?.name ?? t.say('workflows.products.all')
  }
  return choices.map((field) => ({ field, given: words(given, field), existing: words(existing, field) }))
}

type WorkflowPreview = { Subject: string; Text: string; HTML: string }
type WorkflowPage = { id: number | null; products: ProductChoice[]; preview: WorkflowPreview | null }

export function workflowPage(
  session: Session,
  t: Texts,
  { id, products, preview }: WorkflowPage,
  shown: ShownForm & { version: string },
): Markup {
  const path = `${listPath}/${id ?? 'new'}`
  return html`${faultSummary(shown.faults)}<div class="workflow">${preview ? previewPart(t, preview) : ''}
${postForm(
  session,
  path,
  html`${versionField(shown.version)}${workflowInputs(t, products, shown)}
<p class="actions"><button>${t.say('save')}</button> <button class="secondary" formaction="${path}/preview">${t.say('word.preview')}</button>
<a href="${listPath}">${t.say('workflows.back')}</a></p>`,
  { class: 'stacked parts' },
)}</div>
${id === null ? '' : savedWorkflowPart(session, t, path)}`
}

/** The actions for a workflow. They use the saved workflow, not the values of the form. */
function savedWorkflowPart(session: Session, t: Texts, path: string): Markup {
  return html`<h2>${t.say('workflows.as-saved')}</h2>
${postForm(session, `${path}/test`, html`<button class="secondary">${t.say('workflows.test', { email: session.user.email })}</button>`)}
<p><a href="${path}/delete">${t.say('workflows.delete.open')}</a></p>`
}

/**
 * The preview of the e-mail. Its HTML is in a frame that can run no script, open no link, and load nothing from
 * other sites.
 */
function previewPart(t: Texts, { Subject, Text, HTML }: WorkflowPreview): Markup {
  return html`<section class="preview"><h2>${t.say('workflows.preview.title')}</h2>
<dl><dt>${t.say('word.subject')}</dt><dd>${Subject}</dd></dl>
<h3>${t.say('workflows.preview.html')}</h3>
<iframe class="email" sandbox="" srcdoc="${HTML}" title="${t.say('workflows.preview.frame')}"></iframe>
<h3>${t.say('workflows.preview.text')}</h3>
<pre class="email" tabindex="0">${Text}</pre></section>`
}

function workflowInputs(t: Texts, products: ProductChoice[], shown: ShownForm): Markup {
  const field = (
    label: TextKey,
    name: (typeof workflowTexts | typeof choices)[number] | 'BookingReference',
    hint?: TextKey,
  ) => fieldOf(shown, t.say(label), name, hint && t.say(hint))
  const productChoices = [
    { value: '', label: t.say('workflows.products.all') },
    ...products.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const triggerChoices = triggers.map((value) => ({ value, label: t.say(`workflows.trigger.${value}`) }))
  const text = field('workflows.text', 'Body', 'workflows.text.hint')
  return html`<fieldset class="part"><legend>${t.say('workflows.part.when')}</legend>
${inputField(field('word.name', 'Name', 'workflows.name.hint'), { required: true, maxlength: 255 })}
${durationField(t, field('workflows.offset', 'OffsetMinutes', 'workflows.offset.hint'))}
${selectField(field('workflows.trigger', 'Trigger'), triggerChoices)}
${selectField(field('workflows.product', 'ProductID'), productChoices)}
${checkboxField(field('workflows.active', 'Active'))}</fieldset>
<fieldset class="part"><legend>${t.say('workflows.part.email')}</legend>
${inputField(field('word.subject', 'Subject'), { required: true, maxlength: 500 })}
${textField(text, { required: true, rows: rowsOf(text.value) })}
<details><summary>${t.say('workflows.variables')}</summary>
${variableList(t)}</details>
${inputField(field('workflows.reference', 'BookingReference', 'workflows.reference.hint'), { maxlength: 64 })}</fieldset>`
}

const [fewestRows, maxRows, lettersInRow] = [8, 30, 72]

/** The height of the text field in rows: one more than the text needs, between `fewestRows` and `maxRows`. */
function rowsOf(text: unknown): number {
  const rows = String(text ?? '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lettersInRow)), 1)
  return Math.min(Math.max(rows, fewestRows), maxRows)
}

export function deletePage(session: Session, t: Texts, { id, name }: WorkflowRow): Markup {
  return html`<p>${markupOf(t, 'workflows.delete.about', { name })}</p>
${postForm(
  session,
  `${listPath}/${id}/delete`,
  html`<p class="actions"><button class="danger">${t.say('workflows.delete')}</button> <a href="${listPath}/${id}">${t.say('word.keep')}</a></p>`,
)}`
}
