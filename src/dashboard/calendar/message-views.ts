/** The page that sends a message to the customers of a timeslot. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { PreviewedEmail } from '../../messaging/emails/previewing.ts'
import type { MessageRecipient, MessageRecipients } from '../../messaging/messages/service.ts'
import { fieldOf, inputField, type ShownForm, textField } from '../frame/form-fields.ts'
import { attributes, faultSummary, postForm } from '../frame/forms.ts'
import { emptyState } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { bookingLink } from '../parts/subject.ts'
import { emailWords } from '../parts/tell-fields.ts'
import { variableList } from '../parts/variable-list.ts'
import { entryName } from './waitlist-views.ts'

/** The e-mail to the first recipient, or `nobody` if there is no recipient. */
export type MessagePreview = (PreviewedEmail & { reference: string }) | 'nobody'

type MessagePage = {
  slot: Timeslot
  recipients: MessageRecipients
  preview: MessagePreview | null
  shown: ShownForm
  t: Texts
}

export function messageLabels(t: Texts): Map<string, string> {
  return new Map([
    ['Subject', t.say('word.subject')],
    ['Body', t.say('calendar.message.text')],
  ])
}

export function messagePage(session: Session, page: MessagePage): Markup {
  const { slot, recipients, preview, shown, t } = page
  const { written, others, emailed, isCut, unconfirmed } = recipients
  const back = `/dashboard/calendar/timeslots/${slot.id}`
  const words = html`${inputField(fieldOf(shown, t.say('word.subject'), 'Subject'), { required: true, maxlength: 500 })}
${textField(fieldOf(shown, t.say('calendar.message.text'), 'Body', t.say('calendar.message.text.hint')), { required: true, rows: 8 })}
<details><summary>${t.say('calendar.message.variables')}</summary>
${variableList(t)}</details>`
  const look = html`<button${attributes({ class: preview ? 'secondary' : undefined, formaction: `${back}/message/preview` })}>${t.say('word.preview')}</button>`
  const leave = html`<a href="${back}">${t.say('calendar.back')}</a>`
  // With a preview, the fields are folded and the button that sends is below them.
  const form = preview
    ? html`<details${attributes({ open: shown.faults !== null })}><summary>${t.say('calendar.message.edit')}</summary>
<div class="stacked">${words}
<p>${look}</p></div></details>
<p class="actions"><button>${t.say('calendar.message.send', { count: emailed })}</button> ${leave}</p>`
    : html`${words}
<p class="actions">${look} ${leave}</p>`
  return html`${faultSummary(shown.faults)}
<p>${t.say('calendar.message.about')}</p>
${preview ? html`${typedPart(t, shown.values)}${previewPart(t, preview)}` : ''}
${emailed > 0 ? postForm(session, `${back}/message`, form) : emptyState(t.say('calendar.message.nobody'))}
${isCut ? html`<p class="hint">${t.say('calendar.message.cut', { count: written.length + others.length })}</p>` : ''}
<section aria-labelledby="who"><h2 id="who">${t.say('calendar.message.who')}</h2>
${written.length > 0 ? html`<ul>${written.map((one) => person(session, t, one))}</ul>` : html`<p class="hint">${t.say('calendar.message.who.nobody')}</p>`}
${unconfirmed > 0 ? html`<p class="hint">${t.say('calendar.message.unconfirmed', { count: unconfirmed })}</p>` : ''}</section>
${
  others.length > 0
    ? html`<section aria-labelledby="call"><h2 id="call">${t.say('calendar.call-these')}</h2>
<p class="hint">${t.say('calendar.message.no-email')}</p><ul>${others.map((one) => person(session, t, one))}</ul></section>`
    : ''
}`
}

/** Names in single braces look like variables, but are sent as they are. */
const inSingleBraces = /(?<!\{)\{\s*\p{L}[\p{L}\p{N}_. ]{0,60}\}(?!\})/gu

/** A warning if the message has names in single braces, which customers would see. */
function typedPart(t: Texts, values: unknown): Markup {
  const { Subject = '', Body = '' } = values as { Subject?: string; Body?: string }
  const typed = [...new Set(`${Subject}\n${Body}`.match(inSingleBraces))]
  if (typed.length === 0) return html``
  return html`<p class="fault" role="status">${t.say('calendar.message.braces', {
    typed: typed.slice(0, 5).join(', '),
    example: '{{ customer.first_name }}',
  })}</p>`
}

function previewPart(t: Texts, preview: MessagePreview): Markup {
  if (preview === 'nobody') return html`<p class="fault">${t.say('calendar.message.nobody')}</p>`
  return html`<section aria-labelledby="preview"><h2 id="preview">${t.say('calendar.message.preview.title')}</h2>
<p class="hint">${t.say('calendar.message.preview.about', { reference: preview.reference })}</p>
${emailWords(t, preview)}</section>`
}

function person(
  session: Session,
  t: Texts,
  { reference, firstName, lastName, phone, isNotifiedByReseller }: MessageRecipient,
): Markup {
  return html`<li>${entryName(t, { firstName, lastName })}, ${bookingLink(reference)}${phone ? html`, ${phoneLink(session, phone)}` : `, ${t.say('calendar.no-phone')}`}${isNotifiedByReseller ? ` (${t.say('calendar.message.reseller')})` : ''}</li>`
}
