/** The commands that list tills, and close one in place of its user. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { checked, print, printList, wholeNumber, withDatabase } from '../../platform/process/command-line.ts'
import { browseTills, closeTill } from './service.ts'

type TillListOptions = { account: string; status?: 'open' | 'closed'; json?: true }
type TillCloseOptions = { account: string; counted: string; note?: string }

const statusArgument = checked((text) => text === 'open' || text === 'closed', 'open or closed')
const amountArgument = checked((text) => /^\d{1,16}(\.\d{1,4})?$/.test(text), 'an amount, such as 236.50')
// The maximum size of a page in the API.
const maxListed = 500

/** A command may use the tills of all users, and is not a user itself. */
const asOwner = (accountId: number) => ({ accountId, userId: null, role: 'owner' }) as const

export function addTillCommands(program: Command): void {
  const tills = program.command('tills').description('Look at tills, and close one.')
  tills
    .command('list')
    .description(`List tills, the latest opened first; at most ${maxListed}.`)
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--status <status>', 'Only open tills, or only closed tills.', statusArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  tills
    .command('close')
    .description('Close a till with a count, in place of its user. It cannot be opened again.')
    .argument('<id>', 'The ID of the till in `tills list`.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .requiredOption('--account <slug>', 'Account whose till it is.', slugArgument)
    .requiredOption('--counted <amount>', 'All the cash in the till, including the float.', amountArgument)
    .option('--note <text>', 'The reason, if the count differs from the expected cash.')
    .action(close)
}

async function list({ account, status, json }: TillListOptions): Promise<void> {
  const { tills } = await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    return browseTills(sql, asOwner(id), { ...(status && { Status: status }), Limit: maxListed })
  })
  const records = tills.map(({ TillID, User, Status, Float, Expected, Counted, Difference, ...till }) => ({
    ...{ ID: TillID, User: User.Email, Status, OpenedAt: till.OpenedAt, ClosedAt: till.ClosedAt },
    ...{ Currency: Float.Currency, Float: Float.Amount, Expected: Expected.Amount },
    ...{ Counted: Counted?.Amount ?? null, Difference: Difference?.Amount ?? null },
  }))
  const columns = ['ID', 'User', 'Status', 'OpenedAt', 'ClosedAt', 'Currency', 'Float', 'Expected', 'Counted']
  await printList([...columns, 'Difference'], records, json)
}

async function close(id: number, { account, counted, note }: TillCloseOptions): Promise<void> {
  const { Expected, Difference } = await withDatabase(async (sql) => {
    const owner = asOwner((await getAccount(sql, account)).id)
    const count = { Counted: counted, ...(note && { Note: note.slice(0, 1000) }) }
    return runAgain(sql, (tx) => closeTill(tx, owner, id, count))
  })
  const { Amount, Currency } = Difference!
  await print(
    `Till ${id} is closed: expected ${Expected.Amount} ${Currency}, difference ${Amount} ${Currency}.`,
  )
}
