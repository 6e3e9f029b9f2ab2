/** The scan page and the result of a scan, in large type for a phone in sunlight. Pure. */
import type { ProductQuestion } from '../../catalogue/products/questions.ts'
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import type { OwedOfSale } from '../../sales/ledger/service.ts'
import type { NoteRow } from '../../sales/note/service.ts'
import type { ScanOutcome } from '../../sales/ticket/scanning.ts'
import { inputField, selectField } from '../frame/form-fields.ts'
import { postForm } from '../frame/forms.ts'
import type { Session } from '../frame/session.ts'
import { answersOf } from '../parts/answers.ts'
import { hereText } from '../parts/attendance.ts'
import { partyName, whenOf } from '../parts/booking-words.ts'
import { partyText } from '../parts/party-words.ts'
import { owedBadge } from '../parts/payment-words.ts'
import { timeOf } from '../parts/slot-words.ts'
import { bookingPath } from '../parts/subject.ts'

type ScanView = {
  slots: readonly Timeslot[]
  timeslotId: number | null
  scan: ShownScan | null
}

type ShownScan = {
  outcome: ScanOutcome
  /** Whether the user chose to check in a guest of another day or departure. */
  anyway: boolean
  questions: readonly ProductQuestion[]
  /** The balance of the booking’s sale; null or undefined if there is none. */
  owed: OwedOfSale | null | undefined
  /** The internal notes on the booking. */
  note: NoteRow | null
}

export function scanView(session: Session, t: Texts, view: ScanView): Markup {
  const { slots, timeslotId, scan } = view
  const code = inputField(
    { label: t.say('scan.code'), name: 'Code' },
    {
      required: true,
      autofocus: true,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: 255,
    },
  )
  return html`<div id="scan" data-account="${session.user.slug}" data-texts="${scriptTexts(t)}">
${scan ? outcomePart(session, t, scan, timeslotId) : html`<section id="answer" role="status"></section>`}
${departureForm(t, slots, timeslotId)}
<div id="camera" hidden>
<video muted playsinline></video>
<p><button type="button" class="big secondary">${t.say('scan.camera')}</button></p>
</div>
${postForm(session, '/dashboard/scan', html`${departureField(timeslotId)}${code}<button class="big">${t.say('scan.check-in')}</button>`, { class: 'filters' })}
<section id="kept" role="status" aria-label="${t.say('scan.kept')}"></section>
<ol id="sent" aria-label="${t.say('scan.sent')}"></ol>
</div>`
}

/** The texts of the page’s script, as JSON. The script replaces `{code}` and `{count}`. */
function scriptTexts(t: Texts): string {
  const [code, count] = ['{code}', '{count}']
  return JSON.stringify({
    kept: t.say('scan.script.kept', { code }),
    keptOnly: t.say('scan.script.kept-only', { code }),
    notSent: t.say('scan.script.not-sent'),
    notTaken: t.say('scan.script.not-taken'),
    signedOut: t.say('scan.script.signed-out'),
    waitsOne: t.say('scan.script.waits-one'),
    waitsMany: t.say('scan.script.waits-many', { count }),
    others: t.say('scan.script.others', { count }),
    noCamera: t.say('scan.script.no-camera'),
    // For the page that is shown while there is no network.
    language: t.locale,
    title: t.say('scan.title'),
    offlineTitle: t.say('scan.offline.title'),
    offline: t.say('scan.offline'),
    online: t.say('scan.online'),
    open: t.say('scan.online.open'),
    camera: t.say('scan.camera'),
    code: t.say('scan.code'),
    checkIn: t.say('scan.check-in'),
    keptScans: t.say('scan.kept'),
    sentScans: t.say('scan.sent'),
  })
}

function departureForm(t: Texts, slots: readonly Timeslot[], timeslotId: number | null): Markup {
  const choices = slots.map((slot) => ({
    value: slot.id,
    label: `${timeOf(t, slot)} ${slot.productName}`,
  }))
  const any = { value: '', label: t.say('scan.any') }
  return html`<form method="get" action="/dashboard/scan" class="filters">
${selectField({ label: t.say('scan.departure'), name: 'TimeslotID', value: timeslotId }, [any, ...choices])}
<button class="secondary">${t.say('scan.choose')}</button>
</form>`
}

function departureField(timeslotId: number | null): Markup {
  return timeslotId === null ? html`` : html`<input type="hidden" name="TimeslotID" value="${timeslotId}">`
}

