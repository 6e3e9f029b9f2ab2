/** The list of held sales. Any user can continue a sale, take its payment, or release its places. */

import type { Routes } from '../../http/routes.ts'
import { pageFields } from '../../http/wire.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { listMakers } from '../../sales/basket/made-by-queries.ts'
import { browseBaskets } from '../../sales/basket/service.ts'
import { sendDashboard } from '../frame/layout.ts'
import type { DashboardOptions } from '../frame/session.ts'
import { textsFor } from '../frame/texts.ts'
import { heldListView } from './held-views.ts'

const pageSize = 50
const querySchema = Type.Object({ Cursor: pageFields.Cursor })

export const heldPages: Routes<DashboardOptions> = (app, { sql }) => {
  app.get('/sell/held', { schema: { hide: true, querystring: querySchema } }, async (request, reply) => {
    const { session, query, url } = request
    const { accountId } = session.user
    const filter = { Status: 'open', Limit: pageSize, ...query } as const
    const { baskets, next } = await browseBaskets(sql, { accountId }, filter)
    const ids = baskets.map(({ BasketID }) => BasketID)
    const makers = new Map((await listMakers(sql, accountId, ids)).map((maker) => [maker.basketId, maker]))
    const t = textsFor(request)
    const body = heldListView(session, t, { baskets, makers, next, url, now: Date.now() })
    return sendDashboard(reply, session, {
      title: t.say('sell.held.title'),
      ...{ body, assets: ['bookings.css', 'live.js'] },
    })
  })
}
