/**
 * Weather closures: a form, a preview of the effects, and the closure itself, all under one path. The
 * response to the closure is its report, not a redirect. If the same form is sent again, the closure
 * continues with the timeslots that are not processed yet. The report has the stored result of each timeslot
 * that was processed before.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { listProductNames } from '../../catalogue/products/service.ts'
import { findTimeslotAt, getTimeslot, listNearestOnSale } from '../../catalogue/timeslots/editing/service.ts'
import { userActor } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { freeOf } from '../../inventory/on-sale.ts'
import { previewClosureEmail } from '../../messaging/emails/closure-preview.ts'
import { dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import type { TimeslotClosure } from '../../sales/closure/model.ts'
import type { ClosureRequest } from '../../sales/closure/schemas.ts'
import {
  type AffectedBooking,
  closeTimeslots,
  countPeopleHere,
  findTimeslots,
  listAffected,
  listWithoutEmail,
  noticeOf,
  previewClosure,
  previewRefund,
} from '../../sales/closure/service.ts'
import { inWords } from '../frame/fault-words.ts'
import { checkForm, type FormFaults, faultsOf, onceOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { type ClosureFields, formSchema, querySchema } from './closure-fields.ts'
import { type ClosureTargetChoice, closureForm, closureLabels } from './closure-form.ts'
import { ofClosureRefund, takeClosureRefund, withHiddenRefund } from './closure-refund.ts'
import { type ClosureOutcome, outcomeView, type ShownNotice } from './closure-views.ts'

// The approximate maximum number of timeslots that one request closes, each in a separate transaction. These
// transactions take much less time than the request timeout.
const maxAtOnce = 100
/** The maximum number of affected bookings that the preview lists. */
const maxListedBookings = 500
const maxTargets = 60

