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
  t.match({ code, complaint }, { code: 0, complaint: '' }, 'the export succeeds if its reader stops early')
})

t.test('a catalogue file with errors is refused, with one line for each error', async (t) => {
  const { sql, cli, save } = await prepareCommands(t)
  await cli('accounts', 'create', 'one', '--name', 'One')
  const wrong = catalogue({ TimeZone: 'Mars\n/Olympus', DurationMinutes: 0 }, { Name: 'Surf', Questions: [] })
  const text = JSON.stringify({ ...wrong, Extra: 1 }, null, 2)
  const file = await save('wrong.json', text)
  const refused = await cli('catalogue', 'import', file, '--account', 'one')
  t.match(refused, { code: 1, stdout: '' })
  const faults = [
    'line 6, column 7: /Products/0/DurationMinutes: must be at least 1',
    'line 11, column 7: /Products/0/TimeZone: must be an IANA time zone such as Europe/Lisbon',
    `line ${text.split('\n').length - 1}, column 3: /Extra: is not a field of this object`,
    '',
  ]
  t.same(refused.stderr.split('\n'), faults)
  t.same(await sql`select from products`, [])
  for (const command of [['check'], ['check', '--account', 'one'], ['diff', '--account', 'one']]) {
    const checked = await cli('catalogue', ...command, file)
    t.match(checked, { code: 1, stdout: '' })
    t.same(checked.stderr.split('\n'), faults, command.join(' '))
  }

  const syntax = await cli(
    'catalogue',
    'import',
    await save('a.json', '{\n"Products": [,]}'),
    '--account',
    'one',
  )
  t.match(syntax, { code: 1, stdout: '', stderr: /^line 2, column 14: the file: must be JSON: [^\n]+\n$/ })
})

t.test('the commands check and diff report on a catalogue file, and change nothing', async (t) => {
  const { sql, cli, save } = await prepareCommands(t)
  await cli('accounts', 'create', 'one', '--name', 'One')
  const file = await save(
    'a.json',
    JSON.stringify(catalogue({ Schedules: [] }, { Name: 'Surf', Timeslots: [] })),
  )
  for (const account of [[], ['--account', 'one']]) {
    const checked = await cli('catalogue', 'check', file, ...account)
    t.same(checked, { code: 0, stdout: 'No errors. Products: 2.\n', stderr: '' })
  }
  const compared = await cli('catalogue', 'diff', file, '--account', 'one')
  t.match(compared, { code: 0, stderr: '' })
  t.match(
    compared.stdout.split('\n').filter((line) => !line.includes('2030-06-15')),
    ['Created: Kayak tour', 'Created: Surf', 'Products: 2 created, 0 updated, 0 unchanged.'],
  )
  t.match(compared.stdout, /^ {2}Kayak tour, 2030-06-15 10:00: made, capacity 12$/m)
  t.same(await sql`select from products`, [])
  t.match(await cli('catalogue', 'check', file, '--account', 'two'), { code: 1, stderr: oneLine })

  const first = await save('b.json', JSON.stringify(catalogue({ Schedules: [] })))
  await cli('catalogue', 'import', first, '--account', 'one')
  const price = { Amount: '50', Currency: 'EUR' }
  const changed = catalogue({ Price: price, Timeslots: [{ Date: '2030-06-15', Time: '10:00', Capacity: 8 }] })
  const again = await save(
    'c.json',
    JSON.stringify({ Products: [{ ...changed.Products[0], Schedules: [] }] }),
  )
  t.same((await cli('catalogue', 'diff', again, '--account', 'one')).stdout.split('\n'), [
    'Updated: Kayak tour',
    '  Price.Amount: from "45.00" to "50.00"',
    'Products: 0 created, 1 updated, 0 unchanged.',
    'Timeslots: 0 made, 1 changed, 0 withdrawn.',
    '  Kayak tour, 2030-06-15 10:00: capacity from 12 to 8',
    'Nothing was changed.',
    '',
  ])
})

t.test('for a catalogue file that cannot be read, the command prints one clear line', async (t) => {
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
