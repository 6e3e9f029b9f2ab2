/**
 * Every route for keys, requested with test keys: they cannot change the catalogue, and find nothing that was sold or
 * recorded live. test/security/access.ts lists the routes.
 */
import t from 'tap'
import { scopes } from '../../src/accounts/model.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { makeWorld } from '../dashboard/world.ts'
import { fingerprint } from '../fingerprint.ts'
import { makeCaller } from '../helper.ts'
import { type Access, accessTable, statusOf } from '../security/access.ts'

const world = await makeWorld(t)
const { app, sql, accountId, ids, activityId } = world
const basket = await world.call('GET', `/baskets/${ids.BasketID}`)
const tickets = await world.call('POST', `/bookings/${ids.BookingReference}/tickets`)
const table = accessTable(world, basket.data.Lines[0].BookingReference, tickets.data[0].TicketID)
// The table's request would change nothing, because the product already has that name.
table['PATCH /api/v2/operator/products/:ProductID']!.body = { Name: 'Raft' }
// A live key makes the reservation that the table names, and test keys make another one.
const reserving = table['POST /octo/bookings']!
await ask('POST /octo/bookings', reserving, (await makeCaller(sql, { slug: 'quay' })).token)
reserving.body = { ...reserving.body, uuid: null }
const entries = Object.entries(table)

/** The path parameters whose rows exist in both the test account and the live account. */
const catalogueIds = [
  'ActivityID',
  'productId',
  'ProductID',
  'ScheduleID',
  'TimeslotID',
  'PartnerID',
  'PromotionID',
  'WorkflowID',
]

function ask(route: string, { query, body, ids: others }: Access, token: string) {
  const [method, path] = route.split(' ') as ['GET', string]
  const named: Record<string, string | number> = { ...ids, ActivityID: activityId, ...others }
  const address = path.replace(/:(\w+)/g, (_, name) => String(named[name]))
  return app.inject({
    method,
    url: query ? `${address}?${query}` : address,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  })
}

async function makeKey(some: readonly (typeof scopes)[number][] = scopes, change?: string): Promise<string> {
  const token = await createTestKey(sql, { accountId, partner: null, scopes: some, expiresInDays: null })
  if (change) await sql`update api_keys set ${sql(change)} = now() where id = (select max(id) from api_keys)`
  return token
}

/** Whether the API reference lists the problem test-mode-catalogue for this operation. */
function changesCatalogue(route: string): boolean {
  const [method, path] = route.split(' ') as [string, string]
  const { paths } = app.swagger() as unknown as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!
  return JSON.stringify(operation.responses).includes('problems/test-mode-catalogue')
}

t.test(
  'a test key that is unknown, revoked or expired, or a key with the prefix of the other mode, gets 401',
  async (t) => {
    const { token: live } = await makeCaller(sql, { slug: 'quay', scopes: [...scopes] })
    const callers = {
      'an unknown test key': `abs_test_${accountId}_${'x'.repeat(43)}`,
      'a revoked test key': await makeKey(scopes, 'revoked_at'),
      'an expired test key': await makeKey(scopes, 'expires_at'),
      'a test key with the prefix of a live key': (await makeKey()).replace('abs_test_', 'abs_'),
      'a live key with the prefix of a test key': live.replace('abs_', 'abs_test_'),
    }
    const { api_keys: _, ...before } = await fingerprint(sql)
    for (const [caller, token] of Object.entries(callers)) {
      const answers = await Promise.all(entries.map(([route, access]) => ask(route, access, token)))
      for (const [index, answer] of answers.entries())
        t.equal(statusOf(entries[index]![0], answer), 401, `${entries[index]![0]} with ${caller}`)
    }
    t.match(await fingerprint(sql), before, 'and nothing is changed')
  },
)

t.test('a test key without the scope of a route gets 403', async (t) => {
  for (const scope of scopes) {
    const token = await makeKey([scope])
    const others = entries.filter(([, access]) => access.scope !== scope)
    const answers = await Promise.all(others.map(([route, access]) => ask(route, access, token)))
    for (const [index, answer] of answers.entries())
      t.equal(statusOf(others[index]![0], answer), 403, `${others[index]![0]} with ${scope}`)
  }
})

t.test('a test key finds and changes nothing that was sold or recorded live', async (t) => {
  const token = await makeKey()
  const before = await fingerprint(sql, accountId)
  for (const [route, access] of entries) {
    const answer = await ask(route, access, token)
    const [statusCode, body] = [statusOf(route, answer), answer.body]
    const named = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name!)
    if (changesCatalogue(route)) {
      t.equal(statusCode, 409, `${route} answers ${statusCode} ${body}`)
      t.match(JSON.parse(body), { type: /\/test-mode-catalogue$/ }, route)
    } else if (named.every((name) => catalogueIds.includes(name)))
      // In test mode the timeslot is not full, so its waitlist refuses an entry.
      t.ok(statusCode < 300 || /places-available/.test(body), `${route} answers ${statusCode} ${body}`)
    else t.equal(statusCode, 404, `${route} answers ${statusCode} ${body}`)
    for (const own of [ids.BookingReference, tickets.data[0].TicketID])
      t.notOk(statusCode < 300 && body.includes(own), `${route} shows nothing of ${own}`)
  }
  t.same(await fingerprint(sql, accountId), before)
})
