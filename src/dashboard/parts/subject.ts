/** The booking and the actor of a request, and the address of a booking's page. */

import type { FastifyRequest } from 'fastify'
import { userActor } from '../../events/actor.ts'
import { html, type Markup } from '../../http/pages.ts'

export function subjectOf({ session, params }: FastifyRequest<{ Params: { BookingReference: string } }>) {
  return {
    accountId: session.user.accountId,
    reference: params.BookingReference,
    actor: userActor(session.user),
  }
}

export function bookingPath(reference: string): string {
  return `/dashboard/bookings/${encodeURIComponent(reference)}`
}

export function bookingLink(reference: string): Markup {
  return html`<a href="${bookingPath(reference)}">${reference}</a>`
}
