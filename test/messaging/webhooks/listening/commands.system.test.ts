/** `webhooks listen`: what a developer sees of an account's webhooks, and what the command leaves behind. */
import t, { type Test } from 'tap'
import { createTestKey } from '../../../../src/test-mode/service.ts'
import { run } from '../../../command-line.ts'
import { type Process, startProcess } from '../../../processes.ts'
import { pumpEvents } from '../../../pump.ts'
import { until } from '../../../until.ts'
import { buildQuayWithWebhooks, secretKey } from '../fixtures.ts'

t.test('webhooks listen', async (t) => {
  const quay = await buildQuayWithWebhooks(t)
  const { sql, url, accountId } = quay
  const slug = 'quay'
  const environment = { DATABASE_URL: url, SECRET_KEY: secretKey }
  const start = (t: Test, ...args: string[]) =>
    startProcess(t, 'src/cli.js', environment, 'webhooks', 'listen', '--account', slug, ...args)
  const endpoints = () =>
    sql`select account_id, description from webhook_endpoints where status <> 'deleted' order by id`

  /**
   * Delivers, as a worker does, until the output of the command matches. Meanwhile, the command adds
   * deliveries.
   */
  async function deliverUntil(listening: Process, pattern: RegExp) {
    await until(async () => {
      await pumpEvents(sql)
      await quay.services.webhooks.run()
      return pattern.test(listening.output())
    })
  }

  t.test('shows one line for each event, and leaves no endpoint', async (t) => {
    const listening = start(t)
    await deliverUntil(listening, /A test delivery has arrived/)
    const reference = await quay.book()
    await deliverUntil(listening, new RegExp(`booking\\.confirmed +evt_\\S+ .*BookingReference=${reference}`))
    t.equal(await listening.stop('SIGINT'), 0)
    t.match(listening.output(), /Endpoint \d+ is deleted\.\n$/)
    t.same(await endpoints(), [])
  })

  t.test(
    'shows whole bodies with --json, and with --event only its test delivery and the named types',
    async (t) => {
      const listening = start(t, '--json', '--body', 'full', '--event', 'booking.*')
      await deliverUntil(listening, /A test delivery has arrived/)
      const reference = await quay.book()
      await deliverUntil(listening, new RegExp(reference))
      t.equal(await listening.stop('SIGTERM'), 0)
      const bodies = listening
        .output()
        .match(/^\{.*\}$/gm)!
        .map((line) => JSON.parse(line))
      t.same(
        bodies.map(({ type }) => type),
        ['webhook.test', 'booking.confirmed'],
      )
      t.match(bodies[1], { data: { Booking: { BookingReference: reference } } })
      t.same(await endpoints(), [])
    },
  )

  t.test('deletes the endpoint of a run that was killed, and no other', async (t) => {
    const [killed, other] = [start(t), start(t)]
    await deliverUntil(killed, /A test delivery has arrived/)
    await deliverUntil(other, /A test delivery has arrived/)
    await killed.stop('SIGKILL')
    t.equal((await endpoints()).length, 2)
    const next = start(t)
    await deliverUntil(
      next,
      /earlier runs that were killed are deleted: 1\.\n[\s\S]*A test delivery has arrived/,
    )
    t.equal((await endpoints()).length, 2)
    await Promise.all([next, other].map((one) => one.stop('SIGINT')))
    t.same(await endpoints(), [])
  })

  t.test('refuses a request without the headers of a delivery', async (t) => {
    const listening = start(t)
    await until(() => /listens on (\S+)\. /.test(listening.output()))
    const [, address] = listening.output().match(/listens on (\S+)\. /)!
    const answer = await fetch(address!, { method: 'POST', body: '{}' })
    t.equal(answer.status, 400)
    await until(() => /A request was refused: it lacks webhook-id/.test(listening.output()))
    t.equal((await fetch(address!)).status, 405)
    await listening.stop('SIGINT')
  })

  t.test('says that no delivery can arrive when the worker has another SECRET_KEY', async (t) => {
    const listening = startProcess(
      t,
      'src/cli.js',
      { ...environment, SECRET_KEY: 'another secret of at least 32 characters' },
      ...['webhooks', 'listen', '--account', slug],
    )
    await deliverUntil(
      listening,
      /could not deliver a test: .*SECRET_KEY[\s\S]*WEBHOOK_PRIVATE_NETWORKS=127\.0\.0\.1/,
    )
    t.equal(await listening.stop('SIGINT'), 0)
    t.same(await endpoints(), [])
  })

  t.test('listens to the test account with --test', async (t) => {
    await createTestKey(sql, { accountId, partner: null, scopes: ['ota'], expiresInDays: null })
    const listening = start(t, '--test')
    await deliverUntil(listening, /A test delivery has arrived/)
    t.match(await endpoints(), [{ account_id: -accountId }])
    await listening.stop('SIGINT')
    t.same(await endpoints(), [])
  })

  t.test('shows a partner’s bookings with --partner, as the partner gets them', async (t) => {
    const listening = start(t, '--partner', 'Atlas', '--event', 'booking.*')
    await deliverUntil(listening, /A test delivery has arrived/)
    const reference = await quay.book()
    await deliverUntil(listening, new RegExp(reference))
    t.notMatch(listening.output(), /BasketID/)
    await listening.stop('SIGINT')
    t.same(await endpoints(), [])
  })

  t.test('refuses an unknown account, an unknown type, and a port that is invalid or in use', async (t) => {
    const cli = (...args: string[]) => run(environment, 'webhooks', 'listen', ...args)
    t.match(await cli('--account', 'nowhere'), { code: 1, stderr: 'error: there is no account nowhere\n' })
    t.match(await cli('--account', slug, '--event', 'booking.sold'), {
      code: 2,
      stderr: /type of event/,
    })
    t.match(await cli('--account', slug, '--port', '65536'), { code: 2, stderr: /a port from 0 to 65535/ })
    t.match(await cli('--account', slug, '--port', new URL(url).port), { code: 1, stderr: /EADDRINUSE/ })
    t.same(await endpoints(), [])
  })
})
