/** The commands about bookings. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { counted, print, printList, withDatabase } from '../../platform/process/command-line.ts'
import { listCounterDifferences } from './queries.ts'

export function addBookingCommands(program: Command): void {
  const bookings = program.command('bookings').description('Audit bookings.')

  bookings
    .command('audit')
    .description(
      'Compare the booked and held places of every timeslot with its bookings; fail if any differ.',
    )
    .requiredOption('--account <slug>', 'Account to check.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(audit)
}

async function audit({ account, json }: { account: string; json?: true }): Promise<void> {
  const differences = await withDatabase(async (sql) => {
    return listCounterDifferences(sql, (await getAccount(sql, account)).id)
  })
  if (differences.length === 0 && !json) return print('Every timeslot agrees with its bookings.')
  const records = differences.map((slot) => ({
    TimeslotID: slot.id,
    Product: slot.product,
    Date: slot.date,
    Time: slot.time,
    Booked: slot.booked,
    Confirmed: slot.confirmedSum,
    Held: slot.held,
    HeldBookings: slot.heldSum,
  }))
  await printList(Object.keys(records[0] ?? {}), records, json)
  if (records.length > 0)
    throw new Error(
      `${counted(records.length, 'timeslot differs from its', 'timeslots differ from their')} bookings`,
    )
}
