/** The command of reservations. It prints no personal data. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { print, printList, withDatabase } from '../../platform/process/command-line.ts'
import { listHeld } from './queries.ts'

export function addReservationCommands(program: Command): void {
  program
    .command('reservations')
    .description('List the reservations of resellers.')
    .command('list')
    .description('List the bookings that resellers hold now, in the order in which their holds expire.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(list)
}

async function list({ account, json }: { account: string; json?: true }): Promise<void> {
  const held = await withDatabase(async (sql) => listHeld(sql, (await getAccount(sql, account)).id))
  if (held.length === 0 && !json) return print('No reseller holds any places.')
  const records = held.map(({ reference, partner, product, date, time, places, heldUntil }) => {
    const sold = { BookingReference: reference, Partner: partner, Product: product }
    return { ...sold, Date: date, Time: time, Places: places, HeldUntil: heldUntil }
  })
  const columns = ['BookingReference', 'Partner', 'Product', 'Date', 'Time', 'Places', 'HeldUntil']
  await printList(columns, records, json)
}
