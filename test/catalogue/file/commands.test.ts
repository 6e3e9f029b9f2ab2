/** The commands that read and write a catalogue file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { oneLine, prepareCommands, program } from '../../command-line.ts'
import { catalogue } from './fixtures.ts'

t.test('a catalogue is imported and exported', async (t) => {
  const { sql, url, cli, save } = await prepareCommands(t)
  await cli('accounts', 'create', 'one', '--name', 'One')
  await cli('accounts', 'create', 'two', '--name', 'Two')
  const Timeslots = Array.from({ length: 1440 }, (_, minute) => {
    const Time = new Date(minute * 60_000).toISOString().slice(11, 16)
    return { Date: '2031-01-15', Time, Capacity: minute }
  })
  const file = await save('good.json', `\uFEFF${JSON.stringify(catalogue({}, { Name: 'Surf', Timeslots }))}`)
  const imported = await cli('catalogue', 'import', file, '--account', 'one')
  t.match(imported, { code: 0, stderr: '' })
  t.match(imported.stdout, /^Products: 2 created, 0 updated, 0 unchanged\.\nTimeslots: 1441 made, /)

  await sql`update timeslots set booked = 12 where date = '2030-06-15'`
  const lower = catalogue({ Timeslots: [{ Date: '2030-06-15', Time: '10:00', Capacity: 3 }] })
  const kept = await cli(
    'catalogue',
    'import',
    await save('lower.json', JSON.stringify(lower)),
    '--account',
    'one',
  )
  t.match(kept.stdout, /^Kept: Kayak tour, 2030-06-15 10:00: capacity 12, not 3/m)

  const exported = await cli('catalogue', 'export', '--account', 'one')
  t.match(exported, { code: 0, stderr: '' })
  t.match(JSON.parse(exported.stdout), { Products: [{ Name: 'Kayak tour' }, { Name: 'Surf', Timeslots }] })
  const copy = await save('copy.json', exported.stdout)
  t.match(await cli('catalogue', 'import', copy, '--account', 'two'), { code: 0 })
  t.equal((await cli('catalogue', 'export', '--account', 'two')).stdout, exported.stdout)

  const reader = spawn(process.execPath, [program, 'catalogue', 'export', '--account', 'one'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  let complaint = ''
  reader.stderr.on('data', (chunk) => (complaint += chunk))
  await once(reader.stdout, 'data')
  reader.stdout.destroy()
  const [code] = await once(reader, 'close')
  t.match({ code, complaint }, { code: 0, complaint: '' }, 'a reader that goes away early is no failure')
})

t.test('a catalogue file that is wrong is refused with every fault in a line of its own', async (t) => {
  const { sql, cli, save } = await prepareCommands(t)
  await cli('accounts', 'create', 'one', '--name', 'One')
  const wrong = catalogue({ TimeZone: 'Mars\n/Olympus', DurationMinutes: 0 }, { Name: 'Surf', Questions: [] })
  const file = await save('wrong.json', JSON.stringify({ ...wrong, Extra: 1 }))
  const refused = await cli('catalogue', 'import', file, '--account', 'one')
  t.match(refused, { code: 1, stdout: '' })
  t.same(refused.stderr.split('\n'), [
    '/Extra: is no field of this object',
    '/Products/0/DurationMinutes: must be >= 1',
    '/Products/0/TimeZone: must be an IANA time zone such as Europe/Lisbon',
    '',
  ])
  t.same(await sql`select from products`, [])

  const syntax = await cli(
    'catalogue',
    'import',
    await save('a.json', '{\n"Products": [,]}'),
    '--account',
    'one',
  )
  t.match(syntax, { code: 1, stdout: '', stderr: /^the file: must be JSON: [^\n]+\n$/ })
})

t.test('a catalogue file that cannot be read is one clear line', async (t) => {
  const { cli, save } = await prepareCommands(t)
  await cli('accounts', 'create', 'one', '--name', 'One')
  const long = await save('long.json', '')
  await truncate(long, 64 * 1024 * 1024 + 1)
  const latin = await save('latin.json', Buffer.from('{"Products": "caf\xe9"}', 'latin1'))
  for (const [file, says] of [
    ['missing.json', /no such file/],
    [path.dirname(long), /directory/],
    [long, /longer than 64 MiB/],
    [latin, /not valid for encoding utf-8/],
  ] as const) {
    const answer = await cli('catalogue', 'import', file, '--account', 'one')
    t.match(answer, { code: 1, stdout: '', stderr: oneLine })
    t.match(answer.stderr, says)
  }
})
