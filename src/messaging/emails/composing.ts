/**
 * Makes the message of an e-mail in the outbox just before it is sent, so that its content is current, and
 * drops an e-mail that is no longer needed.
 */
import { isTestAccount } from '../../accounts/model.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Config } from '../../platform/config/config.ts'
import { hashAddress } from '../../platform/crypto/address-hash.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { fullName } from '../../platform/text/full-name.ts'
import { TemplateError } from '../../platform/text/liquid.ts'
import { findSeller, type Seller } from '../../sales/business-details/service.ts'
import type { ClosureNotice } from '../../sales/closure/model.ts'
import { readReceipt, receiptIn } from '../../sales/receipt/service.ts'
import { ticketsUrl } from '../../sales/ticket/links.ts'
import { offerUrl } from '../../sales/waitlist/model.ts'
import { withChange } from './before-change.ts'
import * as facts from './facts.ts'
import { inCustomerLanguage } from './in-language.ts'
import type { Email } from './lease-queries.ts'
import { optOutUrl } from './links.ts'
import { emailHtml, lookOf } from './look.ts'
import { type EmailKind, type EmailMessage, type MessageWords, toBody, toHeader } from './model.ts'
import { pausedWords } from './paused-words.ts'
import { objectionTo } from './purpose.ts'
import { receiptWords } from './receipt-words.ts'
import { textsTo } from './recipient-texts.ts'
import type { RenderBudget } from './render-budget.ts'
import { sampleBooking } from './sample.ts'
import { findUnpaidFacts } from './unpaid-queries.ts'
import { renderWords, type Template } from './variables.ts'
import * as words from './words.ts'

export type MailSettings = Pick<Config, 'MAIL_FROM' | 'PUBLIC_URL' | 'SECRET_KEY'>

/**
 * `drop` is final. `fail` can be retried by the operator only. `wait`: the service must be configured first.
 * `reschedule`: the e-mail is not due yet; the sweep will queue another e-mail when it is due.
 */
export type ComposeResult =
  | { kind: 'message'; message: EmailMessage }
  | { kind: 'drop' | 'fail' | 'wait' | 'reschedule'; reason: string }

/** Composes a claimed e-mail. Its queries run without a transaction. Rendering counts against the account's budget. */
export async function composeEmail(
  sql: Queryable,
  email: Email,
  { settings, renders }: { settings: MailSettings; renders: RenderBudget },
): Promise<ComposeResult> {
  try {
    return await composeOrRefuse(sql, email, settings, renders)
  } catch (error) {
    if (error instanceof TemplateError) return { kind: 'fail', reason: `Template: ${error.message}` }
    // These errors come from the data of the e-mail. A retry would fail again.
    if (error instanceof RangeError || error instanceof TypeError)
      return { kind: 'fail', reason: `It cannot be written: ${error.message}` }
    throw error
  }
}

type EmailDraft = { to: EmailMessage['to']; words: words.Words; unsubscribeUrl?: string }

async function composeOrRefuse(
  sql: Queryable,
  email: Email,
  settings: MailSettings,
  renders: RenderBudget,
): Promise<ComposeResult> {
  const seller = await findSeller(sql, email.accountId)
  const booked =
    email.bookingId === null
      ? null
      : await facts.findBookingFacts(sql, email.accountId, { id: email.bookingId })
  const { t, booking } = booked
    ? await inCustomerLanguage(sql, email.accountId, seller, booked)
    : { t: textsTo(seller, null), booking: null }
  const accountName = seller.name
  const given = {
    ...{ sql, email, settings, seller, t, accountName },
    render: (template: Template, about: facts.BookingFacts) => {
      const ticketsLink = linkToTickets(settings, email.accountId, about)
      return renders.take(email.accountId, () =>
        renderWords(template, { t, accountName, booking: about, ticketsLink }),
      )
    },
  }
  if (email.kind === 'test') return finish(given, await draftTest(given, booking))
  if (email.kind === 'webhook-paused') return finish(given, await draftPaused(given))
  if (!booking) return drop('The booking does not exist any more.')
  if (!booking.email) return drop('The booking has no e-mail address.')
  const to = { name: fullName(booking.firstName, booking.lastName), address: booking.email }
  return finish(given, await drafts[email.kind](given, booking, to))
}

