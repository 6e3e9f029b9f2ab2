/** The commands of accounts and keys. */
import t from 'tap'
import { findCaller } from '../../src/accounts/service.ts'
import { oneLine, prepareCommands } from '../command-line.ts'

t.test('the commands create and list accounts, and create, list, rotate and revoke keys', async (t) => {
  const { sql, cli } = await prepareCommands(t)
  t.match(await cli('accounts', 'create', 'tide', '--name', 'Tide & Sons', '--time-zone', 'Europe/Lisbon'), {
    code: 0,
    stderr: '',
  })
  t.match(await cli('accounts', 'create', 'reef', '--name', 'Reef'), { code: 0 })
  t.match(await cli('accounts', 'create', 'reef', '--name', 'Reef'), { code: 1, stdout: '', stderr: oneLine })

  const [heading, reef, tide] = (await cli('accounts', 'list')).stdout.split('\n')
  t.match(heading, /^ID +SLUG +NAME +TIME ZONE +CREATED AT$/)
  t.match(reef, /reef +Reef +UTC/)
  t.match(tide, /tide +Tide & Sons +Europe\/Lisbon/)
  t.equal(heading?.indexOf('NAME'), tide?.indexOf('Tide'), 'columns are aligned')
  t.match(JSON.parse((await cli('accounts', 'list', '--json')).stdout), [{ Slug: 'reef' }, { Slug: 'tide' }])

  const scopes = ['--scope', 'usage:read', '--scope', 'ota']
  const made = await cli(
    'keys',
    'create',
    '--account',
    'tide',
    '--partner',
    'Atlas',
    ...scopes,
    '--expires-in',
    '3',
  )
  t.match(made, { code: 0, stderr: '', stdout: /^abs_\d+_[\w-]{43}\n$/ }, 'standard output is the key alone')
  const caller = await findCaller(sql, made.stdout.trim())
  t.match(caller, { scopes: ['usage:read', 'ota'], timeZone: 'Europe/Lisbon' })
  t.ok(caller?.partnerId)

  const secret = made.stdout.trim().slice(-43)
  const listed = await cli('keys', 'list', '--account', 'tide')
  t.match(listed.stdout, /Atlas +usage:read,ota +live/)
  t.notOk(listed.stdout.includes(secret))
  const id = String(caller?.keyId)
  const rotated = await cli('keys', 'rotate', id, '--overlap', '1')
  t.match(rotated, { code: 0, stderr: '', stdout: /^abs_\d+_[\w-]{43}\n$/ })
  t.match(await findCaller(sql, rotated.stdout.trim()), {
    scopes: caller?.scopes,
    partnerId: caller?.partnerId,
  })
  t.match(await cli('keys', 'rotate', id), { code: 1, stdout: '', stderr: /was already rotated/ })
  t.match(await cli('keys', 'revoke', id), { code: 0, stdout: `Key ${id} is revoked.\n` })
  t.match(await cli('keys', 'revoke', id), { code: 0, stdout: /already revoked/ })
  t.equal(await findCaller(sql, made.stdout.trim()), null)
  t.match(JSON.parse((await cli('keys', 'list', '--account', 'tide', '--json')).stdout), [
    { ID: caller?.keyId, Partner: 'Atlas', Status: 'revoked' },
    { Partner: 'Atlas', Status: 'live' },
  ])

  t.match(await cli('keys', 'revoke', '99999'), { code: 1, stdout: '', stderr: oneLine })
  for (const command of [
    ['keys', 'create', '--scope', 'ota'],
    ['keys', 'list'],
    ['catalogue', 'export'],
  ]) {
    const answer = await cli(...command, '--account', 'nobody')
    t.match(answer, { code: 1, stdout: '', stderr: 'error: there is no account nobody\n' }, command.join(' '))
  }
})
