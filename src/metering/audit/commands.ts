/** The commands about metered usage. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import {
  checked,
  counted,
  dayArgument,
  print,
  printList,
  withDatabase,
} from '../../platform/process/command-line.ts'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import type { Entry } from '../model.ts'
import { addThresholdCommands } from '../thresholds/commands.ts'
import * as audit from './service.ts'

const monthArgument = checked((text) => isCalendarDate(`${text}-01`), 'a month, YYYY-MM')
const maxListed = 1000

export function addUsageCommands(program: Command): void {
  const usage = program
    .command('usage')
    .description('Audit, repair and prune metered usage, and manage thresholds.')

  usage
    .command('audit')
    .description(
      'Compare the totals of days with their entries, and the totals of months with their days; fail if any differ.',
    )
    .requiredOption('--account <slug>', 'Account to check.', slugArgument)
    .requiredOption('--from <day>', 'First day, in the account’s time zone.', dayArgument)
    .requiredOption('--to <day>', 'Last day, included.', dayArgument)
    .option('--repair', 'Repair the totals that differ, while the service runs.')
    .option('--json', 'Print JSON, for programs.')
    .action(auditUsage)

  usage
    .command('prune')
    .description(
      'Delete the entries accepted before a month (UTC). Totals stay the same, and audits still agree with them.',
    )
    .requiredOption('--before <month>', 'The first month to keep, YYYY-MM.', monthArgument)
    .action(prune)

  const rejects = usage.command('rejects').description('Entries that were accepted, but cannot be stored.')

  rejects
    .command('list')
    .description('List up to 1,000 rejected entries, oldest first, with the reason.')
    .option('--json', 'Print JSON, for programs.')
    .action(listRejects)

  rejects
    .command('retry')
    .description('Try to store every rejected entry again; fail if some are still refused.')
    .action(retryRejects)

  addThresholdCommands(usage)
}

type AuditOptions = { account: string; from: string; to: string; repair?: true; json?: true }

async function auditUsage({ account, from, to, repair, json }: AuditOptions): Promise<void> {
  if (to < from) throw new Error('--to must not be before --from')
  const { before, after } = await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    const found = await audit.auditUsage(sql, id, { from, to })
    if (!repair || found.length === 0) return { before: found, after: found }
    await audit.repairTotals(sql, id, found)
    return { before: found, after: await audit.auditUsage(sql, id, { from, to }) }
  })
  if (before.length === 0 && !json) return print('Every total agrees with its entries.')
  const records = before.map(({ kind, meter, day, total, events, rightTotal, rightEvents }) => ({
    Meter: meter,
    Of: kind === 'day' ? day : day.slice(0, 7),
    TotalUsage: total,
    EntriesUsage: rightTotal,
    EventCount: events,
    Entries: rightEvents,
  }))
  await printList(Object.keys(records[0] ?? {}), records, json)
  if (after.length > 0)
    throw new Error(`${counted(after.length, 'total differs from its', 'totals differ from their')} entries`)
  if (repair && !json) await print(`${counted(before.length, 'total is', 'totals are')} repaired.`)
}

async function prune({ before }: { before: string }): Promise<void> {
  const pruned = await withDatabase((sql) => audit.pruneEntries(sql, `${before}-01`))
  if (pruned.length === 0) return print(`There are no entries that were accepted before ${before}.`)
  await printList(
    ['Month', 'Entries'],
    pruned.map(({ month, entries }) => ({ Month: month.slice(0, 7), Entries: entries })),
  )
}

async function listRejects({ json }: { json?: true }): Promise<void> {
  const rejects = await withDatabase((sql) => audit.listRejects(sql, maxListed))
  if (rejects.length === 0 && !json) return print('No entry is rejected.')
  const records = rejects.map(({ accountId, id, entry, reason, rejectedAt }) => {
    const { meter, usage } = JSON.parse(entry) as Entry
    return {
      AccountID: accountId,
      ID: id,
      Meter: meter,
      Usage: usage,
      RejectedAt: rejectedAt,
      Reason: reason,
    }
  })
  await printList(['AccountID', 'ID', 'Meter', 'Usage', 'RejectedAt', 'Reason'], records, json)
}

async function retryRejects(): Promise<void> {
  const { stored, refused } = await withDatabase((sql) => audit.retryRejects(sql))
  await print(`Stored ${counted(stored, 'entry', 'entries')}.`)
  if (refused > 0) throw new Error(`${counted(refused, 'entry is', 'entries are')} still refused`)
}
