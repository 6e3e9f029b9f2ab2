/**
 * The command line: the table of contents of its commands, and what a failure looks like to whoever typed
 * one. Exit code 1 is a refusal or a failure, 2 is bad usage; either says one line on standard error.
 */
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './accounts/commands.ts'
import { addBookingCommands } from './bookings/commands.ts'
import { addCatalogueCommands } from './catalogue-file/commands.ts'
import { addCustomerCommands } from './customers/commands.ts'
import { addPaymentCommands } from './payments/commands.ts'
import { helpStyle, print } from './platform/command-line.ts'
import { readConfig } from './platform/config.ts'
import { explain, oneLine } from './platform/explain.ts'
import { withDatabaseUrl } from './platform/local-database.ts'
import { migrate } from './platform/migrations.ts'
import { addUsageCommands } from './usage/commands.ts'
import { addUserCommands } from './users/commands.ts'

// A reader that goes away, as `head` does, ends the output and nothing else; print() sees every error.
process.stdout.on('error', () => {})

const program = new Command('cli')
  .description(
    'Looks after accounts, keys, users, catalogues, bookings, customers, payments and usage. Run it as `npm run --silent cli -- …`.',
  )
  .helpOption('-h, --help', 'Say how a command is used.')
  .helpCommand('help [command]', 'Say how a command is used.')
  .configureHelp(helpStyle)
  .exitOverride()
  // Only run() writes to standard error, so that every failure is one line.
  .configureOutput({ writeErr: () => {} })

program
  .command('migrate')
  .description('Bring the database to the newest schema. It changes nothing that is up to date.')
  .action(async () => {
    const applied = await withDatabaseUrl(readConfig(), migrate)
    await print(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  })

addAccountCommands(program)
addCatalogueCommands(program)
addBookingCommands(program)
addCustomerCommands(program)
addPaymentCommands(program)
addUsageCommands(program)
addUserCommands(program)

async function run(): Promise<number> {
  try {
    await program.parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const badUsage = error instanceof CommanderError
    process.stderr.write(`error: ${badUsage ? usageFault(error) : explain(error)}\n`)
    return badUsage ? 2 : 1
  }
}

function usageFault({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'name a command; `--help` lists them'
  return oneLine(message.replace(/^error: /, ''))
}

process.exitCode = await run()
