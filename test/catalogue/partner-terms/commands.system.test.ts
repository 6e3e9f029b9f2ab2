/** The commands that manage partner terms. */
import t, { type Test } from 'tap'
import { oneLine, prepareCommands } from '../../command-line.ts'
import { makeCaller, makeProduct } from '../../helper.ts'

async function prepare(t: Test) {
  const { sql, cli } = await prepareCommands(t)
  const { accountId } = await makeCaller(sql, { slug: 'harbour', partner: 'Tours Online' })
  await makeCaller(sql, { slug: 'harbour', partner: 'Viator' })
  const kayak = await makeProduct(sql, accountId)
  const terms = (command: string, ...args: string[]) =>
    cli('partners', 'terms', command, '--account', 'harbour', ...args)
  const set = (...args: string[]) => terms('set', '--partner', 'Viator', ...args)
  const list = async (...args: string[]) => JSON.parse((await terms('list', '--json', ...args)).stdout)
  return { sql, terms, set, list, kayak: String(kayak.id), kayakId: kayak.id }
}

t.test('terms are set for one product or for all, listed, and cleared one by one', async (t) => {
  const { sql, terms, set, list, kayak, kayakId } = await prepare(t)
  t.match(await terms('list'), { code: 0, stdout: 'There are no terms.\n' })
  const first = await set('--product', 'all', '--commission', '20')
  t.match(first, {
    code: 0,
    stderr: '',
    stdout: /^The terms of Viator are now:\nPARTNER +PRODUCT ID +PRODUCT /,
  })
  const second = await set('--product', kayak, '--net-price', '0=36.00')
  t.match(second.stdout, /\nViator +- +all others +20 % +-\nViator +\d+ +Kayak\b.* +0=36\.00\n$/)
  await terms('set', '--partner', 'Tours Online', '--product', kayak, '--commission', '12.5')
  t.same(await list(), [
    { Partner: 'Tours Online', ProductID: kayakId, Commission: '12.5' },
    { Partner: 'Viator', ProductID: null, Commission: '20' },
    { Partner: 'Viator', ProductID: kayakId, NetPrices: [{ UnitID: 0, Amount: '36.00' }] },
  ])
  t.equal((await list('--partner', 'Viator')).length, 2)

  const clear = ['--partner', 'Viator', '--product', kayak]
  const cleared = { code: 0, stdout: `The terms of Viator for product ${kayak} are cleared.\n` }
  t.match(await terms('clear', ...clear), cleared)
  t.match(await terms('clear', ...clear), {
    code: 0,
    stdout: `There are no terms of Viator for product ${kayak}.\n`,
  })
  t.match(await list('--partner', 'Viator'), [{ ProductID: null, Commission: '20' }])
  const changes = await sql`select actor from events where type = 'partner-terms.changed'`
  t.same([...changes], Array(4).fill({ actor: 'service' }), 'each change is an event with the actor service')
})

t.test('errors in terms name their options, and nothing is changed', async (t) => {
  const { terms, set, list, kayak } = await prepare(t)
  await set('--product', kayak, '--commission', '20')
  const neither = '--commission or --net-price must be given, and only one of them'
  const refused: [args: string[], says: string][] = [
    [['--product', kayak], neither],
    [['--product', kayak, '--commission', '20', '--net-price', '0=36.00'], neither],
    [['--product', 'all', '--net-price', '0=36.00'], '--net-price must be for one product'],
    [['--product', '999', '--commission', '20'], '--product is not a product of this account'],
    [
      ['--product', kayak, '--net-price', '0=36.001'],
      '--net-price must be an amount of EUR, which has 2 decimals',
    ],
    [
      ['--product', kayak, '--net-price', '77=36.00'],
      '--net-price must be a unit of this product, and only once',
    ],
  ]
  for (const [args, says] of refused)
    t.match(await set(...args), { code: 1, stdout: '', stderr: `error: ${says}\n` }, says)
  for (const command of ['set', 'clear']) {
    const unknown = await terms(command, '--partner', 'Nobody', '--product', 'all')
    t.match(unknown, { code: 1, stdout: '', stderr: 'error: there is no partner Nobody\n' })
  }
  t.match(await terms('list', '--partner', 'Nobody'), { code: 1, stderr: oneLine })
  t.match(await list(), [{ Partner: 'Viator', Commission: '20' }])
})

t.test('other terms can be set after a unit with a net price is no longer sold', async (t) => {
  const { sql, set, list, kayak, kayakId } = await prepare(t)
  await set('--product', kayak, '--net-price', '0=36.00')
  await sql`update partner_terms set net_prices = '{"77": 3600}'`
  t.match(await set('--product', 'all', '--commission', '10'), { code: 0 })
  t.same(await list(), [
    { Partner: 'Viator', ProductID: null, Commission: '10' },
    { Partner: 'Viator', ProductID: kayakId, Commission: '0' },
  ])
})
