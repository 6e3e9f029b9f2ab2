/** The secrets that sign deliveries. */
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { addSecret, deleteSecret } from '../../../src/messaging/webhooks/endpoints/service.ts'
import { buildQuayWithWebhooks, openReceiver, secretKey } from './fixtures.ts'

t.test('the secrets of an endpoint', async (t) => {
  const { accountId, book, deliver, makeEndpoint, sql } = await buildQuayWithWebhooks(t)
  const owner = { accountId, partnerId: null }
  const receiver = await openReceiver(t)
  const { id, secret: first } = await makeEndpoint(receiver.url, { types: ['booking.*'] })
  const settings = { urlFault: () => null, secretKeys: secretKey }
  const second = await sql.begin((tx) => addSecret(tx, owner, { id, settings }))
  /** Delivers an event. Returns a function that says whether a secret verifies that delivery. */
  const deliverOne = async () => {
    await book()
    await deliver()
    const { text, headers } = receiver.received.at(-1)!
    return (secret: string) => {
      try {
        return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>))
      } catch {
        return false
      }
    }
  }

  t.test('each verify a delivery while both exist, with the package standardwebhooks', async (t) => {
    const verifies = await deliverOne()
    t.ok(verifies(first))
    t.ok(verifies(second.secret))
    t.notOk(verifies(`whsec_${Buffer.alloc(32).toString('base64')}`))
  })

  t.test('are at most two', async (t) => {
    await t.rejects(
      sql.begin((tx) => addSecret(tx, owner, { id, settings })),
      /already has two secrets/,
    )
  })

  t.test('no longer sign after they are deleted, and the last one cannot be deleted', async (t) => {
    const [old] = second.endpoint.secrets
    await sql.begin((tx) => deleteSecret(tx, owner, { id, secretId: old!.id }))
    const verifies = await deliverOne()
    t.notOk(verifies(first))
    t.ok(verifies(second.secret))
    await t.rejects(sql.begin((tx) => deleteSecret(tx, owner, { id, secretId: second.secretId })))
  })

  t.test('are not stored in plain text', async (t) => {
    const [row] = await sql<[{ text: string }]>`
      select string_agg(encode(sealed, 'escape'), ' ') as text from webhook_secrets`
    t.notOk(row.text.includes(second.secret.slice(6, 30)))
  })
})
