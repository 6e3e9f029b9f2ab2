/** Pages for customers, who have no key: each opens with a signed link from an e-mail. */
import type { FastifyPluginAsync } from 'fastify'
import { problems } from '../http/problems.ts'
import { unsubscribePages } from '../messaging/emails/pages.ts'
import { openingKeys } from '../platform/config/config.ts'
import { offerPages } from '../sales/waitlist/pages.ts'
import type { Services } from '../services.ts'

export const customerSurface: FastifyPluginAsync<{ services: Services }> = async (app, { services }) => {
  const { sql, config } = services
  const secrets = openingKeys(config)
  app.addHook('onRequest', async () => {
    if (secrets.length === 0)
      throw problems.unavailable('This process has no SECRET_KEY to check links with.')
  })
  // Whatever form a button or a mail program sends, the address alone says what is meant.
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, _body, done) => {
    done(null, {})
  })
  app.register(offerPages, { sql, secrets })
  app.register(unsubscribePages, { sql, secrets })
}
