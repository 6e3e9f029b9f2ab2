/** The command that lists refunds. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { checked, printList, withDatabase } from '../../platform/process/command-line.ts'
import { browseRefunds } from './paying-back.ts'

type RefundListOptions = { account: string; status: 'due' | 'done'; json?: true }

const statusArgument = checked((text) => text === 'due' || text === 'done', 'due or done')
// The maximum size of a page in the API.
const maxListed = 500

export function addRefundCommands(program: Command): void {
  const refunds = program.command('refunds').description('List refunds.')
  refunds
    .command('list')
    .description(`List due or done refunds; at most ${maxListed}.`)
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option(
      '--status <status>',
      '`due`, the oldest first; or `done` for refunds that were paid back, the latest first.',
      statusArgument,
      'due',
    )
    .option('--json', 'Print JSON, for programs.')
    .action(async ({ account, status, json }: RefundListOptions) => {
      const found = await withDatabase(async (sql) => {
        const { id } = await getAccount(sql, account)
        return browseRefunds(sql, id, { Status: status, Limit: maxListed })
      })
      const records = found.refunds.map(({ Refund, RefundID, PaymentID, BasketID, ...refund }) => ({
        ID: RefundID ?? PaymentID,
        BasketID,
        BookingReference: refund.BookingReference,
        Reason: refund.Reason,
        ...Refund,
        PaidBack: refund.PaidBack?.Amount ?? null,
        DecidedAt: refund.DecidedAt,
        DoneAt: refund.DoneAt,
      }))
      const columns = ['ID', 'BasketID', 'BookingReference', 'Reason', 'Amount', 'Currency', 'PaidBack']
      await printList([...columns, 'DecidedAt', 'DoneAt'], records, json)
    })
}
