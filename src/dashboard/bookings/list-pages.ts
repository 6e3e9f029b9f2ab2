/** The list of bookings, as a page and as a CSV file. Their query parameters are the filters of the API. */
import type { FastifyRequest } from 'fastify'
import { listPartners } from '../../accounts/service.ts'
import type { SignedIn } from '../../accounts/users/service.ts'
import { listProducts } from '../../catalogue/products/service.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { InvalidFields } from '../../platform/schema/validation.ts'
import { dateIn } from '../../platform/text/calendar.ts'
import { toAmount } from '../../platform/text/money.ts'
import { type SoldListQuery, soldListQuerySchema } from '../../sales/booking/desk/list-query.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'
import { browseBookings } from '../../sales/booking/desk/service.ts'
import { readLedger, type SaleLedger } from '../../sales/ledger/service.ts'
import { sendCsv } from '../frame/csv.ts'
import { faultsOf } from '../frame/forms.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { readOwedBadges } from '../parts/owed-badges.ts'
import { bookingPath } from '../parts/subject.ts'
import { csvHead, csvRow, type SaleBalance } from './list-file.ts'
import { listView } from './list-views.ts'

const pageSize = 50
/** How many rows of a file are read at a time. */
const fileStep = 500

export const bookingListPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get(
    '/bookings',
    { schema: { hide: true, querystring: soldListQuerySchema }, attachValidation: true },
    async (request, reply) => {
      const { session, query, url } = request
      const { accountId, timeZone } = session.user
      const [found, products, partners] = await Promise.all([
        browse(sql, request),
        listProducts(sql, accountId, {}),
        listPartners(sql, accountId),
      ])
      const { status, ...list } = found
      const [only] = list.bookings
      if (only && list.bookings.length === 1 && isReferenceOf(only, query))
        return reply.redirect(bookingPath(only.BookingReference), 303)
      const t = textsFor(request)
      const owed = await readOwedBadges(sql, accountId, t, list.bookings)
      return sendDashboard(reply, session, {
        title: t.say('bookings.title'),
        status,
        body: listView(t, {
          ...list,
          owed,
          query,
          url,
          products,
          partners,
          today: dateIn(timeZone, new Date()),
        }),
        assets: ['bookings.css', 'live.js'],
      })
    },
  )

  app.get(
    '/bookings.csv',
    { schema: { hide: true, querystring: soldListQuerySchema } },
    async ({ session, query }, reply) => {
      // Reads the first rows before the response begins, so that invalid filters get an error status.
      const first = await browseBookings(sql, session.user, { ...query, Limit: fileStep })
      return sendCsv(reply, 'bookings.csv', fileRows(sql, session.user, query, first))
    },
  )
}

/** Whether the user searched for the reference of this booking, without other filters. */
function isReferenceOf({ BookingReference }: BookingRecord, { Search, ...filters }: SoldListQuery): boolean {
  const others = Object.values(filters).filter((value) => value !== undefined && value !== '')
  return others.length === 0 && Search?.trim().toUpperCase() === BookingReference
}

type Found = { bookings: BookingRecord[]; next: string | null }

/**
 * Reads one page of the bookings that match the filters. If the filters are invalid, it returns no bookings,
 * the faults and the status of the response.
 */
async function browse(sql: Sql, request: FastifyRequest<{ Querystring: SoldListQuery }>) {
  try {
    const { validationError, session, query } = request
    if (validationError instanceof InvalidFields) throw problems.validation(validationError.fields)
    const found = await browseBookings(sql, session.user, { ...query, Limit: query.Limit ?? pageSize })
    return { ...found, faults: null, status: 200 }
  } catch (error) {
    return { bookings: [], next: null, ...faultsOf(error) }
  }
}

/**
 * The head, then all matching bookings as rows. Reads `fileStep` bookings at a time, and reads the next
 * bookings only when the client is ready for more.
 */
async function* fileRows(sql: Sql, user: SignedIn, query: SoldListQuery, first: Found) {
  yield csvHead
  /** The ids of sales that have several active bookings and whose balance is already in the file. */
  const withBalance = new Set<number>()
  for (let page = first; ; ) {
    const confirmed = page.bookings.filter(isConfirmed)
    const ledgers = await readLedger(sql, user.accountId, basketsOf(confirmed))
    for (const booking of page.bookings) {
      const ledger =
        isConfirmed(booking) && !withBalance.has(booking.BasketID) && ledgers.get(booking.BasketID)
      if (ledger && ledger.activeBookings > 1) withBalance.add(booking.BasketID)
      yield csvRow(booking, ledger ? balanceOf(ledger) : null)
    }
    if (page.next === null) return
    page = await browseBookings(sql, user, { ...query, Limit: fileStep, Cursor: page.next })
  }
}

/**
 * The balance as two amounts that are never negative, for two columns. toCell() would put an apostrophe
 * before text that begins with a minus sign.
 */
function balanceOf({ balance, currency }: SaleLedger): SaleBalance {
  const amount = (minor: bigint) => toAmount(minor > 0n ? minor : 0n, currency)
  return { toPay: amount(balance), overpaid: amount(-balance) }
}

function isConfirmed({ Status }: BookingRecord): boolean {
  return Status === 'confirmed'
}

function basketsOf(bookings: readonly BookingRecord[]): number[] {
  return [...new Set(bookings.map(({ BasketID }) => BasketID))]
}
