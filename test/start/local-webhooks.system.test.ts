/** When webhooks of `npm start` may go to this machine. */
import t from 'tap'
import { readConfig } from '../../src/platform/config/config.ts'
import { localWebhooks } from '../../src/start/local-webhooks.ts'

const rulesOf = (environment: Record<string, string>) => localWebhooks(readConfig(environment))
const allowed = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_PRIVATE_NETWORKS: '127.0.0.1' }

t.test('webhooks may go to this machine if only this machine can reach the service', async (t) => {
  t.same(rulesOf({}), allowed)
  for (const HOST of ['localhost', '127.0.0.2', '::1']) t.same(rulesOf({ HOST }), allowed, HOST)
})

t.test('webhooks may not go to this machine if others can reach the service', async (t) => {
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7', '127.0.0.1.example.com', 'localhost.example.com'])
    t.same(rulesOf({ HOST }), {}, HOST)
  t.same(rulesOf({ PUBLIC_URL: 'https://booking.example' }), {})
  t.same(rulesOf({ TRUSTED_PROXIES: 'loopback' }), {})
})

t.test('networks that are configured stay as they are', async (t) => {
  t.same(rulesOf({ WEBHOOK_PRIVATE_NETWORKS: '10.0.0.0/8' }), {})
})
