/** The page on which everybody on a timeslot is written to. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PreviewedEmail } from '../../messaging/emails/previewing.ts'
import type { MessageRecipient, MessageRecipients } from '../../messaging/messages/service.ts'
import {
  attributes,
  faultSummary,
  fieldOf,
  inputField,
  postForm,
  type ShownForm,
  textField,
} from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { bookingLink } from '../parts/subject.ts'
import { emailWords } from '../parts/tell-fields.ts'
import { variableList } from '../parts/variable-list.ts'
import { nameOf } from './waitlist-views.ts'

/** What the first recipient would read; or that nobody gets it. */
export type MessagePreview = (PreviewedEmail & { reference: string }) | 'nobody'

type MessagePage = {
  slot: Timeslot
  recipients: MessageRecipients
  preview: MessagePreview | null
  shown: ShownForm
  t: Texts
}

export const messageLabels = new Map([
  ['Subject', 'Subject'],
  ['Body', 'Text'],
])

export function messagePage(session: Session, page: MessagePage): Markup {
  const { slot, recipients, preview, shown, t } = page
  const { written, others, emailed, isCut } = recipients
  const back = `/dashboard/calendar/timeslots/${slot.id}`
  const count = emailed === 1 ? '1 booking' : `${t.number(emailed)} bookings`
  const form = html`${inputField(fieldOf(shown, 'Subject', 'Subject'), { required: true, maxlength: 500 })}
${textField(fieldOf(shown, 'Text', 'Body', 'Each customer gets an e-mail of their own.'), { required: true, rows: 8 })}
<details><summary>What subject and text can name</summary>
${variableList()}</details>
<p class="actions"><button${attributes({ class: preview ? 'secondary' : undefined, formaction: `${back}/message/preview` })}>Preview</button>
${preview ? html`<button>Send to ${count}</button>` : ''} <a href="${back}">Back to the timeslot</a></p>`
  return html`${faultSummary(shown.faults)}
<p>The timeslot stays open, and its bookings stay as they are.</p>
${preview ? previewPart(preview) : ''}
${emailed > 0 ? postForm(session, `${back}/message`, form) : emptyState('Nobody on this timeslot can be sent an e-mail.')}
${isCut ? html`<p class="hint">Only the first ${t.number(written.length + others.length)} bookings by name are listed here.</p>` : ''}
<section aria-labelledby="who"><h2 id="who">Who gets it</h2>
${written.length > 0 ? html`<ul>${written.map((one) => person(session, one))}</ul>` : html`<p class="hint">Nobody.</p>`}</section>
${
  others.length > 0
    ? html`<section aria-labelledby="call"><h2 id="call">Call these customers</h2>
<p class="hint">No e-mail goes to them.</p><ul>${others.map((one) => person(session, one))}</ul></section>`
    : ''
}`
}

function previewPart(preview: MessagePreview): Markup {
  if (preview === 'nobody') return html`<p class="fault">Nobody on this timeslot can be sent an e-mail.</p>`
  return html`<section aria-labelledby="preview"><h2 id="preview">Preview: nothing is sent yet</h2>
<p class="hint">As the customer of ${preview.reference} gets it.</p>
${emailWords(preview)}</section>`
}

function person(
  session: Session,
  { reference, firstName, lastName, phone, isNotifiedByReseller }: MessageRecipient,
): Markup {
  return html`<li>${nameOf({ firstName, lastName })}, ${bookingLink(reference)}${phone ? html`, ${phoneLink(session, phone)}` : ', no phone number'}${isNotifiedByReseller ? ' (the reseller writes to its customers itself)' : ''}</li>`
}
