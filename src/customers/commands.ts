/** The commands about customers' personal data: their options and their output. */
import type { Command } from 'commander'
import { slugArgument } from '../accounts/commands.ts'
import { testBookingDays, testSlugEnding } from '../accounts/model.ts'
import { findAccount, getAccount } from '../accounts/service.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { checked, print, withDatabase } from '../platform/process/command-line.ts'
import { checkErasable, eraseCustomer } from './erasing.ts'
import { exportCustomer } from './exporting.ts'
import { type CustomerIdentifier, toCustomerIdentifier } from './model.ts'
import { countContacts } from './ticket-queries.ts'

const emailArgument = checked((text) => /^\S+@\S+$/.test(text), 'an e-mail address')
const phoneArgument = checked((text) => /^\+[\d\s().-]+$/.test(text), 'a phone number with a leading +')

export function addCustomerCommands(program: Command): void {
  const customers = program
    .command('customers')
    .description('Export and erase the data of a customer, found by e-mail address or phone number.')

  customers
    .command('export')
    .description('Print all data of a customer as one JSON document.')
    .requiredOption('--account <slug>', 'Account whose data to export.', slugArgument)
    .option('--email <address>', 'The customer’s e-mail address, in upper or lower case.', emailArgument)
    .option(
      '--phone <number>',
      'The customer’s phone number. With --email too, bookings that match either are found.',
      phoneArgument,
    )
    .action(exportOne)

  customers
    .command('erase')
    .description(
      'Erase the personal data of a customer permanently. Bookings keep their other data. Without --yes, it only prints what it would erase.',
    )
    .requiredOption('--account <slug>', 'Account whose data to erase.', slugArgument)
    .option('--email <address>', 'The customer’s e-mail address, in upper or lower case.', emailArgument)
    .option(
      '--phone <number>',
      'The customer’s phone number. With --email too, bookings that match either are found.',
      phoneArgument,
    )
    .option(
      '--even-upcoming',
      'Also erase the customer’s data in confirmed bookings that are not over. They stay booked.',
    )
    .option('--yes', 'Erase the data.')
    .action(eraseOne)
}

type EraseOptions = { account: string; email?: string; phone?: string; evenUpcoming?: true; yes?: true }

function readWho(options: EraseOptions): CustomerIdentifier {
  const who = toCustomerIdentifier(options)
  if (!who.email && !who.phone) throw new Error('give --email, --phone, or both')
  return who
}

async function exportOne(options: EraseOptions): Promise<void> {
  const who = readWho(options)
  const document = await withDatabase(async (sql) => {
    return exportCustomer(sql, await getAccount(sql, options.account), who)
  })
  await print(JSON.stringify(document, null, 2))
}

async function eraseOne(options: EraseOptions): Promise<void> {
  const who = readWho(options)
  await withDatabase(async (sql, { DATA_DIR: dataDir }) => {
    const { id: accountId } = await getAccount(sql, options.account)
    const request = { accountId, who, includeUpcoming: options.evenUpcoming === true, dataDir }
    if (!options.yes) {
      const bookings = await checkErasable(sql, request)
      const references = bookings.map(({ reference }) => reference).join(', ')
      const contacts = await countContacts(sql, accountId, who)
      await print(
        `Would permanently erase the customer’s data in ${count(bookings.length, 'booking')} (${references || 'none'}) and on ${count(contacts, 'ticket')}. Add --yes to erase it.`,
      )
      return mentionTestMode(sql, options.account)
    }
    const done = await eraseCustomer(sql, { ...request, by: { cause: 'command' } })
    await print(
      `Erased the customer’s data in ${count(done.bookings, 'booking')}, on ${count(done.tickets, 'other ticket')}, in ${count(done.emails, 'e-mail')} and in ${count(done.answers, 'stored response')}.`,
    )
    if (!done.finishedAt)
      await print('An e-mail about these bookings is being sent; a worker erases its data within minutes.')
    await mentionTestMode(sql, options.account)
  })
}

/**
 * Prints how to erase the customer in the test account, if there is one: it is separate, and the same person
 * may be a customer there too.
 */
async function mentionTestMode(sql: Sql, slug: string): Promise<void> {
  const test = slug + testSlugEnding
  if (await findAccount(sql, test))
    await print(
      `Test mode has its own data: --account ${test} erases the customer there. Test bookings are deleted after ${testBookingDays} days.`,
    )
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
