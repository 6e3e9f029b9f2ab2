/** What all commands have in common: help, failures, and the database. */
import type { Command } from 'commander'
import t from 'tap'
import { createProgram, failureOf } from '../src/program.ts'
import { makeFolder, oneLine, prepareCommands, run } from './command-line.ts'

t.test('every command describes itself and its options with --help', async (t) => {
  for (const command of withSubcommands(createProgram())) {
    const [, description, ...parts] = command.helpInformation().trim().split(/\n\n/)
    t.match(description, /^[A-Z].*\.$/s, `a sentence for ${command.name()}`)
    for (const part of parts) t.match(part, /\.$/, `sentences for the parts of ${command.name()}`)
  }
  for (const args of [['--help'], ['keys', 'create', '--help'], ['help', 'keys']])
    t.match(await run({}, ...args), { code: 0, stdout: /^Usage: cli /, stderr: '' }, args.join(' '))
})

t.test('--help of every command marks the options that must be given, and no others', async (t) => {
  const marked = new Map<string, string[]>()
  for (const command of withSubcommands(createProgram())) {
    const options = command.helpInformation().split(/\n(?= +-)/)
    const required = options.filter((text) => /\sRequired\.\s*($|\n\n)/.test(text))
    const names = required.map((text) => /--[\w-]+/.exec(text)![0])
    t.same(
      names,
      command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long),
      command.name(),
    )
    marked.set(`${command.parent?.name()} ${command.name()}`, names)
  }
  t.same(marked.get('usage audit'), ['--account', '--from', '--to'])
})

