/** The calendar file of a booking, for its customer. Pure. */
import type { Texts } from '../../languages/texts.ts'
import type { Calendar } from '../../platform/text/icalendar.ts'
import { partyWords } from '../booking/bought-view.ts'
import type { TicketSheet } from './sheet.ts'

/**
 * A calendar with one entry about the booking. The entry has the same uid in each version of the file, so
 * that a calendar program replaces it. The entry is cancelled if the booking is cancelled.
 * @param url the address of the page of the tickets.
 */
export function ticketCalendar(
  t: Texts,
  accountId: number,
  { booking, seller, startsAt, endsAt, nextDate }: TicketSheet,
  url: string,
): Calendar {
  const { BookingReference: reference, ProductName, OpeningHours = [], Date: startDate } = booking
  const event = {
    uid: `booking-${reference}.account-${accountId}@activity-booking-service`,
    times: OpeningHours.length > 0 ? { startDate, endDate: nextDate } : { start: startsAt, end: endsAt },
    summary: `${ProductName}, ${seller.name}`,
    description: `${partyWords(booking, t.people)}\n${t.say('booking.reference', { reference })}\n${url}`,
    url,
    cancelled: booking.Status === 'cancelled',
  }
  return { events: [event] }
}