type Given = {
  sql: Queryable
  email: Email
  settings: MailSettings
  seller: Seller
  t: Texts
  accountName: string
  /** @throws TemplateError when it cannot be rendered. */
  render: (template: Template, booking: facts.BookingFacts) => Promise<words.Words>
}
type Drafting = (
  given: Given,
  booking: facts.BookingFacts,
  to: EmailMessage['to'],
) => Promise<EmailDraft | Exclude<ComposeResult, { kind: 'message' }>>

type ToBookings = Exclude<EmailKind, 'test' | 'webhook-paused'>
const drafts: Record<ToBookings, Drafting> = {
  async workflow({ sql, email, settings, t, render }, booking, to) {
    const { accountId, workflowId } = email
    const workflow = await facts.findWorkflowFacts(sql, accountId, workflowId!)
    if (!workflow) return drop('The workflow has been deleted.')
    const objection = objectionTo(workflow, booking, await facts.findNow(sql))
    if (objection) return objection
    const rendered = await render(workflow, await withChange(sql, booking, t, email))
    if (workflow.trigger !== 'after-end') return { to, words: rendered }
    const hash = hashAddress(to.address)
    if (await facts.isOptedOut(sql, accountId, hash))
      return drop('The recipient has unsubscribed from these e-mails.')
    if (!settings.SECRET_KEY) return noSecret
    const unsubscribeUrl = optOutUrl(settings.PUBLIC_URL, settings.SECRET_KEY, { accountId, hash })
    const text = words.withUnsubscribe(t, rendered.text, unsubscribeUrl)
    return { to, words: { ...rendered, text }, unsubscribeUrl }
  },

  async 'waitlist-offer'({ sql, email, settings, t, accountName }, booking, to) {
    const { accountId, waitlistEntryId: entryId } = email
    const offer = await facts.findOfferFacts(sql, accountId, entryId!)
    if (!offer?.isOpen || !offer.localUntil) return drop('The waitlist offer has ended.')
    if (!settings.SECRET_KEY) return noSecret
    const link = offerUrl(settings.PUBLIC_URL, settings.SECRET_KEY, { accountId, entryId: entryId! })
    return {
      to,
      words: words.offerWords({ t, accountName, booking }, { link, localUntil: offer.localUntil }),
    }
  },

  async 'offer-unpaid'({ sql, email, settings, seller, t, accountName }, booking, to) {
    const { accountId, waitlistEntryId: entryId } = email
    const offer = await findUnpaidFacts(sql, accountId, entryId!)
    if (!offer || (booking.status !== 'held' && booking.status !== 'expired'))
      return drop(`The booking is ${booking.status}.`)
    const cause = email.details.Cause === 'declined' ? 'declined' : 'expired'
    if (cause === 'expired' && offer.isHeld) return drop('The places are held again.')
    const letter = { t, accountName, booking }
    // Without held places, the e-mail has no link.
    const until = offer.isHeld ? offer.localUntil : null
    if (!until) return { to, words: words.unpaidWords(letter, { cause, held: null, seller }) }
    if (!settings.SECRET_KEY) return noSecret
    const link = offerUrl(settings.PUBLIC_URL, settings.SECRET_KEY, { accountId, entryId: entryId! })
    return { to, words: words.unpaidWords(letter, { cause, held: { link, until }, seller }) }
  },

  async closure({ email, t, accountName }, booking, to) {
    const closure = email.details as ClosureNotice
    const expectedStatus = closure.Action === 'moved' ? 'confirmed' : 'cancelled'
    if (booking.status !== expectedStatus) return drop(`The booking is ${booking.status}.`)
    return { to, words: words.closureWords({ t, accountName, booking }, closure) }
  },

  async message({ email, render }, booking, to) {
    const { TimeslotID, Subject, Message } = email.details as MessageWords
    if (booking.status !== 'confirmed') return drop(`The booking is ${booking.status}.`)
    if (booking.timeslotId !== TimeslotID) return drop('The booking has moved to another timeslot.')
    return { to, words: await render({ subject: Subject, body: Message }, booking) }
  },

  async confirmation({ sql, email, settings, t, accountName, render }, booking, to) {
    if (booking.status !== 'confirmed') return drop(`The booking is ${booking.status}.`)
    const own = await facts.findConfirmationWords(sql, email.accountId, booking.productId)
    if (own) return { to, words: await render(own, booking) }
    const link = linkToTickets(settings, email.accountId, booking)
    return { to, words: words.confirmationWords({ t, accountName, booking }, link) }
  },

  async receipt({ sql, email, seller, t, accountName }, booking, to) {
    const receipt = await readReceipt(sql, email.accountId, Number(email.details.BasketID))
    if (!receipt) return drop('Nothing is paid.')
    const from = { accountId: email.accountId, productLanguage: seller.productLanguage }
    return { to, words: receiptWords({ t, accountName, booking }, await receiptIn(sql, from, t, receipt)) }
  },
}

