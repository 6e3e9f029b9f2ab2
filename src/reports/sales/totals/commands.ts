/** The commands about reports. */
import type { Command } from 'commander'
import { slugArgument } from '../../../accounts/commands.ts'
import { getAccount } from '../../../accounts/service.ts'
import { counted, print, printList, withDatabase } from '../../../platform/process/command-line.ts'
import { auditTotals, repairTotals, type SalesDifference } from './audit.ts'

export function addReportCommands(program: Command): void {
  const reports = program.command('reports').description('Audit and repair the totals of reports.')

  reports
    .command('audit')
    .description('Compare the totals of sales with the bookings; fail if any differ.')
    .requiredOption('--account <slug>', 'Account to check.', slugArgument)
    .option('--repair', 'Recount the days that differ. The service may run meanwhile.')
    .option('--json', 'Print JSON, for programs.')
    .action(audit)
}

async function audit({
  account,
  repair,
  json,
}: {
  account: string
  repair?: true
  json?: true
}): Promise<void> {
  const { before, after } = await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    const found = await auditTotals(sql, id)
    if (!repair || found.length === 0) return { before: found, after: found }
    await repairTotals(sql, id, found)
    return { before: found, after: await auditTotals(sql, id) }
  })
  if (before.length === 0 && !json) return print('Every total agrees with its bookings.')
  const records = before.map(toRecord)
  await printList(Object.keys(records[0] ?? {}), records, json)
  if (after.length > 0)
    throw new Error(`${counted(after.length, 'total differs from its', 'totals differ from their')} bookings`)
  if (repair && !json) await print(`${counted(before.length, 'total is', 'totals are')} repaired.`)
}

/** The output record of a difference. It has only the values that differ. */
function toRecord({ table, basis, day, of, kept, counted }: SalesDifference) {
  const names = Object.keys(kept ?? counted ?? {}).filter((name) => kept?.[name] !== counted?.[name])
  const valuesText = (values: Record<string, number> | null) =>
    values ? names.map((name) => `${name}=${values[name]}`).join(' ') : 'none'
  const { day: _, ...others } = of
  const key = Object.entries(others).map(([name, value]) => `${name}=${value}`)
  return {
    Totals: table,
    Basis: basis,
    Day: day,
    Of: key.join(' '),
    Kept: valuesText(kept),
    Bookings: valuesText(counted),
  }
}
