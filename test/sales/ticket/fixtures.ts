/** Fixtures for tests of tickets: an operator's desk, and requests about tickets. */
import type { Test } from 'tap'
import { openDesk } from '../booking/fixtures.ts'

export type Ticket = {
  TicketID: string
  Number: number
  Unit: { UnitID: number; Name: string; Type: string }
  Contact: object | null
  Status: string
  RedeemedAt: string | null
}

export async function openGate(t: Test, settings: Parameters<typeof openDesk>[1] = {}) {
  const desk = await openDesk(t, settings)
  const { app, operator, act, read } = desk
  const make = async (reference: string) => (await act(reference, 'tickets')).json().data as Ticket[]
  /** Books as a partner and makes the tickets; returns the reference and the tickets. */
  async function bookTickets(changes: object = {}) {
    const reference = await desk.book(changes)
    return { reference, tickets: await make(reference) }
  }
  const list = async (reference: string) => (await read(`/${reference}/tickets`)).json().data as Ticket[]
  const post = (ticketId: string, action: string, key?: string) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/operator/tickets/${ticketId}/${action}`,
      headers: { ...operator.headers, ...(key && { 'idempotency-key': key }) },
    })
  return {
    ...desk,
    make,
    bookTickets,
    list,
    redeem: ({ TicketID }: Pick<Ticket, 'TicketID'>, key?: string) => post(TicketID, 'redeem', key),
    undo: ({ TicketID }: Pick<Ticket, 'TicketID'>, key?: string) => post(TicketID, 'undo-redeem', key),
    describe: (reference: string, { TicketID }: Pick<Ticket, 'TicketID'>, payload: object) =>
      desk.patch(`${reference}/tickets/${TicketID}`, payload),
    attendance: async (reference: string) =>
      (await read(`/${reference}`)).json().data.Attendance as string | null,
    statuses: async (reference: string) => (await list(reference)).map(({ Status }) => Status),
  }
}
