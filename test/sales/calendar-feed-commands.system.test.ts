/** The commands of calendar links, for example to revoke a link that was leaked. */
import t from 'tap'
import { createUser } from '../../src/accounts/users/service.ts'
import { run } from '../command-line.ts'
import { createDatabase, makeCaller } from '../helper.ts'

t.test('calendar links are listed without their secrets, and revoked', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'harbour' })
  const user = { accountId, email: 'ana@harbour.test', role: 'staff', password: 'a long password' } as const
  const userId = await createUser(sql, user)
  const [feed] = await sql<{ id: number }[]>`
    insert into calendar_feeds (account_id, user_id, hash) values (${accountId}, ${userId}, sha256('a secret'))
    returning id`
  const links = (...args: string[]) =>
    run({ DATABASE_URL: url }, 'calendar-links', ...args, '--account', 'harbour')
  t.match(JSON.parse((await links('list', '--json')).stdout), [
    { ID: feed!.id, User: 'ana@harbour.test', Names: 'not shown', LastUsedAt: null },
  ])
  const done = { code: 0, stdout: `Calendar link ${feed!.id} is revoked.\n` }
  t.match(await links('revoke', String(feed!.id)), done)
  t.same(JSON.parse((await links('list', '--json')).stdout), [])
  t.match(await links('revoke', '999'), { code: 1, stderr: /There is no such calendar link/ })
})
