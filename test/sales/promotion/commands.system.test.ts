/** The commands of promotion codes. */
import t, { type Test } from 'tap'
import { oneLine, prepareCommands } from '../../command-line.ts'
import { makeCaller, makeProduct } from '../../helper.ts'

const account = ['--account', 'harbour']

async function open(t: Test) {
  const { sql, cli } = await prepareCommands(t)
  const { accountId } = await makeCaller(sql, { slug: 'harbour' })
  const promotions = (command: string, ...args: string[]) => cli('promotions', command, ...args, ...account)
  const list = async (...args: string[]) => JSON.parse((await promotions('list', '--json', ...args)).stdout)
  return { sql, accountId, promotions, list }
}

t.test('a promotion is made with all its limits, listed, changed and ended', async (t) => {
  const { sql, accountId, promotions, list } = await open(t)
  const { id: kayak } = await makeProduct(sql, accountId)
  const { id: surf } = await makeProduct(sql, accountId, { name: 'Surf' })
  const days = ['--sale-from', '2030-05-01', '--sale-to', '2030-05-31', '--travel-from', '2030-06-01']
  const products = ['--product', String(kayak), '--product', String(surf)]
  const uses = ['--max-uses', '100', '--max-uses-per-customer', '1']
  const made = await promotions(
    'add',
    'five-off',
    '--amount',
    '5',
    '--currency',
    'EUR',
    ...products,
    ...days,
    ...uses,
  )
  t.match(made, {
    code: 0,
    stderr: '',
    stdout: /^Promotion FIVE-OFF was created\.\nCODE +OFF +PRODUCTS +SOLD +TRAVEL +USES /,
  })
  t.match(made.stdout, 'FIVE-OFF  5.00 EUR')
  t.match(made.stdout, `${kayak},${surf}`)
  t.match(made.stdout, /2030-05-01 to 2030-05-31 +from 2030-06-01 +0 of 100 +1 +active/)

  const changed = await promotions(
    'change',
    'Five-Off',
    '--percent',
    '12.5',
    '--unset',
    'product',
    '--unset',
    'sale-to',
  )
  t.match(changed, {
    code: 0,
    stdout: /^Promotion FIVE-OFF is now:\n.*\nFIVE-OFF +12\.5 % +all +from 2030-05-01 /,
  })
  t.match(await list(), [
    {
      Code: 'FIVE-OFF',
      Percent: '12.5',
      Amount: null,
      ProductIDs: null,
      SaleFrom: '2030-05-01',
      SaleTo: null,
      TravelFrom: '2030-06-01',
      MaxUses: 100,
      MaxUsesPerCustomer: 1,
      Active: true,
    },
  ])
  t.match(await promotions('end', 'five-off'), { code: 0, stdout: 'Promotion FIVE-OFF has ended.\n' })
  t.match(await promotions('end', 'five-off'), {
    code: 0,
    stdout: 'Promotion FIVE-OFF had already ended.\n',
  })
  t.match(await promotions('change', 'five-off', '--active', 'true'), { code: 0, stdout: / active\n$/ })
  t.match(
    await sql`select type, actor, details from events where type like 'promotion.%' order by id`,
    [
      { type: 'promotion.made', actor: 'service' },
      {
        type: 'promotion.changed',
        details: { Fields: ['Percent', 'Amount', 'Currency', 'ProductIDs', 'SaleTo'] },
      },
      { details: { Fields: ['Active'] } },
      { details: { Fields: ['Active'] } },
    ],
    'the commands append the same events as the API',
  )
})

t.test('promotions are listed by code and by whether they are active, from all pages', async (t) => {
  const { sql, accountId, promotions, list } = await open(t)
  t.match(await promotions('list'), { code: 0, stdout: 'There are no promotions.\n' })
  await sql`
    insert into promotions (account_id, code, basis_points, active)
    select ${accountId}, 'CODE-' || number, 1000, number > 2 from generate_series(1, 250) as number`
  t.equal((await list()).length, 250)
  t.match(await list('--active', 'false'), [{ Code: 'CODE-1' }, { Code: 'CODE-2' }])
  t.match(await list('--code', 'de-250'), [{ Code: 'CODE-250' }])
})

t.test('a command that is refused names the invalid options, and changes nothing', async (t) => {
  const { sql, promotions } = await open(t)
  await promotions('add', 'SUMMER', '--percent', '10', '--sale-to', '2030-05-31')
  const refused: [args: string[], says: string][] = [
    [['add', 'summer', '--percent', '20'], 'The account has a promotion with the code SUMMER.'],
    [['add', 'CODE'], '--percent or --amount with --currency is required'],
    [['add', 'CODE', '--percent', '0'], '--percent must be above 0 and at most 100'],
    [
      ['add', 'CODE', '--amount', '5.001', '--currency', 'EUR'],
      '--amount must be an amount of EUR, which has 2 decimals',
    ],
    [
      [
        'add',
        'CODE',
        '--percent',
        '10',
        '--travel-from',
        '2030-06-02',
        '--travel-to',
        '2030-06-01',
        '--product',
        '999',
      ],
      '--travel-to must not be before --travel-from; --product 999 is not a product of this account',
    ],
    [['change', 'SUMMER', '--sale-from', '2030-06-01'], '--sale-to must not be before --sale-from'],
    [
      ['change', 'SUMMER', '--max-uses', '3', '--unset', 'max-uses'],
      '--unset max-uses must not name a field that is also set',
    ],
    [['change', 'WINTER', '--percent', '10'], 'there is no promotion WINTER'],
    [['end', 'winter'], 'there is no promotion WINTER'],
  ]
  for (const [[command, ...args], says] of refused) {
    const answer = await promotions(command!, ...args)
    t.match(answer, { code: 1, stdout: '', stderr: oneLine })
    t.equal(answer.stderr, `error: ${says}\n`)
  }
  t.match(await sql`select code, basis_points, sale_from, max_uses from promotions`, [
    { code: 'SUMMER', basis_points: 1000, sale_from: null, max_uses: null },
  ])
})