export const closurePages: Routes<Pick<DashboardOptions, 'sql'>> = (app, { sql }) => {
  app.get(
    '/calendar/closures',
    { schema: { hide: true, querystring: querySchema } },
    async (request, reply) => {
      const { ProductID, ...query } = request.query
      const given = { ...query, ...(ProductID && { ProductIDs: [ProductID] }) }
      return show(request, reply, { given })
    },
  )

  app.post(
    '/calendar/closures',
    {
      attachValidation: true,
      preValidation: async (request) => takeClosureRefund(request),
      schema: { hide: true, body: formSchema },
    },
    async (request, reply) => {
      const { Step, ...given } = request.body
      try {
        checkForm(request)
        const outcome = await (Step === 'preview' ? preview(request, given) : close(request, given))
        return show(request, reply, { given: withHiddenRefund(request, given), outcome })
      } catch (error) {
        const { faults, status } = faultsOf(error)
        return show(request, reply, {
          given: withHiddenRefund(request, given),
          faults: inWords(ofClosureRefund(ofTargetFields(faults, given)), closureLabels(textsFor(request))),
          status,
        })
      }
    },
  )

  async function preview({ session }: FastifyRequest, given: ClosureFields): Promise<ClosureOutcome> {
    const { accountId } = session.user
    const request = toRequest(given)
    const ids = await findTimeslots(sql, accountId, request)
    const [results, found] = await Promise.all([
      previewClosure(sql, accountId, ids, request),
      listAffected(sql, accountId, ids, maxListedBookings + 1),
    ])
    // A timeslot may be removed between these queries. The page lists each booking with the result of its timeslot, so
    // a booking whose timeslot has no result is left out.
    const known = new Set(results.map(({ timeslotId }) => timeslotId))
    const bookings = found.slice(0, maxListedBookings).filter(({ timeslotId }) => known.has(timeslotId))
    const emails = []
    for (const isPartners of [false, true]) {
      const sameSeller = bookings.filter((booking) => booking.isPartners === isPartners)
      emails.push(await previewEmail(accountId, request, { results, bookings: sameSeller }))
    }
    return {
      step: 'preview',
      results,
      bookings,
      isCut: found.length > maxListedBookings,
      peopleHere: await countPeopleHere(sql, accountId, closingIds(results)),
      emails: emails.filter((email) => email !== null),
    }
  }

  /**
   * The e-mail for the first of these bookings that would get one. Null if none would, or if that booking has
   * just changed.
   */
  async function previewEmail(
    accountId: number,
    request: ClosureRequest,
    { results, bookings }: { results: TimeslotClosure[]; bookings: AffectedBooking[] },
  ): Promise<ShownNotice | null> {
    const closing = new Map(
      results.filter(({ result }) => result === 'closed').map((result) => [result.timeslotId, result]),
    )
    const first = bookings.find(
      ({ status, hasEmail, timeslotId }) => status === 'confirmed' && hasEmail && closing.has(timeslotId),
    )
    if (!first) return null
    const { reference } = first
    const result = closing.get(first.timeslotId)!
    const refund = result.movedTo
      ? null
      : await previewRefund(sql, accountId, [...closing.keys()], { request, reference })
    if (!result.movedTo && !refund) return null
    const closed = result.movedTo ? { movedTo: result.movedTo.id } : { movedTo: null, ...refund! }
    const notice = noticeOf(request, result)
    const words = await previewClosureEmail(sql, accountId, { reference, notice, closed })
    return words && { reference, words }
  }

  async function close(request: FastifyRequest, given: ClosureFields): Promise<ClosureOutcome> {
    // If one request does not close all timeslots, the next request continues the closure by the key of the form.
    if (request.formKey === undefined) throw problems.foreignForm()
    const { accountId } = request.session.user
    const { results, unprocessed } = await closeTimeslots(sql, accountId, {
      actor: userActor(request.session.user),
      request: toRequest(given),
      once: (operation) => onceOf(request, operation),
      most: maxAtOnce,
    })
    const references = results.flatMap(({ untold = [] }) => untold)
    const withoutEmail = references.length > 0 ? await listWithoutEmail(sql, accountId, references) : []
    return { step: 'close', results, unprocessed, withoutEmail, once: request.formKey }
  }

  async function show(request: FastifyRequest, reply: FastifyReply, page: ClosurePage) {
    const { session } = request
    const { accountId, timeZone } = session.user
    const { given, outcome = null, faults = null, status = 200 } = page
    const [products, { slot, targets }] = await Promise.all([
      listProductNames(sql, accountId),
      findChoices(accountId, given),
    ])
    const t = textsFor(request)
    const today = dateIn(timeZone, new Date())
    const form = closureForm(session, { given, faults, products, slot, targets, today, t })
    return sendDashboard(reply, session, {
      title: t.say('calendar.closure.title'),
      body: outcome ? outcomeView(session, { outcome, given, form, products, t }) : form,
      status,
      assets: ['calendar.css', 'emails.css', 'closures.js'],
    })
  }

  /**
   * The timeslot to close, and the timeslots to which its bookings may be moved: the nearest timeslots that are on
   * sale and have free places, and the target that the user has chosen. For the closure of a range of days, `slot`
   * is null and `targets` is empty.
   * @throws Problem not-found for an unknown timeslot.
   */
  async function findChoices(accountId: number, { TimeslotID: id, Target }: Partial<ClosureFields>) {
    // A refused form that is shown again may have an invalid id.
    if (!Number.isSafeInteger(id)) return { slot: null, targets: [] }
    const slot = await getTimeslot(sql, accountId, id!)
    const nearest = await listNearestOnSale(sql, accountId, { id: slot.id, limit: maxTargets })
    const targets: ClosureTargetChoice[] = nearest.map((one) => ({ ...one, free: freeOf(one) }))
    const [date = '', time = ''] = Target?.split(' ') ?? []
    const isOffered = targets.some((one) => one.date === date && one.time === time)
    if (isOffered || !isCalendarDate(date) || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      return { slot, targets }
    // The chosen timeslot is not in the list if it has sold out since, or if many other timeslots are nearer.
    const there = await findTimeslotAt(sql, accountId, { productId: slot.productId, date, time })
    const chosen = { date, time, openingHours: there?.openingHours ?? null, free: there?.available ?? 0 }
    return { slot, targets: [chosen, ...targets] }
  }
}

function closingIds(results: readonly TimeslotClosure[]): number[] {
  return results.flatMap(({ result, timeslotId }) => (result === 'closed' ? [timeslotId] : []))
}

type ClosurePage = {
  given: Partial<ClosureFields>
  outcome?: ClosureOutcome
  faults?: FormFaults
  status?: number
}

/**
 * The form as a request of the API. The target is used only if bookings are moved, and the refund only if they are
 * cancelled.
 */
function toRequest({ Target, MoveTo, ...request }: ClosureFields): ClosureRequest {
  if (request.Action === 'cancel') return request
  const { Refund, ...moving } = request
  const [date, time] = Target?.split(' ') ?? []
  const target = date && time ? { Date: date, Time: time } : MoveTo
  return { ...moving, ...(target && { MoveTo: target }) }
}

/**
 * Moves the faults of the target (`MoveTo`) to fields that the form has: the form for one timeslot has a choice of
 * targets, the form for a range of days has a date and a time.
 */
function ofTargetFields(
  faults: NonNullable<FormFaults>,
  { TimeslotID }: ClosureFields,
): NonNullable<FormFaults> {
  const toFormField = (field: string) => {
    if (Number.isSafeInteger(TimeslotID)) return /^MoveTo(\.|$)/.test(field) ? 'Target' : field
    return field === 'MoveTo' ? 'MoveTo.Date' : field
  }
  const fields = [...faults.fields].map(([field, message]) => [toFormField(field), message] as const)
  return { ...faults, fields: new Map(fields) }
}
