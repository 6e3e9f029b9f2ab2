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
  return t.say('here.count', { here: t.number(PeopleHere), all: t.number(Participants) })
}

/** Empty unless the booking is confirmed: nobody of another one has a place. */
export function attendanceBadge(
  t: Texts,
  party: CountedParty & Partial<Pick<BookingRecord, 'Status'>>,
): Markup {
  if (party.Attendance === null || (party.Status ?? 'confirmed') !== 'confirmed') return html``
  if (party.Attendance === 'no-show') return badge(t.say('attendance.no-show'), 'bad')
  const isWhole = party.PeopleHere >= party.Participants
  return isWhole ? badge(t.say('attendance.checked-in'), 'good') : badge(hereText(t, party), 'warn')
}

/**
 * The buttons of the check-in. `fields` are sent with each of them. Before the day of the timeslot they are folded away, so
 * that nobody checks in a party of next month by mistake.
 */
export function attendanceButtons(
  session: Session,
  t: Texts,
  party: CountedParty & { BookingReference: string; Date: string; who: string },
  { action, fields, today }: { action: string; fields: Markup; today: string },
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
  const all = button(t.say(Participants === 1 ? 'attendance.check-in' : 'attendance.all-here'), counted, '')
  if (Attendance === null) {
    const first = html`${all} ${Participants === 1 ? '' : one} ${button(t.say('attendance.no-show'), { Attendance: 'no-show' })}`
    if (party.Date <= today) return first
    return html`<details id="early-${BookingReference}"><summary>${t.say('attendance.early')}<span class="unseen"> ${who || BookingReference}</span></summary><div class="attendance">${first}</div></details>`
  }
  const isPart = Attendance === 'checked-in' && PeopleHere < Participants
  return html`${isPart ? html`${all} ${one} ` : ''}${PeopleHere > 1 ? html`${button('−1', { ...counted, More: -1 })} ` : ''}${button(t.say(Attendance === 'no-show' ? 'attendance.undo-no-show' : 'attendance.undo-check-in'), { Attendance: '' })}`
}
