/** Who waits: for one timeslot, and in the whole account. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { ShownPriceList, ShownUnit } from '../../inventory/price-list.ts'
import { boughtView } from '../../sales/booking/bought-view.ts'
import type { PartyRequest } from '../../sales/booking/pricing.ts'
import type { WaitlistEntryRow } from '../../sales/waitlist/service.ts'
import type { Formats } from '../frame/formats.ts'
import { type FormFaults, faultSummary, postForm } from '../frame/forms.ts'
import { type Column, emptyState, table } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'
import { partyName } from '../parts/booking-words.ts'
import { customerFaults, customerFields } from '../parts/customer-fields.ts'
import { entryActions, entryStatus } from '../parts/offer.ts'
import { partyFaults, partyFields } from '../parts/party-fields.ts'
import { partyText, totalText } from '../parts/party-words.ts'
import { dayAndTime } from '../parts/slot-words.ts'
import { bookingLink } from '../parts/subject.ts'

const partyColumns = (formats: Formats): Column<WaitlistEntryRow>[] => [
  { head: 'Name', cell: nameOf },
  { head: 'Party', cell: (entry) => partyText(formats, boughtView(entry)) },
  { head: 'Total', cell: (entry) => totalText(formats, boughtView(entry)), numeric: true },
]

/** The waitlist of one timeslot, in the order of joining. */
export function slotWaitlist(
  session: Session,
  entries: readonly WaitlistEntryRow[],
  formats: Formats,
): Markup {
  if (entries.length === 0) return emptyState('Nobody waits for this timeslot.')
  return table(
    'Waitlist',
    [
      ...partyColumns(formats),
      { head: 'Booking', cell: ({ reference }) => bookingLink(reference) },
      { head: 'Status', cell: (entry) => entryStatus(entry, formats) },
      { head: 'Joined', cell: ({ createdAt, timeZone }) => formats.instant(createdAt, timeZone) },
      { head: 'Change', cell: (entry) => entryActions(session, entry) },
    ],
    entries,
  )
}

/** Who waits, has an offer, or did not pay yet for one that was taken, in the order of joining. */
export function waitlistOverview(
  session: Session,
  { entries, isCut }: { entries: readonly WaitlistEntryRow[]; isCut: boolean },
  formats: Formats,
): Markup {
  const list =
    entries.length === 0
      ? emptyState('Nobody waits for places.')
      : table(
          'Who waits, in the order of joining',
          [
            {
              head: 'Timeslot',
              cell: (entry) =>
                html`<a href="/dashboard/calendar/timeslots/${entry.timeslotId}">${entry.productName}, ${dayAndTime(formats, entry)}</a>`,
            },
            ...partyColumns(formats),
            { head: 'Status', cell: (entry) => entryStatus(entry, formats) },
            { head: 'Joined', cell: ({ createdAt, timeZone }) => formats.instant(createdAt, timeZone) },
            { head: 'Change', cell: (entry) => entryActions(session, entry) },
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
  timeslotId: number
  /** What the timeslot sells. */
  list: ShownPriceList | null
  /** What was sent and refused. */
  given: GivenParty | null
  faults: FormFaults
}

export function joinForm(session: Session, formats: Formats, form: JoinForm): Markup {
  const { timeslotId, list, given } = form
  const faults = form.faults && customerFaults(session, partyFaults(form.faults, given ?? {}, list, labels))
  const first = list?.units ? { Units: [{ UnitID: list.defaultUnitId!, Quantity: 2 }] } : {}
  const party = given ?? { Participants: 2, ...first }
  const priceText = ({ priceMinor }: ShownUnit) => formats.money(priceMinor, list!.currency)
  const fields = html`${faultSummary(faults)}
${partyFields(list, { ...party, faults }, { label, priceText })}
${customerFields(session, { values: given, faults }, { required: true, emailHint: 'Offers are sent there.' })}
<button>Put on the waitlist</button>`
  return postForm(session, `/dashboard/calendar/timeslots/${timeslotId}/waitlist`, fields)
}

export function nameOf({ firstName, lastName }: Pick<WaitlistEntryRow, 'firstName' | 'lastName'>): string {
  return partyName({ FirstName: firstName, LastName: lastName })
}
