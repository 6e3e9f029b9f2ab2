/** The commands of tills: listing their cash, and closing a till that its user left open. */
import t from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { openTill } from '../../../src/sales/till/service.ts'
import { oneLine, run } from '../../command-line.ts'
import { createDatabase, makeCaller } from '../../helper.ts'

t.test('tills are listed, and one that was left open is closed with a count', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'harbour' })
  const user = { accountId, email: 'ana@quay.test', role: 'staff', passwordHash: '' } as const
  const userId = (await insertUser(sql, user))!
  const { TillID } = await sql.begin((tx) =>
    openTill(tx, { accountId, userId, role: 'staff' }, { Currency: 'EUR', Float: '100.00' }),
  )
  const tills = (...args: string[]) => run({ DATABASE_URL: url }, 'tills', ...args, '--account', 'harbour')
  const list = await tills('list', '--status', 'open')
  t.match(list.stdout, /^ID +USER +STATUS .*\n\d+ +ana@quay\.test +open .* EUR +100\.00 +100\.00/)
  t.match(await tills('close', String(TillID), '--counted', '98.5', '--note', 'Ana is ill'), {
    code: 0,
    stdout: `Till ${TillID} is closed: expected 100.00 EUR, difference -1.50 EUR.\n`,
  })
  const [till] = JSON.parse((await tills('list', '--json')).stdout)
  t.match(till, { ID: TillID, Status: 'closed', Counted: '98.50', Difference: '-1.50' })
  t.same(await sql`select actor, details ->> 'TillID' as id from events where type = 'till.closed'`, [
    { actor: 'service', id: String(TillID) },
  ])
})

t.test(
  'the commands refuse an unknown till, a count that is not an amount, and an unknown status',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    await makeCaller(sql, { slug: 'harbour' })
    const close = (...args: string[]) =>
      run({ DATABASE_URL: url }, 'tills', 'close', ...args, '--account', 'harbour')
    t.match(await close('7', '--counted', '1'), { code: 1, stdout: '', stderr: oneLine })
    t.match(await close('7', '--counted', 'much'), { code: 2, stderr: /an amount/ })
    t.match(await run({ DATABASE_URL: url }, 'tills', 'list', '--account', 'harbour', '--status', 'lost'), {
      code: 2,
      stderr: /open or closed/,
    })
  },
)
