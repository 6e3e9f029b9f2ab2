/** Two departures of today and one of a later day, with functions that book parties and scan their codes. */
import type { Test } from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

export async function makeGate(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, call, book, signIn } = dashboard
  const now = Date.now()
  const date = dateIn('Europe/Lisbon', new Date(now))
  const later = dateIn('Europe/Lisbon', new Date(now + 30 * 24 * 3600 * 1000))
  const slots = { [`${date} 10:10`]: 200, [`${date} 10:20`]: 200, [`${later} 10:00`]: 200 }
  const { id: productId, activityId } = await makeProduct(sql, accountId, { slots })
  // Today’s departures begin 1 and 2 hours from now, so they can always be booked. Their date stays today.
  await sql`
    update timeslots set starts_at = now() + case time when '10:10' then interval '1 hour' else interval '2 hours' end
    where date = ${date}`
  const slotId = async (time: string) => {
    const [slot] = await sql<
      { id: number }[]
    >`select id from timeslots where time = ${time} and date = ${date}`
    return slot!.id
  }
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const bookParty = async (Participants: number, more: object = {}) => {
    const { reference } = await book(activityId, {
      Date: date,
      Time: '10:10',
      Participants,
      Customer,
      ...more,
    })
    return reference
  }
  /** Books a party with tickets; returns its reference and the codes of the tickets. */
  const bookTickets = async (Participants: number, more: object = {}) => {
    const reference = await bookParty(Participants, more)
    const { data } = await call('POST', `/bookings/${reference}/tickets`)
    return { reference, codes: data.map(({ TicketID }: { TicketID: string }) => TicketID) as string[] }
  }
  const here = async (reference: string) => {
    const { PeopleHere, Participants } = (await call('GET', `/bookings/${reference}`)).data
    return `${PeopleHere} of ${Participants}`
  }
  const actions = async (reference: string) =>
    (await call('GET', `/bookings/${reference}`)).data.History.map(
      ({ Action }: { Action: string }) => Action,
    ) as string[]
  const staff = await signIn('staff')
  /** Scans as a browser without JavaScript; returns the status, the page, and the text of the result on it. */
  const scan = async (Code: string, more: Record<string, string> = {}, once?: string) => {
    const { body, statusCode } = await staff.post('/dashboard/scan', { Code, ...more }, once ? { once } : {})
    const answer = /<section id="answer".*?<\/section>/s.exec(body)?.[0] ?? ''
    return { statusCode, body, text: textOf(answer).trim() }
  }
  return {
    ...{ ...dashboard, staff, date, later, productId, activityId },
    ...{ slotId, bookParty, bookTickets, here, actions, scan },
  }
}
