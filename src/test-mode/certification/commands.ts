/** The command that checks what a partner has done in test mode. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { isTestAccount, liveAccountOf, testAccountOf } from '../../accounts/model.ts'
import { findCaller, getAccount, listPartners } from '../../accounts/service.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { askSecretly, print, printList, withDatabase } from '../../platform/process/command-line.ts'
import { listTalliesOf, type PartnerRef } from '../../reports/scorecards/service.ts'
import { certify } from './model.ts'

type CertifyOptions = { account?: string; partner?: string; key?: string | true; json?: true }

/** @param partners the parent command. */
export function addCertifyCommand(partners: Command): void {
  partners
    .command('certify')
    .description(
      'Check that a partner has tried everything it must handle, in test mode in the last 35 days; fail if anything is missing.',
    )
    .option('--account <slug>', 'Account of the operator.', slugArgument)
    .option('--partner <name>', 'Name of the partner.')
    .addOption(
      new Option(
        '--key [key]',
        'Instead of both, a test key of the partner. Without a value, the command asks for it, or reads it from a pipe.',
      ).conflicts(['account', 'partner']),
    )
    .option('--json', 'Print JSON, for programs.')
    .action(run)
}

async function run({ json, ...options }: CertifyOptions): Promise<void> {
  const token = options.key === true ? await askSecretly('Test key: ') : options.key
  const checks = await withDatabase(async (sql) => {
    const partner = token === undefined ? await findNamed(sql, options) : await findByKey(sql, token)
    return certify(await listTalliesOf(sql, partner))
  })
  const records = checks.map(({ check, calls, toDo }) => ({ Check: check, Calls: calls, ToDo: toDo }))
  await printList(['Check', 'Calls', 'ToDo'], records, json)
  const missing = checks.filter(({ toDo }) => toDo !== null).length
  if (missing > 0)
    throw new Error(`${missing} of ${checks.length} checks ${missing === 1 ? 'is' : 'are'} missing`)
  if (!json) await print('The partner is ready to go live.')
}

async function findNamed(sql: Sql, { account, partner }: CertifyOptions): Promise<PartnerRef> {
  if (account === undefined || partner === undefined)
    throw new InvalidArgumentError('name the partner by --account and --partner, or by --key')
  const { id } = await getAccount(sql, account)
  const liveId = liveAccountOf(id)
  const found = (await listPartners(sql, liveId)).find(({ name }) => name === partner)
  if (!found) throw new Error(`there is no partner ${partner}`)
  return { accountId: testAccountOf(liveId), partnerId: found.id }
}

async function findByKey(sql: Sql, token: string): Promise<PartnerRef> {
  const caller = await findCaller(sql, token.trim())
  if (!caller) throw new Error('the key is unknown, expired or revoked')
  if (!isTestAccount(caller.accountId)) throw new Error('the key is a live key: give a test key')
  return caller
}
