/** The commands of webhooks. */
import t, { type Test } from 'tap'
import { createTestKey } from '../../../src/test-mode/service.ts'
import { makeFolder, oneLine, run } from '../../command-line.ts'
import { createDatabase, makeCaller } from '../../helper.ts'

const secretKey = 'a secret of at least 32 characters'
const url = ['--url', 'https://receiver.example/hook']

async function open(t: Test) {
  const database = await createDatabase(t)
  const { sql } = database
  const { accountId } = await makeCaller(sql, { slug: 'harbour', partner: 'Atlas' })
  const environment = { DATABASE_URL: database.url, SECRET_KEY: secretKey, DATA_DIR: await makeFolder(t) }
  const webhooks = (...args: string[]) => run(environment, 'webhooks', ...args, '--account', 'harbour')
  const list = async (...args: string[]) => JSON.parse((await webhooks('list', '--json', ...args)).stdout)
  return { sql, accountId, environment, webhooks, list }
}

t.test('an endpoint is made with its secret, listed, paused, resumed and deleted', async (t) => {
  const { webhooks, list } = await open(t)
  const made = await webhooks('create', ...url, '--event', 'booking.*', 'product.changed', '--body', 'full')
  t.match(made, { code: 0, stdout: /^Endpoint \d+ was created\. .*\nwhsec_[\w+/]{43}=\n$/, stderr: '' })
  const [endpoint] = await list()
  t.match(endpoint, {
    ...{ URL: url[1], EventTypes: ['booking.*', 'product.changed'], Body: 'full', Status: 'active' },
    ...{ Partner: null, Position: 0, LogEnd: 0, Unfinished: 0, SetAside: 0, Secrets: [String] },
  })
  const id = String(endpoint.ID)
  t.equal((await webhooks('pause', id)).stdout, `Endpoint ${id} is paused.\n`)
  t.match(await list(), [{ Status: 'paused', PauseReason: 'by-hand' }])
  t.equal((await webhooks('resume', id)).stdout, `Endpoint ${id} is active.\n`)
  t.equal((await webhooks('delete', id)).stdout, `Endpoint ${id} is deleted.\n`)
  t.equal((await webhooks('list')).stdout, 'There are no webhook endpoints.\n')
})

t.test(
  'a second secret is made and printed, a third is refused, and one of two can be deleted',
  async (t) => {
    const { webhooks, list } = await open(t)
    await webhooks('create', ...url, '--event', '*')
    const [{ ID, Secrets }] = await list()
    t.match(await webhooks('secrets', 'create', String(ID)), { code: 0, stdout: /^whsec_[\w+/]{43}=\n$/ })
    t.match(await webhooks('secrets', 'create', String(ID)), { code: 1, stderr: /two secrets/ })
    t.match(await webhooks('secrets', 'delete', String(ID), Secrets[0]), { code: 0 })
    t.equal((await list())[0].Secrets.length, 1)
  },
)

t.test(
  'a test makes a pending delivery, which is listed; a replay says how many events it repeats',
  async (t) => {
    const { webhooks, list } = await open(t)
    await webhooks('create', ...url, '--event', '*')
    const id = String((await list())[0].ID)
    t.match(await webhooks('test', id), { code: 0, stdout: /^Delivery \d+ is a test, with the id test_/ })
    const deliveries = await webhooks('deliveries', id, '--status', 'pending', '--json')
    const [delivery] = JSON.parse(deliveries.stdout)
    t.match(delivery, { Type: 'webhook.test', Status: 'pending', Tries: 0, Answer: null })
    t.match(await webhooks('redeliver', id, String(delivery.ID)), { code: 1, stderr: /finished delivery/ })
    t.match(await webhooks('replay', id, '--from-number', '1'), { code: 0, stdout: /^0 events are replayed/ })
    t.match(await webhooks('replay', id, '--from-time', '2027-06-11T10:00:00Z'), { code: 0 })
    t.match(await webhooks('replay', id), { code: 2, stderr: /--from-number or --from-time/ })
    t.match(await webhooks('replay', id, '--from-time', 'today'), { code: 2, stderr: /an instant/ })
  },
)

t.test('endpoints can be listed for one partner, and those of test mode are listed separately', async (t) => {
  const { webhooks, list, sql, accountId } = await open(t)
  t.match(await webhooks('list', '--test'), { code: 1, stderr: /no test mode yet/ })
  await createTestKey(sql, { accountId, partner: 'Atlas', scopes: ['ota'], expiresInDays: null })
  await webhooks('create', ...url, '--event', 'booking.*', '--partner', 'Atlas')
  await webhooks('create', ...url, '--event', '*', '--test')
  t.match(await list('--partner', 'Atlas'), [{ Partner: 'Atlas', EventTypes: ['booking.*'] }])
  t.match(await list('--test'), [{ Partner: null, EventTypes: ['*'] }])
  t.equal((await list()).length, 1)
  t.match(await webhooks('list', '--partner', 'Nobody'), {
    code: 1,
    stderr: 'error: there is no partner Nobody\n',
  })
})

t.test('invalid options are refused in one line that names the option', async (t) => {
  const { webhooks, environment } = await open(t)
  const refused = [
    [['create', '--url', 'http://10.0.0.1/', '--event', '*'], /--url/],
    [['create', ...url, '--event', 'booking.eaten'], /--event is not a type of event/],
    [['create', ...url, '--event', '*', '--email', 'nobody'], /--email must be an e-mail address/],
    [['create', ...url, '--event', '*', '--body', 'octo'], /--body/],
    [['create', ...url, '--event', 'waitlist.*', '--partner', 'Atlas'], /that partners get/],
    [['pause', '999'], /no webhook endpoint/],
    [['deliveries', '999'], /no webhook endpoint/],
  ] as const
  for (const [args, reason] of refused) {
    const { code, stderr } = await webhooks(...args)
    t.match({ code, stderr }, { code: 1, stderr: reason }, args.join(' '))
    t.match(stderr, oneLine)
  }
  const { SECRET_KEY: _, ...without } = environment
  const made = await run(without, 'webhooks', 'create', ...url, '--event', '*', '--account', 'harbour')
  t.match(made, { code: 1, stderr: /SECRET_KEY/ })
})