function outcomePart(session: Session, t: Texts, scan: ShownScan, timeslotId: number | null): Markup {
  const { outcome, questions, owed, note } = scan
  const { result, booking, ticket } = outcome
  const [kind, title] = titleOf(t, outcome, session.user.timeZone)
  return html`<section id="answer" class="answer ${kind}" role="status" data-result="${result}">
<h2>${title}</h2>
${
  booking
    ? html`<p><strong>${partyName(t, booking.Customer)}</strong>, ${partyText(t, booking)}${ticket ? html`<br>${t.say('manifest.ticket', { number: t.number(ticket.Number), unit: ticket.Unit.Name })}` : ''}<br>
${booking.ProductName}, ${whenOf(t, booking)}</p>
${canCheckInMore(outcome) ? countForms(session, t, { ...scan, booking }, timeslotId) : ''}
${result === 'wrong-day' || result === 'other-departure' ? anywayForm(session, t, scan, timeslotId) : ''}
${booking.Notes ? html`<p>${booking.Notes}</p>` : ''}${note ? html`<p class="own-lines">${note.note}</p>` : ''}${answersOf(t, questions, booking)}
${owed ? html`<p class="owed">${owedBadge(t, owed)} <a href="${bookingPath(booking.BookingReference)}#take-payment">${t.say('payments.take-one')}</a></p>` : ''}
<p><a href="${bookingPath(booking.BookingReference)}">${t.say('scan.open')}</a></p>`
    : html`<p>${t.say('scan.none')}</p>`
}
</section>`
}

/** Whether more people of the scanned booking can be checked in. Never for a ticket: it admits only its own people. */
function canCheckInMore({ result, booking, ticket }: ScanOutcome): boolean {
  if (!booking || ticket) return false
  return result === 'how-many' || (result === 'checked-in' && booking.PeopleHere < booking.Participants)
}

/** The headline of a result, and whether the guest may pass. */
function titleOf(
  t: Texts,
  { result, booking, since }: ScanOutcome,
  timeZone: string,
): ['good' | 'warn' | 'bad', string] {
  if (!booking) return ['bad', t.say('scan.unknown')]
  const at = since ? t.moment(since, timeZone) : ''
  switch (result) {
    case 'checked-in':
      return ['good', t.say('scan.checked-in', { here: hereText(t, booking) })]
    case 'how-many':
      return ['warn', howManyText(t, booking)]
    case 'already-here':
      return ['warn', t.say('scan.already', { at })]
    case 'wrong-day':
      return ['bad', t.say('scan.wrong-day', { day: t.day(booking.Date) })]
    case 'other-departure':
      return ['bad', t.say('scan.other', { product: booking.ProductName, when: whenOf(t, booking) })]
    case 'void':
      return ['bad', t.say('scan.void', { at })]
    default:
      return ['bad', t.say(`status.${booking.Status}`)]
  }
}

/**
 * Asks how many people of a party have come. If some were checked in before, asks how many more have come.
 */
function howManyText(t: Texts, booking: BookingRecord): string {
  const { Participants, PeopleHere } = booking
  return PeopleHere === 0
    ? t.say('scan.how-many', { count: Participants })
    : t.say('scan.how-many-more', { here: hereText(t, booking) })
}

/** The most buttons for a part of a party. For a larger part, the user opens the page of the booking. */
const maxPartButtons = 12

/** A form for everybody who has not come yet, and one for each smaller number, up to `maxPartButtons`. */
function countForms(
  session: Session,
  t: Texts,
  { booking, outcome, anyway }: ShownScan & { booking: BookingRecord },
  timeslotId: number | null,
): Markup {
  const { Participants, PeopleHere } = booking
  const left = Participants - PeopleHere
  const form = (count: number, text: string) =>
    postForm(
      session,
      '/dashboard/scan',
      html`${scannedFields({ outcome, anyway }, timeslotId)}<input type="hidden" name="People" value="${count}"><button class="big${count === left ? '' : ' secondary'}">${text}</button>`,
      { class: 'inline' },
    )
  const some = Array.from({ length: Math.min(left - 1, maxPartButtons) }, (_, index) =>
    form(index + 1, t.people(index + 1)),
  )
  return html`<div class="actions">${form(left, t.say(left === Participants ? 'scan.all' : 'scan.others', { count: t.number(left) }))} ${some}</div>`
}

/** Lets the user check in a guest of another day or departure. */
function anywayForm(session: Session, t: Texts, { outcome }: ShownScan, timeslotId: number | null): Markup {
  const fields = scannedFields({ outcome, anyway: true }, timeslotId)
  const button = html`${fields}<button class="big secondary">${t.say('scan.anyway')}</button>`
  return postForm(session, '/dashboard/scan', button, { class: 'inline' })
}

/** The scanned code in hidden fields, to send it again. */
function scannedFields(
  { outcome: { booking, ticket }, anyway }: Pick<ShownScan, 'outcome' | 'anyway'>,
  timeslotId: number | null,
): Markup {
  const code = ticket?.TicketID ?? booking!.BookingReference
  return html`${departureField(timeslotId)}<input type="hidden" name="Code" value="${code}">${anyway ? html`<input type="hidden" name="Anyway" value="true">` : ''}`
}
