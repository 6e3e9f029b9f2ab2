/** Pages of a product's schedules: the form with a preview, the page that ends a schedule, and their reports. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toPeriods } from '../../catalogue/opening-hours.ts'
import { getProduct } from '../../catalogue/reading.ts'
import type { ScheduleRow } from '../../catalogue/schedules/editing/applying.ts'
import { changeInSteps } from '../../catalogue/schedules/editing/in-steps.ts'
import * as service from '../../catalogue/schedules/editing/service.ts'
import { effectsView, scheduleView } from '../../catalogue/schedules/editing/views.ts'
import { newScheduleSchema, scheduleFields } from '../../catalogue/schedules/schemas.ts'
import { type Authorship, byUser } from '../../events/actor.ts'
import { Problem, problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import { Type } from '../../platform/schema/typebox.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { checkForm, onceOf, renameFaults } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import {
  type GivenHours,
  hoursByLine,
  hoursFieldNames,
  takeHours,
  unchosenHours,
} from '../parts/hours-fields.ts'
import { comparePrices, type GivenPrices, priceFieldOf, takePrices } from '../parts/price-fields.ts'
import type { CataloguePageOptions } from './paths.ts'
import { idOrNull, productPath, schedulePathSchema } from './paths.ts'
import { previewDays, toDays } from './schedule-preview.ts'
import { endPage, outcomePage, previewPart } from './schedule-results.ts'
import { scheduleFieldNames, schedulePage } from './schedule-views.ts'
import { readTimes } from './times.ts'

const { ClosedDates } = scheduleFields
/**
 * All fields of a schedule. The form has all of them, so that an empty field removes the value.
 */
const scheduleForm = Type.Object({
  ...newScheduleSchema.properties,
  ClosedDates,
  Version: Type.Optional(Type.String()),
})
const endForm = Type.Object({ Version: Type.String() })
const path = '/catalogue/:ProductID/schedules/:ScheduleID'
const assets = ['catalogue.css']
// The maximum number of new timeslots in a preview: one every 15 minutes on each day of the preview.
const maxPreviewed = previewDays * 96

type ScheduleAddress = Authorship & { productId: number; horizonDays: number; id: number | null }

