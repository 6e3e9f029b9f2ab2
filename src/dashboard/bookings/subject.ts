/** Which booking a request is about, and who asks. */
import type { FastifyRequest } from 'fastify'
import { userActor } from '../forms.ts'

export function subjectOf({ session, params }: FastifyRequest<{ Params: { BookingReference: string } }>) {
  return {
    accountId: session.user.accountId,
    reference: params.BookingReference,
    actor: userActor(session),
  }
}

export function bookingPath(reference: string): string {
  return `/dashboard/bookings/${encodeURIComponent(reference)}`
}
