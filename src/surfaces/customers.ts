/** Pages for customers, who have no key: each opens with a signed link from an e-mail. */
import type { FastifyPluginAsync } from 'fastify'
import type { Services } from '../services.ts'
import { offerPages } from '../waitlist/pages.ts'

export const customerSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  const { sql, config } = services
  // Without a secret nobody was sent a link.
  if (!config.SECRET_KEY) return
  app.register(offerPages, { sql, secret: config.SECRET_KEY })
}
