/** The page on which owners export or erase the personal data of a booking's customer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { eraseCustomer, listCustomerBookings } from '../../customers/erasing.ts'
import { exportCustomer } from '../../customers/exporting.ts'
import type { CustomerIdentifier } from '../../customers/model.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { referencePathSchema } from '../../sales/booking/desk/schemas.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'
import { checkForm, type FormFaults, faultsOf } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { fileNameIn } from '../frame/mode.ts'
import { textsFor } from '../frame/texts.ts'
import { bookingPath } from '../parts/subject.ts'
import { customerView } from './views.ts'

type CustomerPageRequest = FastifyRequest<{ Params: { BookingReference: string } }>

const params = referencePathSchema
const eraseSchema = Type.Object({ EvenUpcoming: Type.Optional(Type.Boolean()) })

export const customerPages: Routes<{ sql: Sql; dataDir: string }> = (app, { sql, dataDir }) => {
  app.get('/customers/:BookingReference', { schema: { hide: true, params } }, (request, reply) =>
    sendCustomer(sql, request, reply, { faults: null, status: 200 }),
  )

  app.get(
    '/customers/:BookingReference/data.json',
    { schema: { hide: true, params } },
    async (request, reply) => {
      const { mode, user } = request.session
      const { accountId: id, slug } = user
      const filename = fileNameIn(mode, `customer-${request.params.BookingReference}.json`)
      const document = await exportCustomer(sql, { id, slug }, await findWho(sql, request))
      return reply
        .headers({
          'content-disposition': `attachment; filename="${filename}"`,
          'cache-control': 'no-store',
        })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(document, null, 2))
    },
  )

  app.post(
    '/customers/:BookingReference/erase',
    { schema: { hide: true, params, body: eraseSchema }, attachValidation: true },
    async (request, reply) => {
      const { accountId, userId } = request.session.user
      const who = await findWho(sql, request)
      try {
        checkForm(request)
        const includeUpcoming = request.body.EvenUpcoming === true
        await eraseCustomer(sql, {
          accountId,
          who,
          includeUpcoming,
          dataDir,
          by: { cause: 'dashboard', userId },
        })
      } catch (error) {
        return sendCustomer(sql, request, reply, faultsOf(error))
      }
      return reply.redirect(doneAt(bookingPath(request.params.BookingReference), 'customer-erased'), 303)
    },
  )
}

/**
 * Identifies the customer of a booking: by the booking reference, and by the e-mail address, or the phone
 * number if there is no e-mail address.
 * @throws Problem not-found.
 */
async function findWho(sql: Sql, { session, params }: CustomerPageRequest): Promise<CustomerIdentifier> {
  const { Customer, BookingReference } = await readBooking(
    sql,
    session.user.accountId,
    params.BookingReference,
  )
  const { Email: email, Phone: phone } = Customer
  return { email, phone: email === null ? phone : null, reference: BookingReference }
}

async function sendCustomer(
  sql: Sql,
  request: CustomerPageRequest,
  reply: FastifyReply,
  { faults, status }: { faults: FormFaults; status: number },
): Promise<FastifyReply> {
  const { session } = request
  const t = textsFor(request)
  const who = await findWho(sql, request)
  const bookings = await listCustomerBookings(sql, session.user.accountId, who)
  return sendDashboard(reply, session, {
    title: t.say('erase.title'),
    status,
    body: customerView(session, t, { reference: request.params.BookingReference, who, bookings, faults }),
    assets: ['bookings.css'],
  })
}