export const schedulePages: Routes<CataloguePageOptions> = (app, { sql, horizonDays }) => {
  const addressOf = ({
    session,
    params,
  }: {
    session: FastifyRequest['session']
    params: unknown
  }): ScheduleAddress => {
    const { ProductID, ScheduleID } = params as { ProductID: string; ScheduleID: string }
    return { ...byUser(session.user), productId: Number(ProductID), horizonDays, id: idOrNull(ScheduleID) }
  }

  /** Reads the stored schedule; null if the form is for a new one. */
  const readSchedule = (place: ScheduleAddress) =>
    place.id === null ? null : service.getSchedule(sql, place, place.id)

  type Sending = {
    shown: ShownForm & { version: string; status?: number }
    preview?: ReturnType<typeof previewPart>
  }

  const sendForm = async (request: FastifyRequest, reply: FastifyReply, { shown, preview }: Sending) => {
    const place = addressOf(request)
    const product = await getProduct(sql, place.accountId, place.productId)
    const { name, timeZone } = product
    const at = { ...place, timeZone, product }
    const t = textsFor(request)
    return sendDashboard(reply, request.session, {
      title: t.say(place.id === null ? 'schedule.new-of' : 'schedule.of', { product: name }),
      body: schedulePage(request.session, t, at, { ...shown, preview: preview ?? null }),
      status: shown.status ?? 200,
      assets,
    })
  }

  /** Shows the form again after it could not be previewed or saved. */
  const sendAgain = async (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const { UnitPrices, Times } = request.body as { UnitPrices?: GivenPrices; Times?: string[] }
    const rename = (field: string) => priceFieldOf(inForm(field), UnitPrices)
    const shown = await showFormAgain(renameFaults(nameTimes(error, Times), rename), async () => {
      const state = await readSchedule(addressOf(request))
      const existing = state && storedValues(state)
      const given = hoursByLine(request.body as GivenHours)
      const fields = [...scheduleFieldNames, ...hoursFieldNames]
      const others = comparePrices(textsFor(request), UnitPrices, existing?.UnitPrices)
      return { given, existing, state, fields, others }
    })
    const values = { ...(shown.values as object), ...unchosenHours(request) }
    return sendForm(request, reply, { shown: { ...shown, values } })
  }

  app.get(path, { schema: { hide: true, params: schedulePathSchema } }, async (request, reply) => {
    const existing = await readSchedule(addressOf(request))
    const shown = {
      values: existing && storedValues(existing),
      faults: null,
      version: existing ? versionOf(existing) : '',
    }
    return sendForm(request, reply, { shown })
  })

  const form = {
    schema: { hide: true, params: schedulePathSchema, body: scheduleForm },
    attachValidation: true,
    preValidation: [readTypedValues, takeHours, takePrices],
  }

  app.post(`${path}/preview`, form, async (request, reply) => {
    const place = addressOf(request)
    try {
      checkForm(request)
      const { Version: version = '', ...given } = request.body
      const asked = { ...given, ...(place.id !== null && { ScheduleID: place.id }) }
      const { UnitPrices: prices = [] } = given
      const outcome = await service.previewSchedule(sql, place, asked, { named: maxPreviewed, prices })
      const existing = await readSchedule(place)
      // The list starts on the first day of the stored season or of the new season, whichever is earlier, but not
      // before today.
      const from = existing && existing.from < given.From ? existing.from : given.From
      const coming = await service.listComing(sql, place, { from, days: previewDays })
      const openingHours = toPeriods(given.OpeningHours)
      const days = toDays(coming, outcome, { id: place.id, capacity: given.Capacity, openingHours })
      const preview = previewPart(textsFor(request), { days, effects: effectsView(outcome) })
      const values = { ...hoursByLine(given), ...unchosenHours(request) }
      const shown = { values, faults: null, version }
      return await sendForm(request, reply, { shown, preview })
    } catch (error) {
      return sendAgain(request, reply, error)
    }
  })

  app.post(path, form, async (request, reply) => {
    const place = addressOf(request)
    const { id } = place
    try {
      checkForm(request)
      const { Version: seen, ...given } = request.body
      const once = onceOf(request, id === null ? 'schedule.create' : 'schedule.change')
      const { answer } = await changeInSteps(sql, once, place, (tx) =>
        id === null
          ? service.createSchedule(tx, place, given)
          : service.changeSchedule(tx, place, { id, change: given, seen }),
      )
      return sendOutcome(request, reply, answer.Timeslots, 'schedule.saved')
    } catch (error) {
      return sendAgain(request, reply, error)
    }
  })

  app.get(`${path}/end`, { schema: { hide: true, params: schedulePathSchema } }, async (request, reply) => {
    const { session } = request
    const place = addressOf(request)
    if (place.id === null) throw problems.notFound()
    const [schedule, outcome] = await Promise.all([
      service.getSchedule(sql, place, place.id),
      service.previewRemoval(sql, place, place.id),
    ])
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('schedule.end.title'),
      body: endPage(session, t, { schedule, effects: effectsView(outcome) }),
      assets,
    })
  })

  app.post(
    `${path}/end`,
    { schema: { hide: true, params: schedulePathSchema, body: endForm } },
    async (request, reply) => {
      const place = addressOf(request)
      const { id } = place
      if (id === null) throw problems.notFound()
      const { answer } = await changeInSteps(sql, onceOf(request, 'schedule.end'), place, (tx) =>
        service.removeSchedule(tx, place, id, request.body.Version),
      )
      return sendOutcome(request, reply, answer.Timeslots, 'schedule.ended')
    },
  )
}

/**
 * The report after saving or ending a schedule. It is the response to the form itself, because it is stored only
 * with the idempotency key of the form. If the form is sent again, the response is the same.
 */
function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  effects: ReturnType<typeof effectsView>,
  title: 'schedule.saved' | 'schedule.ended',
): FastifyReply {
  const { ProductID } = request.params as { ProductID: string }
  const t = textsFor(request)
  const body = outcomePage(t, productPath(Number(ProductID)), effects)
  return sendDashboard(reply, request.session, { title: t.say(title), body, assets })
}

/** The form values of a stored schedule. The values of a schedule with opening hours have no times. */
function storedValues(schedule: ScheduleRow) {
  const { Times, ...values } = scheduleView(schedule)
  return hoursByLine(values.AllDay ? values : { ...values, Times })
}

/** The form's name for a field of the request: the form has one field for all times, and one group for all weekdays. */
function inForm(field: string): string {
  return field.replace(/^(Times|Weekdays)\[\d+\]$/, '$1')
}

/**
 * Returns the error with new messages for invalid times, which quote the text that the user typed. Other
 * errors are returned unchanged.
 */
function nameTimes(error: unknown, times: readonly string[] = []): unknown {
  if (!(error instanceof Problem && error.slug === 'validation')) return error
  const errors = error.extensions.errors as FieldError[]
  return problems.validation(
    errors.map(({ field, message }) => {
      const time = times[Number(/^Times\[(\d+)\]$/.exec(field)?.[1] ?? Number.NaN)]
      if (time === undefined) return { field, message }
      return { field, message: `has “${time.slice(0, 40)}”: write each time as 9:30 or 14:30` }
    }),
  )
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const body = request.body as { Times?: string[]; ClosedDates?: string[] }
  if (body.Times) body.Times = body.Times.flatMap(readTimes)
  if (body.ClosedDates) body.ClosedDates = [...new Set(body.ClosedDates)]
}
