/** The command line: all commands, and the line that a failed one prints. */
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './accounts/commands.ts'
import { addUserCommands } from './accounts/users/commands.ts'
import { addCatalogueCommands } from './catalogue/file/commands.ts'
import { addPartnerCommands } from './catalogue/partner-terms/commands.ts'
import { addCustomerCommands } from './customers/commands.ts'
import { theService } from './events/actor.ts'
import { defaultLocale, type Locale } from './languages/locales.ts'
import { addDeliveryCommands } from './messaging/webhooks/deliveries/commands.ts'
import { addEndpointCommands } from './messaging/webhooks/endpoints/commands.ts'
import { addListenCommand } from './messaging/webhooks/listening/commands.ts'
import { insertDefaultWorkflows } from './messaging/workflows/defaults.ts'
import { addUsageCommands } from './metering/audit/commands.ts'
import { readConfig } from './platform/config/config.ts'
import { withDatabaseUrl } from './platform/embedded/local-database.ts'
import type { Transaction } from './platform/postgres/database.ts'
import { helpStyle, print, withDatabase } from './platform/process/command-line.ts'
import { explain, oneLine } from './platform/process/explain.ts'
import { addReportCommands } from './reports/sales/totals/commands.ts'
import { addBookingCommands } from './reports/sales-audit/commands.ts'
import { addBusinessCommands } from './sales/business-details/commands.ts'
import { replaceBusinessDetails } from './sales/business-details/service.ts'
import { addCalendarCommands } from './sales/calendar-feed/commands.ts'
import { addRefundCommands } from './sales/ledger/refund-commands.ts'
import { addPaymentCommands } from './sales/payment/commands.ts'
import { addPromotionCommands } from './sales/promotion/commands.ts'
import { addReservationCommands } from './sales/reservation/commands.ts'
import { addTicketCommands } from './sales/ticket/commands.ts'
import { addTillCommands } from './sales/till/commands.ts'
import { addSecretsCommand } from './secrets-command.ts'
import { addCertifyCommand } from './test-mode/certification/commands.ts'
import { createTestKey } from './test-mode/service.ts'

/** Builds the command line without running it. For wrong usage, parseAsync() throws and prints nothing. */
export function createProgram(): Command {
  const program = new Command('cli')
    .description(
      'Manages accounts, keys, users, catalogues, partners, promotions, bookings, business details, calendar links, reports, reservations, tickets, customers, payments, refunds, tills, webhooks, secrets and usage. Run it as `npm run --silent cli -- …`.',
    )
    .helpOption('-h, --help', 'Show how to use a command.')
    .helpCommand('help [command]', 'Show how to use a command.')
    .configureHelp(helpStyle)
    .exitOverride()
    // Commander writes nothing to standard error: cli.ts prints one line for a failure.
    .configureOutput({ writeErr: () => {} })

  program
    .command('migrate')
    .description('Apply the missing migrations to the database.')
    .action(async () => {
      // Loaded only for this command: the module loads BullMQ, whose tables it creates, and would double the
      // start time of every command.
      const { migrate } = await import('./platform/postgres/migrations.ts')
      const applied = await withDatabaseUrl(readConfig(), migrate)
      await print(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
    })

  program
    .command('schema')
    .description(
      'Write the schema of the database to sql/schema.sql. Run it in each change that adds a migration.',
    )
    .action(async () => {
      const { writeSchema } = await import('./platform/postgres/schema.ts')
      await withDatabase((sql) => writeSchema(sql))
      await print('Wrote sql/schema.sql.')
    })

  addAccountCommands(program, { createTestKey, furnish: storeFirstData })
  addCatalogueCommands(program)
  addBookingCommands(program)
  addBusinessCommands(program)
  addCalendarCommands(program)
  addCustomerCommands(program)
  addCertifyCommand(addPartnerCommands(program))
  addPaymentCommands(program)
  addRefundCommands(program)
  addTillCommands(program)
  addPromotionCommands(program)
  addReportCommands(program)
  addReservationCommands(program)
  addSecretsCommand(program)
  addTicketCommands(program)
  addUsageCommands(program)
  addUserCommands(program)
  const webhooks = addEndpointCommands(program)
  addDeliveryCommands(webhooks)
  addListenCommand(webhooks)
  return program
}

/** The exit code and line of a failed command: 1 is a refusal or a failure, 2 is bad usage. */
export function failureOf(error: unknown): { code: 1 | 2; line: string } {
  return error instanceof CommanderError
    ? { code: 2, line: `error: ${usageFault(error)}` }
    : { code: 1, line: `error: ${explain(error)}` }
}

function usageFault({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'name a command; `--help` lists them'
  return oneLine(message.replace(/^error: /, ''))
}

/** Stores the first data of a new account: its locale, and default workflows in its language. */
async function storeFirstData(tx: Transaction, accountId: number, locale: Locale): Promise<void> {
  if (locale !== defaultLocale)
    await replaceBusinessDetails(tx, { accountId, actor: theService }, { Locale: locale })
  await insertDefaultWorkflows(tx, accountId, locale)
}
