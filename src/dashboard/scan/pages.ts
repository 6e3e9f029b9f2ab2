/** The page that checks guests in by the codes of tickets and bookings, from a keyboard, a hand scanner or a camera. */
import { listTimeslots } from '../../catalogue/timeslots/editing/service.ts'
import { userActor } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { listQuestionsOfBookings } from '../../sales/booking/desk/questions.ts'
import { listOwed } from '../../sales/ledger/service.ts'
import { findNote } from '../../sales/note/service.ts'
import { scan } from '../../sales/ticket/scanning.ts'
import { onceOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { scanView } from './views.ts'

const timeslotId = Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
const querySchema = Type.Object({ TimeslotID: timeslotId })
const scanForm = Type.Object({
  Code: Type.String({ trimmedLength: 255 }),
  TimeslotID: timeslotId,
  People: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
  // Checks in the whole party. Sent for a scan that arrives late, because the page can no longer ask how many
  // guests have come.
  All: Type.Optional(Type.Boolean()),
  // Checks in a guest of another day or departure too.
  Anyway: Type.Optional(Type.Boolean()),
  ScannedAt: Type.Optional(Type.String({ format: 'date-time' })),
})

/** For a scan that is older than this, the service records the time at which it received the scan. */
const maxScanAgeMs = 7 * 24 * 3600 * 1000
const maxSlots = 500

export const scanPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/scan', { schema: { hide: true, querystring: querySchema } }, async (request, reply) => {
    const slots = await slotsOfToday(request.session.user)
    const timeslotId = request.query.TimeslotID ?? null
    const t = textsFor(request)
    const body = scanView(request.session, t, { slots, timeslotId, scan: null })
    return sendDashboard(reply, request.session, { title: t.say('scan.title'), body, assets })
  })

  app.post('/scan', { schema: { hide: true, body: scanForm } }, async (request, reply) => {
    const { session, body } = request
    const { accountId } = session.user
    const { Code: code, People, All, Anyway: anyway = false, TimeslotID = null, ScannedAt } = body
    const given = {
      code,
      people: People ?? (All ? ('all' as const) : null),
      timeslotId: TimeslotID,
      anyway,
      at: scannedAt(ScannedAt),
    }
    // The phone may send a scan again when the network is back. The idempotency key makes it take effect only
    // once.
    const once = { ...onceOf(request, 'scan'), body: { Code: code, People, Anyway: anyway || undefined } }
    const outcome = await scan(sql, once, { accountId, actor: userActor(session.user) }, given)
    const { booking } = outcome
    const [slots, questions, owed, note] = await Promise.all([
      slotsOfToday(session.user),
      booking ? listQuestionsOfBookings(sql, accountId, [booking]) : [],
      booking ? listOwed(sql, accountId, [booking.BasketID]) : null,
      booking ? findNote(sql, accountId, booking.BookingReference) : null,
    ])
    const shown = { outcome, anyway, questions, owed: booking && owed?.get(booking.BasketID), note }
    return sendDashboard(reply, session, {
      title: textsFor(request).say('scan.title'),
      status: outcome.result === 'unknown' ? 404 : 200,
      body: scanView(session, textsFor(request), { slots, timeslotId: TimeslotID, scan: shown }),
      assets,
    })
  })

  function slotsOfToday({ accountId, timeZone }: { accountId: number; timeZone: string }) {
    const date = dateIn(timeZone, new Date())
    const filter = { from: date, to: date, productId: null, status: null, after: null, limit: maxSlots }
    return listTimeslots(sql, accountId, filter)
  }
}

const assets = ['bookings.css', 'scan.css', 'scan.js']

/** The time of the phone's clock, or now if that is missing, in the future, or older than `maxScanAgeMs`. */
function scannedAt(text: string | undefined): Date {
  const now = Date.now()
  const at = text === undefined ? now : Date.parse(text)
  return new Date(at <= now && at > now - maxScanAgeMs ? at : now)
}
