/** The content of the pages of workflows. Pure. */

import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Trigger, triggers } from '../../messaging/emails/triggers.ts'
import type { WorkflowRow } from '../../messaging/workflows/service.ts'
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
import { badge, emptyState, nextLink, table } from '../frame/layout.ts'
import { versionField } from '../frame/meanwhile.ts'
import type { Session } from '../frame/session.ts'
import { variableList } from '../parts/variable-list.ts'

const list = '/dashboard/emails/workflows'

const triggerWords: Record<Trigger, string> = {
  'booking-confirmed': 'after a booking is confirmed',
  'booking-moved': 'after a booking is moved',
  'booking-amended': 'after the party of a booking is changed',
  'booking-cancelled': 'after a booking is cancelled',
  'before-start': 'before the start',
  'after-end': 'after the end',
}

type ProductChoice = { id: number; name: string }
type WorkflowList = { workflows: WorkflowRow[]; products: ProductChoice[]; url: string; next: string | null }

export function workflowList(
  session: Session,
  t: Texts,
  { workflows, products, url, next }: WorkflowList,
): Markup {
  const names = new Map(products.map(({ id, name }) => [id, name]))
  const about = ({ productId }: WorkflowRow) =>
    productId === null ? 'all products' : (names.get(productId) ?? '')
  return html`<p class="actions"><a class="button" href="${list}/new">New workflow</a></p>
${
  workflows.length === 0
    ? emptyState('No workflow sends anything. Bookings are confirmed in words of the service’s own.')
    : table(
        'Workflows',
        [
          { head: 'Workflow', cell: ({ id, name }) => html`<a href="${list}/${id}">${name}</a>` },
          { head: 'Sends', cell: (workflow) => `${whenWords(workflow)}, for ${about(workflow)}` },
          { head: 'Now', cell: (workflow) => activeCell(session, workflow) },
        ],
        workflows,
      )
}
${nextLink(t, url, next)}`
}

function whenWords({ trigger, offsetMinutes }: WorkflowRow): string {
  return offsetMinutes === 0
    ? `at once ${triggerWords[trigger]}`
    : `${lengthWords(offsetMinutes)} ${triggerWords[trigger]}`
}

/** Minutes as days, hours and minutes: 1530 is "1 day 1 hour 30 minutes". */
function lengthWords(minutes: number): string {
  const parts: [number, string][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}

function activeCell(session: Session, { id, name, active }: WorkflowRow): Markup {
  const words = active ? 'Switch off' : 'Switch on'
  return html`${active ? badge('on', 'good') : badge('off')}
${postForm(
  session,
  `${list}/${id}/active`,
  html`<input type="hidden" name="Active" value="${String(!active)}">
<button class="secondary" aria-label="${words}: ${name}">${words}</button>`,
  { class: 'inline' },
)}`
}

export const workflowFieldNames = [
  'Name',
  'Trigger',
  'OffsetMinutes',
  'ProductID',
  'Subject',
  'Body',
  'Active',
] as const

type WorkflowPreview = { Subject: string; Text: string; HTML: string }
type WorkflowPage = { id: number | null; products: ProductChoice[]; preview: WorkflowPreview | null }

export function workflowPage(
  session: Session,
  { id, products, preview }: WorkflowPage,
  shown: ShownForm & { version: string },
): Markup {
  const path = `${list}/${id ?? 'new'}`
  return html`${faultSummary(shown.faults)}${preview ? previewPart(preview) : ''}
${postForm(
  session,
  path,
  html`${versionField(shown.version)}${workflowInputs(products, shown)}
<p class="actions"><button>Save</button> <button class="secondary" formaction="${path}/preview">Preview</button>
<a href="${list}">Back to the workflows</a></p>`,
)}
${id === null ? '' : standingPart(session, path)}`
}

/** The actions for a workflow. They use the saved workflow, not the values of the form. */
function standingPart(session: Session, path: string): Markup {
  return html`<h2>As it was saved</h2>
${postForm(session, `${path}/test`, html`<button class="secondary">Send a test to ${session.user.email}</button>`)}
<p><a href="${path}/delete">Delete this workflow…</a></p>`
}

/** The preview of the e-mail. Its HTML is in a frame that can run no script, load nothing and open no link. */
function previewPart({ Subject, Text, HTML }: WorkflowPreview): Markup {
  return html`<h2>Preview: nothing is saved or sent yet</h2>
<dl><dt>Subject</dt><dd>${Subject}</dd></dl>
<h3>As HTML</h3>
<iframe class="email" sandbox="" srcdoc="${HTML}" title="The e-mail as HTML"></iframe>
<h3>As text</h3>
<pre class="email" tabindex="0">${Text}</pre>
<h2>The workflow</h2>`
}

function workflowInputs(products: ProductChoice[], shown: ShownForm): Markup {
  const field = (
    label: string,
    name: (typeof workflowFieldNames)[number] | 'BookingReference',
    hint?: string,
  ) => fieldOf(shown, label, name, hint)
  const productChoices = [
    { value: '', label: 'all products' },
    ...products.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const triggerChoices = triggers.map((value) => ({ value, label: triggerWords[value] }))
  return html`${inputField(field('Name', 'Name', 'For yourselves; no two workflows share one.'), { required: true, maxlength: 255 })}
${inputField(field('Sends so many minutes', 'OffsetMinutes', 'A day is 1440; 0 is at once.'), { type: 'number', min: 0, required: true })}
${selectField(field('Before or after what', 'Trigger'), triggerChoices)}
${selectField(field('For bookings of', 'ProductID'), productChoices)}
${inputField(field('Subject', 'Subject'), { required: true, maxlength: 500 })}
${textField(field('Text', 'Body', 'Plain text, of which the HTML part is made.'), { required: true, rows: 12 })}
<details><summary>What Subject and Text can name</summary>
${variableList()}</details>
${checkboxField(field('On: only what becomes due after it is switched on gets an e-mail', 'Active'))}
${inputField(field('Preview with the booking', 'BookingReference', 'A reference; empty for a booking that never was.'), { maxlength: 64 })}`
}

export function deletePage(session: Session, { id, name }: WorkflowRow): Markup {
  return html`<p>The workflow <strong>${name}</strong> sends nothing more, nor what it has queued.</p>
${postForm(
  session,
  `${list}/${id}/delete`,
  html`<p class="actions"><button class="danger">Delete workflow</button> <a href="${list}/${id}">Keep it</a></p>`,
)}`
}
