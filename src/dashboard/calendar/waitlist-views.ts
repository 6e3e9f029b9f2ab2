/** Who waits: for one timeslot, and in the whole account. Pure. */
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
import { partyName, places } from '../parts/booking-words.ts'
import { customerFaults, customerFields } from '../parts/customer-fields.ts'
import { sellPath } from '../parts/occupancy.ts'
import { entryActions, entryStatus } from '../parts/offer.ts'
import { partyFaults, partyFields, partyFor } from '../parts/party-fields.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'

/** Few columns, so that the buttons of the last one are in sight on every screen. */
const nameColumn: Column<WaitlistEntryRow> = { head: 'Name', cell: nameOf, onCard: 'name' }
const partyColumn = (t: Texts): Column<WaitlistEntryRow> => ({
  head: 'Party',
  onCard: 'line',
  cell: (entry) =>
    html`${partyText(t, boughtView(entry))} <span class="hint under">${totalText(t, boughtView(entry))}</span>`,
})
const stateColumns = (session: Session, t: Texts): Column<WaitlistEntryRow>[] => [
  {
    head: 'Status',
    onCard: 'line',
    cell: (entry) =>
      html`${entryStatus(entry, t)} <span class="hint under">Joined ${t.moment(entry.createdAt, entry.timeZone)}</span>`,
  },
  {
    head: 'Change',
    onCard: 'line',
    cell: (entry) => html`<div class="actions">${entryActions(session, entry)}</div>`,
  },
]

/** The waitlist of one timeslot, in the order of joining. */
export function slotWaitlist(session: Session, entries: readonly WaitlistEntryRow[], t: Texts): Markup {
  if (entries.length === 0) return emptyState('Nobody waits for this timeslot.')
  return table(
    'Waitlist',
    [
      {
        head: 'Party',
        onCard: 'title',
        cell: (entry) => html`${nameOf(entry)} <span class="under">${bookingLink(entry.reference)}</span>
<span class="hint under">${partyText(t, boughtView(entry))}, ${totalText(t, boughtView(entry))}</span>`,
      },
      ...stateColumns(session, t),
    ],
    entries,
  )
}

/** Who waits, has an offer, or did not pay yet for one that was taken, in the order of joining. */
export function waitlistOverview(
  session: Session,
  { entries, isCut }: { entries: readonly WaitlistEntryRow[]; isCut: boolean },
  t: Texts,
): Markup {
  const list =
    entries.length === 0
      ? emptyState('Nobody waits for places.')
      : table(
          'Who waits, in the order of joining',
          [
            nameColumn,
            {
              head: 'Timeslot',
              onCard: 'title',
              cell: (entry) =>
                html`<a href="/dashboard/calendar/timeslots/${entry.timeslotId}">${entry.productName}, ${dayAndTime(t, entry)}</a>`,
            },
            partyColumn(t),
            ...stateColumns(session, t),
          ],
          entries,
        )
  return html`<p class="no-print"><a href="/dashboard/calendar">Calendar</a>${session.user.role === 'owner' ? html` · <a href="/dashboard/payment-settings">How customers pay</a>` : ''}</p>
<div data-live id="waitlist">
${isCut ? html`<p class="fault">Only the first ${entries.length} parties are shown.</p>` : ''}
${list}
</div>`
}

/** What is given of a party that is to wait, as it was sent. */
export type GivenParty = PartyRequest & {
  Customer?: { FirstName?: string; LastName?: string; Email?: string; Phone?: string | undefined }
}

const label = 'Party'
const labels = new Map([['Participants', label]])

type JoinForm = {
  slot: Timeslot
  /** What the timeslot sells. */
  list: ShownPriceList | null
  /** Who is to wait, as far as it is known, or as it was sent and refused. */
  given: GivenParty | null
  faults: FormFaults
}

/** For what a party is to wait, and the form that says who it is. */
export function joinView(session: Session, t: Texts, { slot, list, given, ...form }: JoinForm): Markup {
  const { id, productName, waiting } = slot
  const path = `/dashboard/calendar/timeslots/${id}`
  const party = partyOf(list, given)
  const faults = form.faults && customerFaults(session, partyFaults(form.faults, party, list, labels))
  const priceText = ({ priceMinor }: ShownUnit) => t.amount(priceMinor, list!.currency)
  const free = freeOf(slot)
  const fields = html`${partyFields(list, { ...party, faults }, { label, priceText })}
${customerFields(session, { values: given, faults }, { required: true, emailHint: 'Offers are sent there.' })}
<button>Put on the waitlist</button>`
  return html`<p class="no-print"><a href="${path}">Back to the timeslot</a></p>
<p><strong>${productName}</strong>, ${dayAndTime(t, slot)}</p>
<p>${free > 0 ? html`${places(t, free)} free` : 'No places are free'}, ${waiting === 0 ? 'and nobody waits yet.' : waiting === 1 ? 'and 1 party waits.' : `and ${t.number(waiting)} parties wait.`}
${slot.onSale && free > 0 ? html`<a href="${sellPath(slot)}">Sell places</a>` : ''}</p>
${faultSummary(faults)}
${slot.onSale ? postForm(session, `${path}/waitlist`, fields, { isCheckedAtOnce: true }) : html`<p class="fault">It is not on sale: nobody can wait for it.</p>`}`
}

/** As much of what is given as the timeslot sells; two people where nothing is. */
function partyOf(list: ShownPriceList | null, given: GivenParty | null): PartyRequest {
  if (given?.Customer) return given
  return list ? partyFor(list, given ?? { Participants: 2 }) : (given ?? { Participants: 2 })
}

export function nameOf({ firstName, lastName }: Pick<WaitlistEntryRow, 'firstName' | 'lastName'>): string {
  return partyName({ FirstName: firstName, LastName: lastName })
}
