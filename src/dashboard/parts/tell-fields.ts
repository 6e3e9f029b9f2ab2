/** "Tell the customer" of a form that changes a booking: whether to, and the e-mail that would go. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { ChangeNotice, PreviewedEmail } from '../../messaging/emails/previewing.ts'
import type { ChangeTrigger } from '../../messaging/emails/triggers.ts'
import { checkboxField, type FormFaults } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { templateWords } from '../frame/template-words.ts'
import { phoneLink } from './phone-fields.ts'

type Telling = {
  /** Null where nothing is told, as of places that are only held. */
  notice: ChangeNotice | null
  trigger: ChangeTrigger
  /** What the form was sent with; empty the first time. */
  given: string
  faults: FormFaults
  /** Where the words depend on what is chosen in the form: the address that shows them for it, and whether it has. */
  chosen?: { action: string; isShown: boolean } | undefined
}

export function tellFields(session: Session, { notice, trigger, given, faults, chosen }: Telling): Markup {
  if (!notice) return html``
  if (notice.kind === 'nobody') return nobody(session, notice)
  if (notice.kind === 'no-workflow')
    return html`<p class="hint">No workflow tells the customer. <a href="/dashboard/emails/workflows/new?Trigger=${trigger}">Make a workflow for it</a></p>`
  const { to, emails } = notice
  const isRefused = isRefundRefused(faults)
  const isShown = !isRefused && (!chosen || chosen.isShown)
  const label = `Tell the customer, by e-mail to ${to}`
  return html`${checkboxField({ label, name: 'TellCustomer', value: given || 'true', faults })}
${isRefused ? html`<p class="hint">The e-mail can be shown once the amount that is paid back is corrected.</p>` : ''}
${isShown ? emails.map((email) => emailDetails(email, { isNamed: emails.length > 1, isOpen: chosen !== undefined })) : ''}
${chosen ? html`<button class="secondary" name="Show" value="email" formaction="${chosen.action}">${isShown ? 'Show the e-mail again' : 'Show the e-mail'}</button>` : ''}`
}

/** An amount that is refused is sent to nobody, and an e-mail with another amount would mislead. */
function isRefundRefused(faults: FormFaults): boolean {
  return [...(faults?.fields.keys() ?? [])].some((field) => field.startsWith('Refund'))
}

type ShownEmail = Extract<ChangeNotice, { kind: 'emails' }>['emails'][number]

function emailDetails(email: ShownEmail, { isNamed, isOpen }: { isNamed: boolean; isOpen: boolean }): Markup {
  const summary = `${isOpen ? 'The e-mail for what is chosen' : 'Show the e-mail'}${isNamed ? `: ${email.name}` : ''}`
  return html`<details class="preview"${isOpen ? html` open` : ''}><summary>${summary}</summary>
${email.offsetMinutes > 0 ? html`<p class="hint">It goes ${email.offsetMinutes} minutes later.</p>` : ''}
${emailWords(email)}
<p><a href="/dashboard/emails/workflows/${email.workflowId}">Change its words</a></p></details>`
}

/** An e-mail as text, or why it cannot be shown. */
export function emailWords({ words, fault }: PreviewedEmail): Markup {
  if (!words) return html`<p class="fault">${templateWords(fault)}</p>`
  return html`<dl><dt>Subject</dt><dd>${words.subject}</dd></dl>
<pre class="email" tabindex="0">${words.text}</pre>`
}

function nobody(session: Session, { reason, phone }: Extract<ChangeNotice, { kind: 'nobody' }>): Markup {
  const why =
    reason === 'no-address'
      ? 'The customer gets no e-mail: the booking has no e-mail address.'
      : 'The customer gets no e-mail from you: the reseller tells its customers itself.'
  if (!phone) return html`<p class="hint">${why}</p>`
  return html`<p class="hint">${why} Phone: ${phoneLink(session, phone)}</p>`
}
