/**
 * Serves logos to pages and e-mails of customers, without authentication. Each process caches the pictures that it
 * served last, by path, so that it does not read the same picture for each request.
 */
import { LRUCache } from 'lru-cache'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { logoPath } from './logo-model.ts'
import { describeLogo, findLogo, type Logo } from './logo-queries.ts'

/** The maximum size, in bytes, of all pictures that a process caches. */
const maxCachedBytes = 8 * 1024 * 1024

const lasting = 'public, max-age=31536000, immutable'

export const logoPages: Routes<{ sql: Sql }> = (app, { sql }) => {
  const logoCache = new LRUCache<string, Logo, number>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ image }) => image.length,
    // Concurrent requests for a picture read it once.
    fetchMethod: async (_path, _stale, { context: accountId }) =>
      (await findLogo(sql, accountId)) ?? undefined,
  })

  app.get<{ Params: { AccountID: string; Hash: string } }>(
    '/logos/:AccountID/:Hash',
    { schema: { hide: true } },
    async ({ params: { AccountID, Hash } }, reply) => {
      const accountId = /^-?[1-9]\d{0,14}$/.test(AccountID) ? Number(AccountID) : null
      const present = accountId && (await describeLogo(sql, accountId))
      if (!accountId || !present) throw problems.notFound()
      // An e-mail that was sent before the logo changed shows the current logo.
      const path = logoPath(accountId, present.hash)
      if (present.hash !== Hash) return reply.redirect(path, 302)
      const logo = await logoCache.fetch(path, { context: accountId })
      if (logo?.hash !== Hash) {
        // The logo changed between the two reads.
        logoCache.delete(path)
        throw problems.notFound()
      }
      return reply
        .headers({
          'cache-control': lasting,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
          // Web mail on other hosts must be able to show the logo.
          'cross-origin-resource-policy': 'cross-origin',
        })
        .type(logo.type)
        .send(logo.image)
    },
  )
}
