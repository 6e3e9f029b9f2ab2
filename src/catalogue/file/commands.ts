/** The commands that read and write a catalogue file. */
import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import { print, withDatabase } from '../../platform/process/command-line.ts'
import { oneLine } from '../../platform/process/explain.ts'
import { exportCatalogue } from './exporting.ts'
import { publishedSchema } from './schemas.ts'
import * as service from './service.ts'

const longestFile = 64 * 1024 * 1024

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Read and write what an operator sells.')

  catalogue
    .command('import')
    .description('Bring products up to date from a file; one that is wrong anywhere changes nothing.')
    .argument('<file>', 'Catalogue file, at most 64 MiB; docs/catalogue.schema.json describes it.')
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .action(importFile)

  catalogue
    .command('export')
    .description('Print the catalogue as a file that can be imported, here or elsewhere.')
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
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

async function importFile(path: string, { account }: { account: string }): Promise<void> {
  const text = await readText(path)
  try {
    const report = await withDatabase(async (sql, { SCHEDULE_HORIZON_DAYS }) => {
      const { id } = await getAccount(sql, account)
      return service.importCatalogue(sql, { accountId: id, actor: theService }, text, {
        horizonDays: SCHEDULE_HORIZON_DAYS,
      })
    })
    await print(describe(report).join('\n'))
  } catch (error) {
    if (!(error instanceof service.CatalogueFileError)) throw error
    // The one command whose failure is a list: every fault is to be mended before the next try.
    const lines = error.faults.map(({ pointer, message }) => oneLine(`${pointer || 'the file'}: ${message}`))
    process.stderr.write(`${lines.join('\n')}\n`)
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
      if (size > longestFile) throw new Error('it is longer than 64 MiB')
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function describe({ created, updated, unchanged, kept, left, ...timeslots }: service.ImportReport): string[] {
  return [
    `Products: ${created} created, ${updated} updated, ${unchanged} unchanged.`,
    `Timeslots: ${timeslots.timeslotsMade} made, ${timeslots.capacitiesChanged} changed capacity, ${timeslots.timeslotsWithdrawn} withdrawn.`,
    ...kept.map(({ name, date, time, capacity, wanted }) =>
      oneLine(
        `Kept: ${name}, ${date} ${time}: capacity ${capacity}, not ${wanted}, since so many places are sold.`,
      ),
    ),
    ...left.map(({ name, date, time, reason }) =>
      oneLine(`Left: ${name}, ${date} ${time}: it stays although the date is closed, since it is ${reason}.`),
    ),
  ]
}
