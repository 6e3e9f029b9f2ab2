/** The commands of promotions. */
import { type Command, InvalidArgumentError } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { priceSchema } from '../../catalogue/schemas.ts'
import { theService } from '../../events/actor.ts'
import { namingOptions } from '../../http/option-faults.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import {
  checked,
  dayArgument,
  patterned,
  print,
  printList,
  wholeNumber,
  withDatabase,
} from '../../platform/process/command-line.ts'
import { findPromotionId } from './applying.ts'
import {
  codeSchema,
  maxProducts,
  maxUses,
  type PromotionChange,
  type PromotionLimitName,
  type PromotionView,
  percentSchema,
} from './schemas.ts'
import * as service from './service.ts'

/** The command-line option for each field of a request that describes a promotion. */
const optionNames = {
  Percent: 'percent',
  Amount: 'amount',
  Currency: 'currency',
  ProductIDs: 'product',
  SaleFrom: 'sale-from',
  SaleTo: 'sale-to',
  TravelFrom: 'travel-from',
  TravelTo: 'travel-to',
  MaxUses: 'max-uses',
  MaxUsesPerCustomer: 'max-uses-per-customer',
  Active: 'active',
} as const
type PromotionField = keyof typeof optionNames

const limits = [
  'ProductIDs',
  'SaleFrom',
  'SaleTo',
  'TravelFrom',
  'TravelTo',
  'MaxUses',
  'MaxUsesPerCustomer',
] as const satisfies PromotionLimitName[]
const limitNames = limits.map((field) => optionNames[field])

const codeArgument = patterned(codeSchema)
const activeArgument = checked((text) => ['true', 'false'].includes(text), 'true or false')
const limitArgument = checked(
  (text) => limitNames.some((name) => name === text),
  `one of ${limitNames.join(', ')}`,
)

function productArgument(text: string, before: number[] = []): number[] {
  const ids = [...new Set([...before, wholeNumber(Number.MAX_SAFE_INTEGER)(text)])]
  if (ids.length > maxProducts)
    throw new InvalidArgumentError(`There may be at most ${maxProducts} products.`)
  return ids
}

export function addPromotionCommands(program: Command): void {
  const promotions = program
    .command('promotions')
    .description('List, make, change and end the codes that reduce baskets.')

  promotions
    .command('list')
    .description('List promotions with the number of their uses, including ended promotions.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--code <text>', 'Only promotions with a code that contains this text, in upper or lower case.')
    .option(
      '--active <answer>',
      'Only active promotions (true), or only ended promotions (false).',
      activeArgument,
    )
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  const add = promotions
    .command('add')
    .description('Make a promotion of a percentage, or of an amount in a currency.')
    .argument(
      '<code>',
      'What customers type: 3 to 40 letters, digits and hyphens, in any case.',
      codeArgument,
    )
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
  withFields(add).action(async (code: string, options: PromotionOptions) => {
    const made = await inAccount(options, (sql, by) => {
      return runAgain(sql, (tx) => service.createPromotion(tx, by, { Code: code, ...toRequest(options) }))
    })
    await print(`Promotion ${made.Code} was created.`)
    await printPromotions([made])
  })

  const change = promotions
    .command('change')
    .description(
      'Change the given fields of a promotion. Baskets keep their discount until their lines change.',
    )
    .argument('<code>', 'The promotion’s code, in any case.', codeArgument)
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
  withFields(change)
    .option(
      '--unset <limit>',
      `A limit to remove: ${limitNames.join(', ')}. Can be given several times.`,
      (text: string, before: string[] = []) => [...new Set([...before, limitArgument(text)])],
    )
    .action(async (code: string, options: PromotionOptions) => {
      const { promotion } = await changeOne(code, options, toRequest(options))
      await print(`Promotion ${promotion.Code} is now:`)
      await printPromotions([promotion])
    })

  promotions
    .command('end')
    .description('End a promotion. It can no longer be applied; baskets that have it keep it.')
    .argument('<code>', 'The promotion’s code, in any case.', codeArgument)
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .action(async (code: string, options: PromotionOptions) => {
      const { promotion, wasActive } = await changeOne(code, options, { Active: false })
      await print(`Promotion ${promotion.Code} ${wasActive ? 'has ended' : 'had already ended'}.`)
    })
}

