/** The waitlist of one timeslot and of the whole account, and the form that adds a party. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import { html, type Markup } from '../../http/pages.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import type { Texts } from '../../languages/texts.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { type Column, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { partyName } from '../parts/booking-words.ts'
import { customerFaults, customerFields } from '../parts/customer-fields.ts'
import { sellPath } from '../parts/occupancy.ts'
import { entryActions, entryStatus } from '../parts/offer.ts'
import { partyFaults, partyFields, partyFor } from '../parts/party-fields.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { phoneLink } from '../parts/phone-fields.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'

/**
 * The column of names, which also has the phone numbers. The waitlist has few columns, so that the buttons of
 * the last column are visible on every screen.
 */
const nameColumn = (session: Session, t: Texts): Column<WaitlistEntryRow> => ({
  head: t.say('word.name'),
  cell: (entry) =>
    html`${entryName(t, entry)}${entry.phone ? html` <span class="hint under">${phoneLink(session, entry.phone)}</span>` : ''}`,
  onCard: 'name',
})
const partyColumn = (t: Texts): Column<WaitlistEntryRow> => ({
  head: t.say('word.party'),
  onCard: 'line',
  cell: (entry) =>
    html`${partyText(t, boughtView(entry))} <span class="hint under">${totalText(t, boughtView(entry))}</span>`,
})
const stateColumns = (session: Session, t: Texts): Column<WaitlistEntryRow>[] => [
  {
    head: t.say('word.status'),
    onCard: 'line',
    cell: (entry) =>
      html`${entryStatus(entry, t)} <span class="hint under">${t.say('calendar.waitlist.joined', { when: t.moment(entry.createdAt, entry.timeZone) })}</span>`,
  },
  {
    head: t.say('word.change'),
    onCard: 'line',
    cell: (entry) => html`<div class="actions">${entryActions(session, t, entry)}</div>`,
  },
]

/** The waitlist of one timeslot, in the order of joining. */
export function slotWaitlist(session: Session, entries: readonly WaitlistEntryRow[], t: Texts): Markup {
  if (entries.length === 0) return emptyState(t.say('calendar.waitlist.nobody-here'))
  return table(
    t.say('calendar.waitlist.title'),
    [
      {
        head: t.say('word.party'),
        onCard: 'title',
        cell: (
          entry,
        ) => html`${entryName(t, entry)} <span class="under">${bookingLink(entry.reference)}</span>
<span class="hint under">${partyText(t, boughtView(entry))}, ${totalText(t, boughtView(entry))}</span>`,
      },
      ...stateColumns(session, t),
    ],
    entries,
  )
}

/**
 * Lists the entries that wait or have an offer, in the order of joining. While the timeslot is on sale, also
 * lists expired entries, and entries whose offer was accepted and is not paid.
 */
export function waitlistOverview(
  session: Session,
  { entries, isCut }: { entries: readonly WaitlistEntryRow[]; isCut: boolean },
  t: Texts,
): Markup {
  const list =
    entries.length === 0
      ? emptyState(t.say('calendar.waitlist.nobody'))
      : table(
          t.say('calendar.waitlist.caption'),
          [
            nameColumn(session, t),
            {
              head: t.say('word.timeslot'),
              onCard: 'title',
              cell: (entry) =>
                html`<a href="/dashboard/calendar/timeslots/${entry.timeslotId}">${entry.productName}, ${dayAndTime(t, entry)}</a>`,
            },
            partyColumn(t),
            ...stateColumns(session, t),
          ],
          entries,
        )
  return html`<p class="no-print"><a href="/dashboard/calendar">${t.say('calendar.title')}</a>${session.user.role === 'owner' ? html` · <a href="/dashboard/payment-settings">${t.say('pay-settings.title')}</a>` : ''}</p>
<div data-live id="waitlist">
${isCut ? html`<p class="fault">${t.say('calendar.waitlist.cut', { count: entries.length })}</p>` : ''}
${list}
</div>`
}

/** The party and the customer in the form, as far as they are filled in. */
export type GivenParty = PartyRequest & {
  Customer?: { FirstName?: string; LastName?: string; Email?: string; Phone?: string | undefined }
}

type JoinForm = {
  slot: Timeslot
  /** The prices of the timeslot; null if the timeslot was removed while the page was read. */
  list: ShownPriceList | null
  /** The party from the query of the URL, or the values of the refused form. */
  given: GivenParty | null
  faults: FormFaults
}

/** The timeslot, and the form that puts a party on its waitlist. */
export function joinView(session: Session, t: Texts, { slot, list, given, ...form }: JoinForm): Markup {
  const { id, productName, waiting } = slot
  const path = `/dashboard/calendar/timeslots/${id}`
  const label = t.say('word.party')
  const labels = new Map([['Participants', label]])
  const party = partyOf(list, given)
  const faults = form.faults && customerFaults(session, t, partyFaults(t, form.faults, party, list, labels))
  const priceText = ({ priceMinor }: ShownUnit) => t.amount(priceMinor, list!.currency)
  const free = Math.max(0, freeOf(slot))
  const fields = html`${partyFields(t, list, { ...party, faults }, { label, priceText })}
${customerFields(session, t, { values: given, faults }, { namesRequired: true, emailHint: t.say('calendar.waitlist.email.hint') })}
<button>${t.say('calendar.waitlist.put')}</button>`
  return html`<p class="no-print"><a href="${path}">${t.say('calendar.back')}</a></p>
<p><strong>${productName}</strong>, ${dayAndTime(t, slot)}</p>
<p>${t.say('calendar.waitlist.figures', { free, waiting })}
${slot.onSale && free > 0 ? html`<a href="${sellPath(slot)}">${t.say('calendar.slot.sell-places')}</a>` : ''}</p>
${faultSummary(faults)}
${slot.onSale ? postForm(session, `${path}/waitlist`, fields, { isValidatedByService: true }) : html`<p class="fault">${t.say('calendar.waitlist.off-sale')}</p>`}`
}

/**
 * The party that the fields show. The values of a refused form stay as they are. A new form has the party from the
 * query of the URL, or else two people, converted to units that this timeslot sells.
 */
function partyOf(list: ShownPriceList | null, given: GivenParty | null): PartyRequest {
  if (given?.Customer) return given
  return list ? partyFor(list, given ?? { Participants: 2 }) : (given ?? { Participants: 2 })
}

export function entryName(
  t: Texts,
  { firstName, lastName }: Pick<WaitlistEntryRow, 'firstName' | 'lastName'>,
): string {
  return partyName(t, { FirstName: firstName, LastName: lastName })
}