async function draftTest(
  { sql, email, t, accountName, render }: Given,
  booking: facts.BookingFacts | null,
): ReturnType<Drafting> {
  const to = { name: '', address: String(email.details.To) }
  if (email.workflowId === null) return { to, words: words.testWords(t, accountName) }
  const workflow = await facts.findWorkflowFacts(sql, email.accountId, email.workflowId)
  if (!workflow) return drop('The workflow has been deleted.')
  return { to, words: await render(workflow, booking ?? sampleBooking) }
}

async function draftPaused({ sql, email, settings, t, accountName }: Given): ReturnType<Drafting> {
  const endpoint = await facts.findPausedEndpoint(sql, email)
  if (!endpoint) return drop('The endpoint is no longer paused.')
  const to = { name: '', address: String(email.details.To) }
  const dashboard = isTestAccount(email.accountId) ? '/dashboard/test' : '/dashboard'
  const page = `${settings.PUBLIC_URL}${dashboard}/webhooks/${endpoint.id}`
  return { to, words: pausedWords({ t, accountName, endpoint, page }) }
}

function finish({ email, settings, seller, t }: Given, draft: Awaited<ReturnType<Drafting>>): ComposeResult {
  if ('kind' in draft) return draft
  const subject = toHeader(draft.words.subject)
  if (subject === '') return { kind: 'fail', reason: 'Template: the subject is empty' }
  const { action, facts, hasOwnFooter } = draft.words
  const text = toBody(draft.words.text)
  const look = lookOf(seller, t, settings.PUBLIC_URL)
  const content = { subject, text, action, facts: facts?.map(toBody) }
  return {
    kind: 'message',
    message: {
      id: email.messageId,
      from: { name: toHeader(seller.name), address: settings.MAIL_FROM },
      to: { name: toHeader(draft.to.name), address: draft.to.address },
      subject,
      text,
      html: emailHtml(hasOwnFooter ? { ...look, foot: [] } : look, content),
      unsubscribeUrl: draft.unsubscribeUrl ?? null,
    },
  }
}

const noSecret = { kind: 'wait', reason: 'The worker has no SECRET_KEY to sign the link.' } as const

/**
 * Empty without SECRET_KEY: confirmations, workflows and messages are then sent without the link rather than
 * late.
 */
function linkToTickets(
  { PUBLIC_URL, SECRET_KEY }: MailSettings,
  accountId: number,
  { reference }: facts.BookingFacts,
): string {
  return SECRET_KEY ? ticketsUrl(PUBLIC_URL, SECRET_KEY, { accountId, reference }) : ''
}

function drop(reason: string) {
  return { kind: 'drop', reason } as const
}
