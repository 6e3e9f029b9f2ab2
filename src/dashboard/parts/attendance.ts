/** The check-in of a party, in words and as buttons. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { type Static, Type } from '../../platform/schema/typebox.ts'
import type { AttendanceGiven } from '../../sales/booking/changes/attending.ts'
import { attendanceRequestSchema } from '../../sales/booking/changes/schemas.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { postForm } from '../frame/forms.ts'
import { badge } from '../frame/layout.ts'
import type { Session } from '../frame/session.ts'

/**
 * The form of a check-in button. `More` is the number of further guests to check in; −1 removes one guest
 * from the check-in; 0 changes only the number of guests who did not come (`PeopleAbsent`).
 */
export const attendanceForm = Type.Object({
  ...attendanceRequestSchema.properties,
  More: Type.Optional(Type.Integer({ minimum: -1, maximum: 999 })),
})

/** The attendance that a form requests. */
export function attendanceOf(form: Static<typeof attendanceForm>): AttendanceGiven {
  const { Attendance: attendance, PeopleHere: people, More: more, PeopleAbsent: absent } = form
  return { attendance, people, more, absent }
}

type RecordedAttendance = {
  answer: Pick<BookingRecord, 'Attendance' | 'PeopleAbsent'>
  /** Whether the request changed nothing. */
  wasSame: boolean
}

/**
 * The word of the notice after a check-in form, for doneAt(). If another user undid the check-in or checked
 * in all guests after the page was rendered, the notice says that nothing was changed.
 */
export function attendanceDone(
  form: Static<typeof attendanceForm>,
  { answer: after, wasSame }: RecordedAttendance,
): string {
  const { Attendance, More, PeopleAbsent } = form
  if (Attendance !== after.Attendance || (PeopleAbsent && !after.PeopleAbsent)) return 'attendance-unchanged'
  if (PeopleAbsent !== undefined) return PeopleAbsent > 0 ? 'rest-absent' : 'rest-cleared'
  if (More !== undefined) return wasSame ? 'attendance-unchanged' : 'people-counted'
  return Attendance ?? 'attendance-cleared'
}

type People = Pick<BookingRecord, 'PeopleHere' | 'PeopleAbsent' | 'Participants'>
type CountedParty = People & Pick<BookingRecord, 'Attendance'>

/** `2 of 4 here`, or `2 of 4 here, 1 no-show`. */
export function hereText(t: Texts, { PeopleHere, PeopleAbsent = 0, Participants }: People): string {
  return t.say('here.count', {
    here: t.number(PeopleHere),
    all: t.number(Participants),
    absent: PeopleAbsent,
  })
}

/** The number of people of a party who are neither here nor marked as a no-show. */
function openOf({ PeopleHere, PeopleAbsent = 0, Participants }: People): number {
  return Participants - PeopleHere - PeopleAbsent
}

/**
 * The attendance of a party. Empty if nothing is recorded, or if the booking is not confirmed, because its
 * guests then have no confirmed places.
 */
export function attendanceBadge(
  t: Texts,
  party: CountedParty & Partial<Pick<BookingRecord, 'Status'>>,
): Markup {
  if (party.Attendance === null || (party.Status ?? 'confirmed') !== 'confirmed') return html``
  if (party.Attendance === 'no-show') return badge(t.say('attendance.no-show'), 'bad')
  const { PeopleHere, PeopleAbsent = 0, Participants } = party
  if (PeopleHere >= Participants) return badge(t.say('attendance.checked-in'), 'good')
  const here =
    openOf(party) > 0
      ? badge(hereText(t, { PeopleHere, Participants }), 'warn')
      : badge(t.say('here.only', { count: PeopleHere }), 'good')
  return PeopleAbsent > 0
    ? html`${here} ${badge(t.say('here.absent', { count: PeopleAbsent }), 'bad')}`
    : here
}

/**
 * The buttons of the check-in; each sends `fields`. Before the day of the timeslot, the buttons that begin a
 * check-in are folded, so that a user does not check in a party of next month by mistake.
 */
export function attendanceButtons(
  session: Session,
  t: Texts,
  party: CountedParty & { BookingReference: string; Date: string; who: string },
  { action, fields, today }: { action: string; fields: Markup; today: string },
): Markup {
  const { BookingReference, Attendance, PeopleHere, PeopleAbsent = 0, Participants, who } = party
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
  const undoNoShow = (given: Record<string, string | number>) =>
    button(t.say('attendance.undo-no-show'), given)
  if (Attendance === 'no-show') return undoNoShow({ Attendance: '' })
  const left = openOf(party)
  // Sends the total number of absent guests, and `More: 0`, so that the button also works if the numbers have
  // changed since the page was rendered.
  const absent = (count: number) => ({ ...counted, More: 0, PeopleAbsent: count })
  const buttons = [
    ...(left > 0 ? [all] : []),
    ...(PeopleHere < Participants ? [one] : []),
    ...(PeopleHere > 1 ? [button('−1', { ...counted, More: -1 })] : []),
    ...(left > 0
      ? [button(t.say('attendance.rest-absent', { count: left }), absent(PeopleAbsent + left))]
      : []),
    ...(PeopleAbsent > 0 ? [undoNoShow(absent(0))] : []),
    button(t.say('attendance.undo-check-in'), { Attendance: '' }),
  ]
  return html`${buttons.map((one) => html`${one} `)}`
}
