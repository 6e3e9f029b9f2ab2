/** The check-in of a party, in words and as buttons. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { attendanceRequestSchema } from '../../sales/booking/changes/schemas.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

/** `More` guests to check in, or −1. */
export const attendanceFormFields = {
  ...attendanceRequestSchema.properties,
  More: Type.Optional(Type.Integer({ minimum: -1, maximum: 999 })),
}

/** The word of the notice after such a form. */
export function attendanceDone({ Attendance, More }: { Attendance: string | null; More?: number }): string {
  if (More !== undefined) return 'people-counted'
  return Attendance ?? 'attendance-cleared'
}

type CountedParty = Pick<BookingRecord, 'Attendance' | 'PeopleHere' | 'Participants'>

/** `2 of 4 here`. */
export function hereText(t: Texts, { PeopleHere, Participants }: Omit<CountedParty, 'Attendance'>): string {
  return `${t.number(PeopleHere)} of ${t.number(Participants)} here`
}

export function attendanceBadge(t: Texts, party: CountedParty): Markup {
  if (party.Attendance === null) return html``
  if (party.Attendance === 'no-show') return badge('No-show', 'bad')
  const isWhole = party.PeopleHere >= party.Participants
  return isWhole ? badge('Checked in', 'good') : badge(hereText(t, party), 'warn')
}

/** The buttons of the check-in. `fields` are sent with each of them. */
export function attendanceButtons(
  session: Session,
  party: CountedParty & { BookingReference: string; who: string },
  { action, fields }: { action: string; fields: Markup },
): Markup {
  const { BookingReference, Attendance, PeopleHere, Participants, who } = party
  const button = (text: string, given: Record<string, string | number>, kind = 'secondary') => {
    const inputs = Object.entries(given).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )
    const name = html`${text}<span class="unseen"> ${who || BookingReference}</span>`
    return postForm(session, action, html`${fields}${inputs}<button class="${kind}">${name}</button>`, {
      class: 'inline',
    })
  }
  const counted = { Attendance: 'checked-in' }
  const one = html`${button('+1', { ...counted, More: 1 })}`
  const all = button(Participants === 1 ? 'Check in' : 'All here', counted, '')
  if (Attendance === null)
    return html`${all} ${Participants === 1 ? '' : one} ${button('No-show', { Attendance: 'no-show' })}`
  const isPart = Attendance === 'checked-in' && PeopleHere < Participants
  return html`${isPart ? html`${all} ${one} ` : ''}${PeopleHere > 1 ? html`${button('−1', { ...counted, More: -1 })} ` : ''}${button(Attendance === 'no-show' ? 'Undo no-show' : 'Undo check-in', { Attendance: '' })}`
}
