/** The pages of bookings: the list, one booking, and those on which it is moved or described anew. */
import type { FastifyPluginAsync } from 'fastify'
import type { DashboardOptions } from '../frame/session.ts'
import { bookingCustomerPages } from './customer-pages.ts'
import { bookingDetailPages } from './detail-pages.ts'
import { bookingListPages } from './list-pages.ts'
import { bookingMovePages } from './move-pages.ts'

export const bookingPages: FastifyPluginAsync<DashboardOptions> = async (app, options) => {
  app.register(bookingListPages, options)
  app.register(bookingDetailPages, options)
  app.register(bookingCustomerPages, options)
  app.register(bookingMovePages, options)
}
