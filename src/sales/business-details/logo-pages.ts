/** Serves logos to pages and e-mails of customers, who have no key. */
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { logoPath } from './logo-model.ts'
import { findLogo } from './logo-queries.ts'

const lasting = 'public, max-age=31536000, immutable'

export const logoPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  app.get<{ Params: { AccountID: string; Hash: string } }>(
    '/logos/:AccountID/:Hash',
    { schema: { hide: true } },
    async ({ params: { AccountID, Hash } }, reply) => {
      const accountId = /^-?[1-9]\d{0,14}$/.test(AccountID) ? Number(AccountID) : null
      const logo = accountId && (await findLogo(sql, accountId))
      if (!accountId || !logo) throw problems.notFound()
      // An e-mail that was sent before the logo changed shows the one that is now.
      if (logo.hash !== Hash) return reply.redirect(logoPath(accountId, logo.hash), 302)
      return reply
        .headers({
          'cache-control': lasting,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
          // Web mail of other hosts shows it.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .type(logo.type)
        .send(logo.image)
    },
  )
}
