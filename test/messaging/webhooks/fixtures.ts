/** Fixtures for tests of webhooks: an operator with a product, a receiver, and the functions of a worker. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { appendEvents } from '../../../src/events/append.ts'
import type { EventSubject, TypedEvent } from '../../../src/events/event.ts'
import type { bodyKinds } from '../../../src/messaging/webhooks/endpoints/model.ts'
import { findEndpoint } from '../../../src/messaging/webhooks/endpoints/queries.ts'
import { createEndpoint } from '../../../src/messaging/webhooks/endpoints/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, build, buildOn, makeCaller, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'

export const secretKey = 'a secret of at least 32 characters'

export type Received = { headers: IncomingHttpHeaders; text: string; body: WebhookBody; url: string }
export type WebhookBody = { type: string; timestamp: string; data: Record<string, unknown> }

/** A receiver on this machine. `answer` sends its responses, and can be replaced; at first it sends 204. */
export async function openReceiver(t: Test) {
  const received: Received[] = []
  const receiver = {
    url: '',
    received,
    answer: (response: ServerResponse, _request: Received): void => {
      response.writeHead(204).end()
    },
    types: () => received.map(({ body }) => body.type),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const one = { headers: request.headers, text, body: JSON.parse(text), url: request.url! }
      received.push(one)
      receiver.answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}

export const webhookEnvironment = {
  SECRET_KEY: secretKey,
  WEBHOOK_ALLOW_HTTP: '1',
  WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8',
}

/** An operator with a product and a key of a partner, and the functions of a worker for its endpoints. */
export async function buildQuayWithWebhooks(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, {
    ...settings,
    // A delivery that the receiver does not answer is still under way when the test ends.
    isOwn: true,
    environment: { ...webhookEnvironment, ...settings.environment },
  })
  const { app, sql, services } = built
  const caller = await makeCaller(sql, { partner: 'Atlas', scopes: ['ota', 'operator'] })
  const product = await makeProduct(sql, caller.accountId, {
    slots: { '2030-06-15 10:00': 1000, '2030-06-16 10:00': 1000 },
  })
  return {
    ...built,
    ...caller,
    product,
    /** Makes an endpoint of the account, or of the partner with the given id. Returns its id and secret. */
    async makeEndpoint(
      url: string,
      options: {
        types?: string[]
        body?: (typeof bodyKinds)[number]
        partnerId?: number | null
        accountId?: number
      } = {},
    ) {
      const { types = ['*'], body = 'thin', partnerId = null, accountId = caller.accountId } = options
      const fields = { url, eventTypes: types, description: '', body, email: null }
      const { endpoint, secret } = await sql.begin((tx) =>
        createEndpoint(
          tx,
          { accountId, partnerId },
          { fields, settings: { urlFault: () => null, secretKeys: secretKey } },
        ),
      )
      return { id: endpoint.id, secret }
    },
    async book(payload: object = {}) {
      const response = await app.inject({
        method: 'POST',
        url: bookingPath,
        headers: caller.headers,
        payload: { ...bookingBody(product.activityId), ...payload },
      })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json<{ data: { BookingReference: string } }>().data.BookingReference
    },
    /** Records events, as if they had happened. */
    recordEvents: (...events: (TypedEvent & EventSubject & { accountId?: number })[]) =>
      sql.begin((tx) =>
        appendEvents(
          tx,
          events.map((event) => ({ accountId: caller.accountId, actor: { kind: 'service' }, ...event })),
        ),
      ),
    /** Numbers events, and sends due deliveries until none is under way. */
    async deliver() {
      await pumpEvents(sql)
      await services.webhooks.run()
      await settled(sql)
    },
    /** Does what `deliver` does, then makes the unfinished deliveries due, and sends them too. */
    async deliverAll() {
      await pumpEvents(sql)
      await services.webhooks.run()
      await settled(sql)
      await makeDue(sql)
      await services.webhooks.run()
      await settled(sql)
    },
    endpointOf: (id: number) => findEndpoint(sql, { accountId: caller.accountId, partnerId: null }, id),
    /** The webhooks of another app on the same database: a second worker, in this process. */
    openWorker: async () =>
      (await buildOn(t, built.url, { ...webhookEnvironment, QUEUE_PREFIX: `{test-${randomUUID()}}` }))
        .services.webhooks,
  }
}

/** Makes every pending delivery due, except those under way. */
export async function makeDue(sql: Sql): Promise<void> {
  await sql`
    update webhook_deliveries set next_try_at = app_now() where (account_id, id) in (
      select account_id, id from webhook_deliveries where status = 'pending' and lease is null
      for update skip locked
    )`
}

/** Waits until no try is under way, and none can begin. */
export function settled(sql: Sql): Promise<void> {
  return until(async () => {
    const rows = await sql`
      select from webhook_deliveries as delivery
      join webhook_endpoints as endpoint
        on endpoint.account_id = delivery.account_id and endpoint.id = delivery.endpoint_id
      where delivery.status = 'pending' and (lease is not null or endpoint.status = 'active'
        and next_try_at <= app_now() and not exists (
          select from webhook_deliveries as earlier
          where earlier.account_id = delivery.account_id and earlier.endpoint_id = delivery.endpoint_id
            and earlier.lane = delivery.lane and earlier.status = 'pending' and earlier.id < delivery.id
        ))
      limit 1`
    return rows.length === 0
  })
}
