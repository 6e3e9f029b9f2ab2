/** The commands that read and write a catalogue file. */
import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { liveSlugArgument, slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import { print, withDatabase } from '../../platform/process/command-line.ts'
import { exportCatalogue } from './exporting.ts'
import { previewImport } from './preview.ts'
import { CatalogueFileError, checkCatalogue } from './reading.ts'
import { publishedSchema } from './schemas.ts'
import { importCatalogue } from './service.ts'
import { describeFaults, describePreview, describeReport } from './wording.ts'

const maxFileBytes = 64 * 1024 * 1024

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Read and write what an operator sells.')
  const file = ['<file>', 'Catalogue file, at most 64 MiB; docs/catalogue.schema.json describes it.'] as const
  const account = ['--account <slug>', 'Account of the operator.', slugArgument] as const
  const liveSlug = liveSlugArgument('use the live account that it follows')
  const liveAccount = ['--account <slug>', 'Live account of the operator.', liveSlug] as const

  catalogue
    .command('import')
    .description('Make and update products from a file. A file with any error changes nothing.')
    .argument(...file)
    .requiredOption(...liveAccount)
    .action((path: string, { account }: { account: string }) =>
      withFile(path, (text) =>
        withDatabase(async (sql, { SCHEDULE_HORIZON_DAYS }) => {
          const by = { accountId: (await getAccount(sql, account)).id, actor: theService }
          return describeReport(await importCatalogue(sql, by, text, { horizonDays: SCHEDULE_HORIZON_DAYS }))
        }),
      ),
    )

  catalogue
    .command('check')
    .description('List all errors in a file. It changes nothing.')
    .argument(...file)
    .option(
      '--account <slug>',
      'Account of the operator. Without it, the file is checked as for a new account.',
      slugArgument,
    )
    .action((path: string, { account }: { account?: string }) =>
      withFile(path, (text) =>
        withDatabase(async (sql) => {
          const accountId = account === undefined ? null : (await getAccount(sql, account)).id
          return [`No errors. Products: ${await checkCatalogue(sql, accountId, text)}.`]
        }),
      ),
    )

  catalogue
    .command('diff')
    .description('Show what an import of a file would change. It changes nothing.')
    .argument(...file)
    .requiredOption(...liveAccount)
    .action((path: string, { account }: { account: string }) =>
      withFile(path, (text) =>
        withDatabase(async (sql, { SCHEDULE_HORIZON_DAYS }) => {
          const { id } = await getAccount(sql, account)
          return describePreview(await previewImport(sql, id, text, { horizonDays: SCHEDULE_HORIZON_DAYS }))
        }),
      ),
    )

  catalogue
    .command('export')
    .description('Print the catalogue as a file for import.')
    .requiredOption(...account)
    .action(async ({ account }: { account: string }) => {
      const file = await withDatabase(async (sql) => {
        return exportCatalogue(sql, (await getAccount(sql, account)).id)
      })
      await print(JSON.stringify(file, null, 2))
    })

  catalogue
    .command('schema')
    .description('Print the JSON Schema of a catalogue file.')
    .action(() => print(JSON.stringify(publishedSchema(), null, 2)))
}

/**
 * Reads a file, calls `use` with its text, and prints the returned lines. If the catalogue file has errors,
 * it prints them all and sets exit status 1.
 */
async function withFile(path: string, use: (text: string) => Promise<string[]>): Promise<void> {
  const text = await readText(path)
  try {
    await print((await use(text)).join('\n'))
  } catch (error) {
    if (!(error instanceof CatalogueFileError)) throw error
    // Any other error ends the process with one line. A CatalogueFileError prints a line for each error in
    // the file, so that the user can correct them together.
    process.stderr.write(`${describeFaults(error.faults).join('\n')}\n`)
    process.exitCode = 1
  }
}

async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream(path)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxFileBytes) throw new Error('it is longer than 64 MiB')
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`)
  }
}