/** The options of the commands that make and change a promotion. */
function withFields(command: Command): Command {
  const { Amount, Currency } = priceSchema.properties
  return command
    .option('--percent <percentage>', 'Percentage off each line, such as 12.5.', patterned(percentSchema))
    .option(
      '--amount <amount>',
      'Instead of a percentage: amount off the lines together, at most their price.',
      patterned(Amount),
    )
    .option('--currency <code>', 'Currency of the amount.', patterned(Currency))
    .option(
      '--product <id>',
      'Product that the promotion is valid for. A new promotion without this option is valid for all products. Can be given several times.',
      productArgument,
    )
    .option(
      '--sale-from <day>',
      'First day on which the promotion can be applied, in the account’s time zone.',
      dayArgument,
    )
    .option('--sale-to <day>', 'Last day on which the promotion can be applied, included.', dayArgument)
    .option('--travel-from <day>', 'First day of the timeslots that the promotion is for.', dayArgument)
    .option('--travel-to <day>', 'Last day of these timeslots, included.', dayArgument)
    .option('--max-uses <number>', 'Maximum number of baskets that use the promotion.', wholeNumber(maxUses))
    .option(
      '--max-uses-per-customer <number>',
      'Maximum number of baskets of one customer, by e-mail address, that use the promotion.',
      wholeNumber(maxUses),
    )
    .option('--active <answer>', 'Whether the promotion can be applied: true or false.', activeArgument)
}

type PromotionOptions = { account: string; unset?: string[] } & Record<string, unknown>

/** The options as a request. */
function toRequest({ unset, ...options }: PromotionOptions): PromotionChange {
  const given = Object.entries(optionNames).flatMap(([field, name]) => {
    const value = options[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())]
    if (value === undefined) return []
    return [[field, field === 'Active' ? value === 'true' : value]]
  })
  const Unset = unset?.map((name) => limits.find((field) => optionNames[field] === name))
  return { ...Object.fromEntries(given), ...(Unset && { Unset }) } as PromotionChange
}

type Work<T> = (sql: Sql, by: { accountId: number; actor: typeof theService }) => Promise<T>

/** @throws an error that names the wrong options. */
function inAccount<T>(options: PromotionOptions, work: Work<T>): Promise<T> {
  const products = options.product as number[] | undefined
  const optionOf = (field: string) => {
    const [, name, index] = /^(\w+?)(?:\[(\d+)\])?$/.exec(field) ?? []
    if (name === 'Unset') return `--unset ${options.unset![Number(index)]}`
    if (name === 'ProductIDs' && index) return `--product ${products![Number(index)]}`
    return Object.hasOwn(optionNames, field) ? `--${optionNames[field as PromotionField]}` : field
  }
  return withDatabase(async (sql) => {
    const { id: accountId } = await getAccount(sql, options.account)
    return namingOptions(optionOf, () => work(sql, { accountId, actor: theService }))
  })
}

function changeOne(code: string, options: PromotionOptions, request: PromotionChange) {
  return inAccount(options, (sql, by) =>
    runAgain(sql, async (tx) => {
      const id = await findPromotionId(tx, by.accountId, code, { lock: true })
      if (id === null) throw new Error(`there is no promotion ${code.toUpperCase()}`)
      const { Active: wasActive } = await service.readOnePromotion(tx, by.accountId, id)
      return { promotion: await service.changePromotion(tx, by, { id, request }), wasActive }
    }),
  )
}

type PromotionListOptions = { account: string; code?: string; active?: 'true' | 'false'; json?: true }

async function list({ account, code, active, json }: PromotionListOptions): Promise<void> {
  const promotions = await withDatabase(async (sql) => {
    const { id } = await getAccount(sql, account)
    const filter = { ...(code && { Code: code }), ...(active && { Active: active }) }
    const found: PromotionView[] = []
    for (let next: string | null = ''; next !== null; ) {
      const page = await service.browsePromotions(sql, id, { ...filter, ...(next && { Cursor: next }) })
      found.push(...page.promotions)
      next = page.next
    }
    return found
  })
  if (json) return print(JSON.stringify(promotions, null, 2))
  if (promotions.length === 0)
    return print(code || active ? 'There is no such promotion.' : 'There are no promotions.')
  await printPromotions(promotions)
}

function printPromotions(promotions: readonly PromotionView[]): Promise<void> {
  const records = promotions.map((promotion) => ({
    Code: promotion.Code,
    Off: promotion.Percent === null ? `${promotion.Amount} ${promotion.Currency}` : `${promotion.Percent} %`,
    Products: promotion.ProductIDs?.join(',') ?? 'all',
    Sold: daysText(promotion.SaleFrom, promotion.SaleTo),
    Travel: daysText(promotion.TravelFrom, promotion.TravelTo),
    Uses: promotion.MaxUses === null ? promotion.Uses : `${promotion.Uses} of ${promotion.MaxUses}`,
    PerCustomer: promotion.MaxUsesPerCustomer,
    Status: promotion.Active ? 'active' : 'ended',
  }))
  return printList(Object.keys(records[0]!), records)
}

function daysText(from: string | null, to: string | null): string {
  if (from !== null && to !== null) return `${from} to ${to}`
  if (from !== null) return `from ${from}`
  return to === null ? 'any day' : `until ${to}`
}
