/** Exports all data of a customer as one document (GDPR, articles 15 and 20). */

import type { ContactMore } from '../inventory/hold-model.ts'
import { hashAddress } from '../platform/crypto/address-hash.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { toMoney } from '../platform/text/money.ts'
import { boughtView, reductionView } from '../sales/booking/bought-view.ts'
import { refundView } from '../sales/booking/money-views.ts'
import type { TicketRow } from '../sales/ticket/queries.ts'
import * as queries from './export-queries.ts'
import type { CustomerIdentifier } from './model.ts'
import { listReservationsOf, type ReservationRow } from './reservation-queries.ts'
import { listTheirTickets, listTicketsOf } from './ticket-queries.ts'

type Related = {
  reservations: ReservationRow[]
  tickets: TicketRow[]
  changes: queries.ExportedChangeRow[]
  emails: queries.ExportedEmailRow[]
  waits: queries.WaitRow[]
  payments: queries.ExportedPaymentRow[]
  ledger: queries.ExportedLedgerRow[]
  undone: queries.ExportedUndoneRow[]
}

/**
 * Returns the document, read at one instant. It does not include data outside the service, such as letters
 * and the records of the payment provider.
 */
export function exportCustomer(sql: Sql, account: { id: number; slug: string }, who: CustomerIdentifier) {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const bookings = await queries.listBookings(tx, account.id, who)
    const ids = bookings.map(({ id }) => id)
    const basketIds = [...new Set(bookings.map(({ basketId }) => basketId))]
    const related = {
      reservations: await listReservationsOf(tx, account.id, ids),
      tickets: await listTicketsOf(tx, account.id, ids),
      changes: await queries.listChanges(tx, account.id, ids),
      emails: await queries.listEmails(tx, account.id, ids),
      waits: await queries.listWaits(tx, account.id, ids),
      payments: await queries.listPayments(tx, account.id, basketIds),
      ledger: await queries.listLedger(tx, account.id, basketIds),
      undone: await queries.listUndoneRefunds(tx, account.id, basketIds),
    }
    const hash = who.email === null ? null : hashAddress(who.email)
    const unsubscribedAt = hash && (await queries.findOptOut(tx, account.id, hash))
    const uses = await queries.listPromotionUses(tx, account.id, { hash, basketIds })
    return {
      Account: account.slug,
      ExportedAt: new Date().toISOString(),
      Customer: { Email: who.email, Phone: who.phone, UnsubscribedAt: unsubscribedAt || null },
      Promotions: uses.map(({ code, usedAt }) => ({ Code: code, UsedAt: usedAt })),
      Bookings: bookings.map((booking) => bookingView(booking, related)),
      // Tickets with this customer's contact in bookings of other customers. Of these bookings, only the
      // reference, product, date and time are exported.
      Tickets: (await listTheirTickets(tx, account.id, who)).map(ticketOfOthersView),
    }
  })
}

function ticketOfOthersView(ticket: TicketRow) {
  const { reference, productName, date, time } = ticket
  return {
    BookingReference: reference,
    Product: productName,
    Date: date,
    Time: time,
    ...ticketView(ticket),
  }
}

function ticketView(ticket: TicketRow) {
  const { firstName, lastName, email, phone, more } = ticket
  return {
    TicketID: ticket.uuid,
    Unit: ticket.unitName,
    Contact: { FirstName: firstName, LastName: lastName, Email: email, Phone: phone, ...moreView(more) },
    ResellerReference: ticket.resellerReference,
    RedeemedAt: ticket.redeemedAt,
    VoidedAt: ticket.voidedAt,
  }
}

/** The additional customer data that only resellers send. */
function moreView(more: ContactMore | null) {
  return (
    more && { Locales: more.locales, Country: more.country, PostalCode: more.postalCode, Notes: more.notes }
  )
}

function reservationView(reservation: ReservationRow | undefined) {
  return reservation ? { Notes: reservation.notes, Contact: moreView(reservation.contact) } : null
}

function bookingView(
  booking: queries.ExportedBookingRow,
  { reservations, tickets, changes, emails, waits, payments, ledger, undone }: Related,
) {
  const isOfBooking = ({ bookingId }: { bookingId: number }) => bookingId === booking.id
  return {
    BookingReference: booking.reference,
    Status: booking.status,
    Channel: booking.channel,
    Product: booking.product,
    Date: booking.date,
    Time: booking.time,
    TimeZone: booking.timeZone,
    ...boughtView(booking),
    Customer: {
      FirstName: booking.firstName,
      LastName: booking.lastName,
      Email: booking.email,
      Phone: booking.phone,
    },
    Answers: booking.answers,
    Reservation: reservationView(reservations.find(isOfBooking)),
    Partner: booking.partner,
    PaymentReference: booking.paymentReference,
    UnitPrice: toMoney(booking.unitPriceMinor, booking.currency),
    ...reductionView([booking]),
    Attendance: booking.attendance,
    PeopleHere: booking.peopleHere,
    PeopleAbsent: booking.peopleAbsent,
    CreatedAt: booking.createdAt,
    ConfirmedAt: booking.confirmedAt,
    CancelledAt: booking.cancelledAt,
    CancelReason: booking.cancelReason,
    InternalNotes: booking.internalNotes,
    Tickets: tickets.filter(isOfBooking).map(ticketView),
    Refund: refundView(booking),
    Waitlist: waits.filter(isOfBooking).map(({ status, createdAt, offeredAt }) => {
      return { Status: status, CreatedAt: createdAt, OfferedAt: offeredAt }
    }),
    History: changes.filter(isOfBooking).map(({ madeAt, actor, action, details }) => {
      return { At: madeAt, By: actor, Action: action, Details: details }
    }),
    Emails: emails
      .filter(isOfBooking)
      .map(({ kind, status, reason, createdAt, sentAt, own, testMessage }) => {
        const email = { Kind: kind, Status: status, Reason: reason, CreatedAt: createdAt, SentAt: sentAt }
        return { ...email, ...own, ...testMessage }
      }),
    Payments: payments
      .filter(({ basketId }) => basketId === booking.basketId)
      .map((payment) => ({
        Type: payment.type,
        Amount: payment.amount,
        Currency: payment.currency,
        Reference: payment.reference,
        Outcome: payment.outcome,
        ReceivedAt: payment.receivedAt,
        RefundedAt: payment.refundedAt,
      })),
    Ledger: ledger
      .filter(({ basketId }) => basketId === booking.basketId)
      .map(({ kind, method, amount, currency, reference, madeAt }) => ({
        Type: kind,
        Method: method,
        ...toMoney(BigInt(amount), currency),
        Reference: reference,
        MadeAt: madeAt,
      })),
    UndoneRefunds: undone
      .filter(({ basketId }) => basketId === booking.basketId)
      .map(({ amount, currency, reason, undoneAt }) => {
        return { Amount: amount, Currency: currency, Reason: reason, UndoneAt: undoneAt }
      }),
  }
}
