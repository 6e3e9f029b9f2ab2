/** The `payments` commands: secrets that are shown once, and events that simulate a provider. */
import t from 'tap'
import { createSecret } from '../../../src/sales/payment/secrets.ts'
import { makeFolder, oneLine, run } from '../../command-line.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { startWeb } from '../../processes.ts'
import { secretKey } from '../basket/fixtures.ts'

const account = ['--account', 'harbour']

t.test('payment secrets are created, shown once, listed and revoked', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'harbour' })
  const secrets = (...args: string[]) =>
    run({ DATABASE_URL: url, SECRET_KEY: secretKey }, 'payments', 'secrets', ...args)
  const made = await secrets('create', ...account)
  t.match(made, { code: 0, stderr: '', stdout: /^pay_[\w-]{43}\n$/ })
  await createSecret(sql, secretKey, accountId)
  const third = await secrets('create', ...account)
  t.match(third, { code: 1, stdout: '', stderr: 'error: two secrets are live already: revoke one first\n' })
  const list = await secrets('list', ...account)
  t.match(list.stdout, /^ID +STATUS +CREATED AT +REVOKED AT\n\d+ +live .*\n\d+ +live /)
  t.notMatch(list.stdout, made.stdout.trim())
  const [, { ID }] = JSON.parse((await secrets('list', ...account, '--json')).stdout)
  t.match(await secrets('revoke', String(ID), ...account), { code: 0, stdout: `Secret ${ID} is revoked.\n` })
  t.match(await secrets('revoke', String(ID), ...account), { code: 0, stdout: /had been revoked/ })
  t.match(await secrets('revoke', '999', ...account), { code: 1, stderr: /has no secret 999/ })
  const otherKey = { DATABASE_URL: url, SECRET_KEY: 'another secret key, of 32 or more' }
  const elsewhere = await run(otherKey, 'payments', 'secrets', 'list', ...account)
  t.match(elsewhere.stdout, /unreadable .*\n\d+ +revoked /)
})

t.test('without SECRET_KEY, the commands that create, list or use payment secrets fail', async (t) => {
  const { sql, url } = await createDatabase(t)
  await makeCaller(sql, { slug: 'harbour' })
  const send = ['send', ...account, '--basket', '1', '--type', 'failed']
  const commands = [['secrets', 'create', ...account], ['secrets', 'list', ...account], send]
  const DATA_DIR = await makeFolder(t)
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
    const environment = { DATA_DIR, [name]: url }
    const refused = await Promise.all(commands.map((args) => run(environment, 'payments', ...args)))
    for (const outcome of refused) {
      t.match(outcome, { code: 1, stdout: '', stderr: oneLine })
      t.match(outcome.stderr, /SECRET_KEY/)
    }
  }
})

t.test('the command payments send signs an event as a provider does, and prints the response', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId, headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['operator'] })
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const web = await startWeb(t, url, { SECRET_KEY: secretKey })
  const answer = await fetch(`${web.url}/api/v2/operator/baskets`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      Channel: 'online',
      Lines: [{ ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }],
    }),
  })
  const { data } = (await answer.json()) as { data: { BasketID: number } }
  const payments = (...args: string[]) =>
    run({ DATABASE_URL: url, SECRET_KEY: secretKey, PUBLIC_URL: web.url }, 'payments', ...args)
  const about = [...account, '--basket', String(data.BasketID)]
  t.match(await payments('send', ...about, '--type', 'succeeded'), { code: 1, stderr: /has no live secret/ })
  await createSecret(sql, secretKey, accountId)
  const paid = await payments(
    'send',
    ...about,
    '--type',
    'succeeded',
    '--event-id',
    'evt_1',
    '--reference',
    'ch_1',
  )
  t.match(paid, {
    code: 0,
    stdout: '200 {"data":{"ID":"evt_1","Outcome":"completed","BasketStatus":"completed"}}\n',
  })
  const list = await payments('list', ...about)
  t.match(list.stdout, /\d+ +payment +online +90\.00 +EUR +ch_1 +20\S+ +payment\nBalance: 0\.00 EUR\n$/)
  const [entry] = JSON.parse((await payments('list', ...about, '--json')).stdout).Entries
  t.match(entry, { Method: 'online', Amount: '90.00', Actor: { Kind: 'payment' } })
  const again = await payments('send', ...about, '--type', 'failed', '--url', web.url)
  t.match(again, { code: 0, stdout: /"Outcome":"ignored"/ })
  const other = await payments('send', ...about, '--type', 'failed', '--event-id', 'evt_1')
  t.match(other, { code: 1, stdout: /^422 .*payment-event-reused/, stderr: oneLine })
  const wrong = await payments(
    'send',
    ...about,
    '--type',
    'succeeded',
    '--amount',
    '1.00',
    '--currency',
    'USD',
  )
  t.match(wrong.stdout, /"Outcome":"refund-due"/)
  t.match(await sql`select type, outcome, amount, reference from payment_events order by received_at`, [
    { type: 'succeeded', outcome: 'completed', amount: '90.00', reference: 'ch_1' },
    { type: 'failed', outcome: 'ignored' },
    { type: 'succeeded', outcome: 'refund-due', amount: '1.00' },
  ])
  const { reference } = (await sql<{ reference: string }[]>`select reference from bookings`)[0]!
  const cancelled = await fetch(`${web.url}/api/v2/operator/bookings/${reference}/cancel`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ Refund: { Amount: '60.00' } }),
  })
  t.equal(cancelled.status, 200)
  const back = await payments('send', ...about, '--type', 'refunded')
  t.match(back.stdout, /"Outcome":"refunded"/, 'without an amount, the event refunds the amount that is due')
  t.match(await sql`select amount_minor from payments where kind = 'refund'`, [{ amount_minor: 6000 }])
})
