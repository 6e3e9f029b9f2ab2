/** Webhook endpoints for tests that send nothing to them. */
import { createEndpoint } from '../../../src/messaging/webhooks/endpoints/service.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'

/** Makes an endpoint with a failed delivery. Returns their ids, by the names of the routes' parameters. */
export async function makeWebhook(sql: Sql, owner: { accountId: number; partnerId: number | null }) {
  const { accountId } = owner
  const [url, eventTypes] = ['https://receiver.invalid/hook', ['booking.*']]
  const fields = { url, eventTypes, description: '', body: 'thin' as const, email: null }
  const settings = { urlFault: () => null, secretKeys: 'a secret key of thirty-two letters' }
  const { id, secrets } = await sql.begin(
    async (tx) => (await createEndpoint(tx, owner, { fields, settings })).endpoint,
  )
  const [delivery] = await sql<[{ id: number }]>`
    insert into webhook_deliveries (account_id, endpoint_id, message_id, type, occurred_at, status, next_try_at,
      finished_at)
    values (${accountId}, ${id}, 'evt_world_1', 'booking.confirmed', now(), 'failed', now(), now())
    returning id`
  return { EndpointID: id, SecretID: secrets[0]!.id, DeliveryID: delivery.id }
}