t.test('bad usage prints one line on standard error and gives exit code 2', async (t) => {
  const create = ['keys', 'create', '--account', 'demo']
  const promotion = ['promotions', 'add', 'SUMMER', '--account', 'demo']
  const terms = ['partners', 'terms', 'set', '--account', 'demo', '--partner', 'Viator']
  const usages: [args: string[], says: RegExp][] = [
    [[], /name a command/],
    [['keys'], /name a command/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['keys', 'nonsense'], /unknown command 'nonsense'/],
    [['accounts', 'list', '--jsno'], /unknown option '--jsno'/],
    [['accounts', 'list', 'more'], /too many arguments/],
    [['accounts', 'create'], /missing required argument 'slug'|--name/],
    [['accounts', 'create', 'demo'], /--name/],
    [['accounts', 'create', 'Demo', '--name', 'Demo'], /lower-case/],
    [['accounts', 'create', 'demo', '--name', ' '], /1 to 255/],
    [['accounts', 'create', 'demo', '--name', 'Demo', '--time-zone', 'Mars/Olympus'], /time zone/],
    [create, /--scope/],
    [[...create, '--scope', 'ota', '--scope', 'everything'], /ota, usage:read, usage:write, operator/],
    [[...create, '--scope', 'ota', '--expires-in', '0'], /1 to 36500/],
    [[...create, '--scope', 'ota', '--expires-in', '1.5'], /1 to 36500/],
    [['keys', 'create', '--scope', 'ota'], /--account/],
    [
      ['keys', 'create', '--account', 'demo.test', '--scope', 'ota'],
      /test account: give its live account and --test/,
    ],
    [['keys', 'revoke', 'x'], /whole number/],
    [['keys', 'revoke'], /missing required argument/],
    [['catalogue', 'import', '--account', 'demo'], /missing required argument/],
    [['catalogue', 'import', 'file.json'], /--account/],
    [
      ['catalogue', 'import', 'no-such-file', '--account', 'demo.test'],
      /test account: use the live account that it follows/,
    ],
    [
      ['catalogue', 'diff', 'no-such-file', '--account', 'demo.test'],
      /test account: use the live account that it follows/,
    ],
    [['bookings', 'audit', '--account', '../demo'], /lower-case/],
    [
      ['payments', 'send', '--account', 'demo', '--basket', '1', '--type', 'lost'],
      /succeeded, failed or refunded/,
    ],
    [['payments', 'secrets', 'revoke', '1'], /--account/],
    [['promotions', 'add', 'AB', '--account', 'demo'], /3 to 40 letters/],
    [[...promotion, '--percent', '12.345'], /'--percent .* percentage with at most two decimals/],
    [[...promotion, '--amount', '-5'], /'--amount .* decimal amount/],
    [[...promotion, '--sale-from', '2030-02-30'], /'--sale-from .* calendar date/],
    [[...promotion, '--max-uses', '0'], /'--max-uses .* 1 to 1000000000/],
    [[...promotion, '--unset', 'max-uses'], /unknown option '--unset'/],
    [['promotions', 'change', 'SUMMER', '--account', 'demo', '--unset', 'code'], /product, sale-from/],
    [terms, /--product/],
    [[...terms, '--product', 'all', '--commission', '100.5'], /'--commission .* from 0 to 100/],
    [[...terms, '--product', '12', '--net-price', '36.00'], /unit’s ID and an amount/],
    [[...terms, '--product', '12', '--net-price', '0=36,00'], /decimal amount/],
    [['tickets', 'list', '--account', 'demo'], /--booking/],
    [['tickets', 'redeem', 'torn', '--account', 'demo'], /TicketID/],
  ]
  for (const [args, says] of usages) {
    const error = await createProgram()
      .parseAsync(args, { from: 'user' })
      .catch((error: unknown) => error)
    const { code, line } = failureOf(error)
    t.match({ code, line: `${line}\n` }, { code: 2, line: oneLine }, args.join(' '))
    t.match(line, says)
  }
  const [[nothing], [more]] = [usages[0]!, usages[5]!]
  for (const args of [nothing, more])
    t.match(
      await run({}, ...args),
      { code: 2, stdout: '', stderr: oneLine },
      'the message as the user sees it',
    )
})

t.test('a database that cannot be used is reported in one clear line, with exit code 1', async (t) => {
  const { admin, url } = await prepareCommands(t)
  const bare = new URL(url)
  bare.pathname += '_bare'
  await admin`create database ${admin(bare.pathname.slice(1))}`
  t.teardown(() => admin`drop database ${admin(bare.pathname.slice(1))} with (force)`)

  const list = (DATABASE_URL: string) => run({ DATABASE_URL }, 'accounts', 'list')
  const refused = { code: 1, stdout: '', stderr: oneLine }
  for (const args of [['accounts', 'list'], ['migrate']]) {
    const unreachable = await run({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, ...args)
    t.match(unreachable, refused)
    t.match(unreachable.stderr, /PostgreSQL cannot be reached/)
  }
  const unmigrated = await list(bare.href)
  t.match(unmigrated, refused)
  t.match(unmigrated.stderr, /not migrated.*cli -- migrate/)
  const misconfigured = await list('mysql://localhost/db')
  t.match(misconfigured, refused)
  t.match(misconfigured.stderr, /DATABASE_URL/)

  t.match(await run({ DATABASE_URL: bare.href }, 'migrate'), { code: 0, stdout: /^Applied 101/ })
  t.match(await run({ DATABASE_URL: bare.href }, 'migrate'), { code: 0, stdout: /up to date/ })
  t.match(await list(bare.href), { code: 0 })
})

t.test('without DATABASE_URL, a command uses the PostgreSQL of DATA_DIR, and migrates it', async (t) => {
  const DATA_DIR = await makeFolder(t)
  const cli = (...args: string[]) => run({ DATA_DIR }, ...args)
  const made = await cli('accounts', 'create', 'tide', '--name', 'Tide')
  t.match(made, { code: 0, stderr: `There is no database under ${DATA_DIR} yet: a new one is created.\n` })
  t.match(await cli('accounts', 'list'), { code: 0, stdout: /tide/, stderr: '' })
})

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}
