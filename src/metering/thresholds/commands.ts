/** The commands of thresholds on usage. */
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import {
  checked,
  patterned,
  print,
  printList,
  wholeNumber,
  withDatabase,
} from '../../platform/process/command-line.ts'
import { type ThresholdPeriod, thresholdPeriods } from './model.ts'
import { amountSchema, type ThresholdView, thresholdView, toThreshold } from './schemas.ts'
import * as service from './service.ts'

const meterArgument = checked(
  (text) => text.trim() !== '' && [...text.trim()].length <= 255,
  'a meter’s name of 1 to 255 characters',
)
const periodArgument = checked<ThresholdPeriod>(
  (text) => thresholdPeriods.some((period) => period === text),
  `one of ${thresholdPeriods.join(', ')}`,
)

export function addThresholdCommands(usage: Command): void {
  const thresholds = usage
    .command('thresholds')
    .description('List, set and remove thresholds, which report when a meter reaches an amount.')

  thresholds
    .command('list')
    .description('List thresholds, with the time at which each was last crossed.')
    .requiredOption('--account <slug>', 'Account whose thresholds to list.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  thresholds
    .command('set')
    .description('Set a threshold. If the current total has reached it already, it is crossed at once.')
    .argument('<meter>', 'Name of the meter.', meterArgument)
    .requiredOption('--account <slug>', 'Account of the meter.', slugArgument)
    .requiredOption(
      '--period <period>',
      `Period whose total is compared: ${thresholdPeriods.join(', ')}.`,
      periodArgument,
    )
    .requiredOption(
      '--amount <amount>',
      'The total at which the threshold is crossed.',
      patterned(amountSchema),
    )
    .action(set)

  thresholds
    .command('remove')
    .description('Remove a threshold. The events of its crossings stay.')
    .argument('<id>', 'The threshold’s ThresholdID.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .requiredOption('--account <slug>', 'Account of the threshold.', slugArgument)
    .action(remove)
}

function inAccount<T>(slug: string, work: (sql: Sql, accountId: number) => Promise<T>): Promise<T> {
  return withDatabase(async (sql) => work(sql, (await getAccount(sql, slug)).id))
}

async function list({ account, json }: { account: string; json?: true }): Promise<void> {
  const thresholds = await inAccount(account, service.listThresholds)
  if (thresholds.length === 0 && !json) return print('The account has no threshold.')
  await printThresholds(thresholds.map(thresholdView), json)
}

type SetOptions = { account: string; period: ThresholdPeriod; amount: string }

async function set(meter: string, { account, period, amount }: SetOptions): Promise<void> {
  const input = toThreshold({ Meter: meter, Period: period, Threshold: amount })
  const made = await inAccount(account, (sql, accountId) =>
    runAgain(sql, (tx) => service.setThreshold(tx, accountId, input)),
  )
  await print('The threshold is set.')
  await printThresholds([thresholdView(made)])
}

async function remove(id: number, { account }: { account: string }): Promise<void> {
  await inAccount(account, (sql, accountId) =>
    runAgain(sql, (tx) => service.removeThreshold(tx, accountId, id)),
  )
  await print('The threshold is removed.')
}

function printThresholds(thresholds: readonly ThresholdView[], json?: true): Promise<void> {
  const records = thresholds.map(({ CreatedAt, LastCrossedAt, ...threshold }) => ({
    ...threshold,
    CreatedAt: new Date(CreatedAt * 1000),
    LastCrossedAt: LastCrossedAt === null ? null : new Date(LastCrossedAt * 1000),
  }))
  return printList(
    ['ThresholdID', 'Meter', 'Period', 'Threshold', 'CreatedAt', 'LastCrossedAt'],
    records,
    json,
  )
}
