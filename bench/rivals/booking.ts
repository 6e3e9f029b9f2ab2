/**
 * Ways to sell a place over HTTP, on a pool of ten connections: the textbook's lock, a single statement that changes
 * the counter if it may, serializable isolation with retries, and a row without a timeslot.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { activityUuid } from '../../src/catalogue/model.ts'
import type { Queryable, Sql, Transaction } from '../../src/platform/postgres/database.ts'
import { isRetryable } from '../../src/platform/postgres/errors.ts'
import { type Static, Type } from '../../src/platform/schema/typebox.ts'
import { bookingRequestSchema, participantsSchema } from '../../src/sales/booking/schemas.ts'

const { Participants, Units, ...asked } = bookingRequestSchema.properties
/** Rivals sell places and have no units. */
const rivalRequestSchema = Type.Object({ ...asked, Participants: participantsSchema })
type RivalRequest = Static<typeof rivalRequestSchema>

/** The reference of the booking; null when there are not enough places. */
type Book = (sql: Sql, request: RivalRequest) => Promise<string | null>

const maxTries = 100
const schema = {
  body: rivalRequestSchema,
  response: {
    201: Type.Object({
      data: Type.Object({
        BookingReference: Type.String(),
        Status: Type.String(),
        Date: Type.String(),
        Time: Type.String(),
      }),
    }),
    409: Type.Object({ title: Type.String() }),
  },
}

const ways: Record<string, Book> = { textbook, conditional, serializable, row }

export const bookingRivals: FastifyPluginAsyncTypebox<{ sql: Sql }> = async (app, { sql }) => {
  for (const [path, book] of Object.entries(ways)) {
    app.post(`/booking/${path}`, { schema }, async ({ body }, reply) => {
      const reference = await book(sql, body)
      if (!reference) return reply.code(409).send({ title: 'sold out' })
      return reply.code(201).send({ data: { BookingReference: reference, Status: 'confirmed', ...body } })
    })
  }
}

function textbook(sql: Sql, request: RivalRequest): Promise<string | null> {
  return sql.begin((tx) => checkThenBook(tx, request, tx`for update`))
}

/** Without a lock: PostgreSQL detects conflicts at the end. */
async function serializable(sql: Sql, request: RivalRequest): Promise<string | null> {
  for (let tried = 1; ; tried++) {
    try {
      return await sql.begin('isolation level serializable', (tx) => checkThenBook(tx, request, tx``))
    } catch (error) {
      if (!isRetryable(error) || tried === maxTries) throw error
    }
  }
}

async function conditional(sql: Sql, request: RivalRequest): Promise<string | null> {
  const { ActivityID, Date: date, Time: time, Participants, Customer } = request
  const [made] = await sql<{ reference: string }[]>`
    with taken as (
      update rival_timeslots set booked = booked + ${Participants}
      where activity = ${activityUuid(ActivityID)} and date = ${date} and time = ${time}
        and booked + ${Participants} <= capacity
      returning id
    )
    insert into rival_bookings (timeslot_id, reference, participants, first_name, last_name, email)
    select id, gen_random_uuid(), ${Participants}::integer, ${Customer.FirstName}, ${Customer.LastName}, ${Customer.Email}
    from taken
    returning reference`
  return made?.reference ?? null
}

/** The minimum of durable work: one row, committed. It checks no timeslot. */
async function row(sql: Sql, { Participants, Customer }: RivalRequest): Promise<string | null> {
  const [made] = await sql<{ reference: string }[]>`
    insert into rival_rows (reference, participants, first_name, last_name, email)
    values (gen_random_uuid(), ${Participants}, ${Customer.FirstName}, ${Customer.LastName}, ${Customer.Email})
    returning reference`
  return made!.reference
}

async function checkThenBook(
  tx: Transaction,
  { ActivityID, Date: date, Time: time, Participants, Customer }: RivalRequest,
  lock: ReturnType<Queryable>,
): Promise<string | null> {
  const [slot] = await tx<{ id: number; free: number }[]>`
    select id, capacity - booked as free from rival_timeslots
    where activity = ${activityUuid(ActivityID)} and date = ${date} and time = ${time} ${lock}`
  if (!slot || slot.free < Participants) return null
  await tx`update rival_timeslots set booked = booked + ${Participants} where id = ${slot.id}`
  const [made] = await tx<{ reference: string }[]>`
    insert into rival_bookings (timeslot_id, reference, participants, first_name, last_name, email)
    values (${slot.id}, gen_random_uuid(), ${Participants}, ${Customer.FirstName}, ${Customer.LastName}, ${Customer.Email})
    returning reference`
  return made!.reference
}
