/** The command that audits the totals of reports, and repairs them. */
import t from 'tap'
import { prepareCommands } from '../../command-line.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { settle } from './fixtures.ts'

t.test('the audit of reports names the totals that differ, and repairs them', async (t) => {
  const { sql, cli } = await prepareCommands(t)
  const { accountId } = await makeCaller(sql, { slug: 'one' })
  await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
  await settle(sql)
  t.match(await cli('reports', 'audit', '--account', 'one'), { code: 0, stderr: '', stdout: /agrees/ })
  await sql`update sales_place_totals set capacity = 8`
  const failed = await cli('reports', 'audit', '--account', 'one')
  t.match(failed, { code: 1, stderr: 'error: 1 total differs from its bookings\n' })
  t.match(failed.stdout, /sales_place_totals +travel +2030-06-15 .*capacity=8 +capacity=9/)
  const repaired = await cli('reports', 'audit', '--account', 'one', '--repair')
  t.match(repaired, { code: 0, stderr: '' })
  t.match(repaired.stdout, /1 total is repaired/)
  t.match(await cli('reports', 'audit', '--account', 'one', '--json'), { code: 0 })
})
