/** The checkbox "Tell the customer" of a form that changes a booking, and a preview of the e-mail. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { markupOf } from '../../http/text-markup.ts'
import { faultIn } from '../../languages/faults.ts'
import type { Texts } from '../../languages/texts.ts'
import type { ChangeNotice, PreviewedEmail } from '../../messaging/emails/previewing.ts'
import type { ChangeTrigger } from '../../messaging/emails/triggers.ts'
import { checkboxField } from '../frame/form-fields.ts'
import type { FormFaults } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { templateWords } from '../frame/template-words.ts'
import { phoneLink } from './phone-fields.ts'

type Telling = {
  /** Null for a booking that is not confirmed: its customer gets no e-mail about the change. */
  notice: ChangeNotice | null
  trigger: ChangeTrigger
  /** The sent value of the checkbox; empty for a new form. */
  given: string
  faults: FormFaults
  /**
   * Set if the e-mail depends on choices in the form. `action` is the address that renders the form again
   * with the e-mail; `isShown` is whether it is shown now.
   */
  chosen?: { action: string; isShown: boolean } | undefined
}

export function tellFields(
  session: Session,
  t: Texts,
  { notice, trigger, given, faults, chosen }: Telling,
): Markup {
  if (!notice) return html``
  if (notice.kind === 'nobody') return noRecipientHint(session, t, notice)
  if (notice.kind === 'no-workflow') {
    const link = (words: Markup) =>
      html`<a href="/dashboard/emails/workflows/new?Trigger=${trigger}">${words}</a>`
    return html`<p class="hint">${markupOf(t, 'tell.no-workflow', { link })}</p>`
  }
  const { to, emails } = notice
  const isRefused = isRefundRefused(faults)
  const isShown = !isRefused && (!chosen || chosen.isShown)
  const label = t.say('tell.label', { email: to })
  return html`${checkboxField({ label, name: 'TellCustomer', value: given || 'true', faults })}
${isRefused ? html`<p class="hint">${t.say('tell.refused')}</p>` : ''}
${isShown ? emails.map((email) => emailDetails(t, email, { isNamed: emails.length > 1, isOpen: chosen !== undefined })) : ''}
${chosen ? html`<button class="secondary" name="Show" value="email" formaction="${chosen.action}">${t.say(isShown ? 'tell.show-again' : 'tell.show')}</button>` : ''}`
}

/**
 * Whether the refund was refused. No e-mail is then shown, because it would name an amount that is not paid
 * back.
 */
function isRefundRefused(faults: FormFaults): boolean {
  return [...(faults?.fields.keys() ?? [])].some((field) => field.startsWith('Refund'))
}

type ShownEmail = Extract<ChangeNotice, { kind: 'emails' }>['emails'][number]

function emailDetails(
  t: Texts,
  email: ShownEmail,
  { isNamed, isOpen }: { isNamed: boolean; isOpen: boolean },
): Markup {
  const shown = t.say(isOpen ? 'tell.chosen' : 'tell.show')
  const summary = isNamed ? t.say('tell.named', { summary: shown, name: email.name }) : shown
  return html`<details class="preview"${isOpen ? html` open` : ''}><summary>${summary}</summary>
${email.offsetMinutes > 0 ? html`<p class="hint">${t.say('tell.later', { duration: t.duration(email.offsetMinutes) })}</p>` : ''}
${emailWords(t, email)}
<p><a href="/dashboard/emails/workflows/${email.workflowId}">${t.say('tell.change')}</a></p></details>`
}

/** An e-mail as text, or why it cannot be shown. */
export function emailWords(t: Texts, { words, fault }: PreviewedEmail): Markup {
  if (!words) return html`<p class="fault">${faultIn(t, templateWords(fault))}</p>`
  return html`<dl><dt>${t.say('word.subject')}</dt><dd>${words.subject}</dd></dl>
<pre class="email" tabindex="0">${words.text}</pre>`
}

function noRecipientHint(
  session: Session,
  t: Texts,
  { reason, phone }: Extract<ChangeNotice, { kind: 'nobody' }>,
): Markup {
  const why = t.say(reason === 'no-address' ? 'tell.no-address' : 'tell.reseller')
  if (!phone) return html`<p class="hint">${why}</p>`
  return html`<p class="hint">${markupOf(t, 'tell.phone', { why, phone: phoneLink(session, phone) })}</p>`
}
