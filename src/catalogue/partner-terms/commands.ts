/** The commands of partner terms: their options and their output. */
import { type Command, InvalidArgumentError } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount, listPartners } from '../../accounts/service.ts'
import { theService } from '../../events/actor.ts'
import { namingOptions } from '../../http/option-faults.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import {
  patterned,
  print,
  printList,
  wholeNumber,
  withDatabase,
} from '../../platform/process/command-line.ts'
import { listProductNames } from '../queries.ts'
import { commissionSchema, netPriceSchema, type PartnerTerm } from './schemas.ts'
import { changePartnerTerm, readPartnerTerms } from './service.ts'

type NetPrices = NonNullable<PartnerTerm['NetPrices']>

/** A product ID, or `all` for the terms for all products. Commander treats null as a missing value. */
function productArgument(text: string): number | 'all' {
  return text === 'all' ? text : wholeNumber(Number.MAX_SAFE_INTEGER)(text)
}

function productIdOf({ product }: TermOptions): number | null {
  return product === 'all' ? null : product
}

function netPriceArgument(text: string, before: NetPrices = []): NetPrices {
  const [, unit, amount = ''] = /^(\d{1,15})=(.*)$/.exec(text) ?? []
  if (unit === undefined)
    throw new InvalidArgumentError('It must be a unit’s ID and an amount, as in 3=36.00.')
  return [...before, { UnitID: Number(unit), Amount: patterned(netPriceSchema.properties.Amount)(amount) }]
}

/** @returns the command `partners`, to which other features add commands. */
export function addPartnerCommands(program: Command): Command {
  const partners = program
    .command('partners')
    .description('Manage the terms of partners, and check whether a partner can go live.')
  const terms = partners
    .command('terms')
    .description('List, set and clear what partners owe for their sales.')

  terms
    .command('list')
    .description('List the terms of partners, those for all products first.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--partner <name>', 'Only this partner.')
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  terms
    .command('set')
    .description(
      'Set a partner’s terms for a product, or for all products without their own terms. Bookings keep the terms of their sale.',
    )
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .requiredOption('--partner <name>', 'Name of the partner.')
    .requiredOption('--product <id>', 'Product of the terms, or `all`.', productArgument)
    .option(
      '--commission <percentage>',
      'Percentage that the partner keeps, such as 12.5.',
      patterned(commissionSchema),
    )
    .option(
      '--net-price <unit=amount>',
      'Or the amount that the partner owes for one ticket of a unit, as <unit ID>=<amount>, such as 3=36.00. Unit 0 is the default unit. The option may be repeated.',
      netPriceArgument,
    )
    .action(set)

  terms
    .command('clear')
    .description('End a partner’s terms for future bookings.')
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .requiredOption('--partner <name>', 'Name of the partner.')
    .requiredOption(
      '--product <id>',
      'Product whose terms end, or `all` for the terms for all products.',
      productArgument,
    )
    .action(clear)
  return partners
}

type TermOptions = {
  account: string
  partner: string
  product: number | 'all'
  commission?: string
  netPrice?: NetPrices
}

async function set(options: TermOptions): Promise<void> {
  const { account, partner, commission, netPrice } = options
  const productId = productIdOf(options)
  const term: PartnerTerm = {
    ProductID: productId,
    ...(commission !== undefined && { Commission: commission }),
    ...(netPrice && { NetPrices: netPrice }),
  }
  await withDatabase(async (sql) => {
    const { accountId, id: partnerId } = await findPartner(sql, account, partner)
    const change = { partnerId, productId, term }
    await namingOptions(optionOf, () =>
      runAgain(sql, (tx) => changePartnerTerm(tx, { accountId, actor: theService }, change)),
    )
    await print(`The terms of ${partner} are now:`)
    await printTerms(sql, accountId, [{ id: partnerId, name: partner }])
  })
}

async function clear(options: TermOptions): Promise<void> {
  const { account, partner } = options
  const productId = productIdOf(options)
  const left = await withDatabase(async (sql) => {
    const { accountId, id: partnerId } = await findPartner(sql, account, partner)
    const existing = await readPartnerTerms(sql, accountId, partnerId)
    if (!existing.some(({ ProductID }) => ProductID === productId)) return null
    const change = { partnerId, productId, term: null }
    return namingOptions(optionOf, () =>
      runAgain(sql, (tx) => changePartnerTerm(tx, { accountId, actor: theService }, change)),
    )
  })
  const subject = `${partner} for ${productId === null ? 'all products' : `product ${productId}`}`
  await print(left ? `The terms of ${subject} are cleared.` : `There are no terms of ${subject}.`)
}

function optionOf(field: string): string {
  const options: Record<string, string> = {
    ProductID: '--product',
    Commission: '--commission',
    NetPrices: '--net-price',
  }
  const [, name = field] = /^Terms\[\d+\]\.(\w+)/.exec(field) ?? []
  return options[name] ?? name
}

async function findPartner(sql: Sql, slug: string, name: string) {
  const { id: accountId } = await getAccount(sql, slug)
  const partner = (await listPartners(sql, accountId)).find((one) => one.name === name)
  if (!partner) throw new Error(`there is no partner ${name}`)
  return { accountId, id: partner.id }
}

async function list({ account, partner, json }: { account: string; partner?: string; json?: true }) {
  await withDatabase(async (sql) => {
    const { id: accountId } = await getAccount(sql, account)
    const partners = await listPartners(sql, accountId)
    const wanted = partners.filter(({ name }) => partner === undefined || name === partner)
    if (partner !== undefined && wanted.length === 0) throw new Error(`there is no partner ${partner}`)
    await printTerms(sql, accountId, wanted, json)
  })
}

async function printTerms(
  sql: Sql,
  accountId: number,
  partners: readonly { id: number; name: string }[],
  json = false,
): Promise<void> {
  const found: (PartnerTerm & { Partner: string })[] = []
  for (const { id, name } of partners)
    for (const term of await readPartnerTerms(sql, accountId, id)) found.push({ Partner: name, ...term })
  if (json) return print(JSON.stringify(found, null, 2))
  if (found.length === 0) return print('There are no terms.')
  const names = new Map((await listProductNames(sql, accountId)).map(({ id, name }) => [id, name]))
  const records = found.map(({ Partner, ProductID, Commission, NetPrices }) => ({
    Partner,
    ProductID,
    Product: ProductID === null ? 'all others' : (names.get(ProductID) ?? ''),
    Commission: Commission === undefined ? null : `${Commission} %`,
    NetPrices: NetPrices?.map(({ UnitID, Amount }) => `${UnitID}=${Amount}`).join(', ') ?? null,
  }))
  await printList(Object.keys(records[0]!), records)
}
