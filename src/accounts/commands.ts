/** The commands of accounts and API keys: their options and their output. */
import { type Command, InvalidArgumentError } from 'commander'
import { defaultLocale, isLocale, type Locale, locales } from '../languages/locales.ts'
import type { Sql, Transaction } from '../platform/postgres/database.ts'
import { checked, print, printList, wholeNumber, withDatabase } from '../platform/process/command-line.ts'
import { oneLine } from '../platform/process/explain.ts'
import { isTimeZone } from '../platform/text/calendar.ts'
import { isCountry } from '../platform/text/phone.ts'
import {
  defaultOverlapHours,
  isScope,
  isSlug,
  isSlugOfEither,
  type Scope,
  scopes,
  testSlugEnding,
} from './model.ts'
import * as service from './service.ts'

const newSlugArgument = checked(isSlug, 'lower-case letters, digits and single hyphens, at most 63')
export const slugArgument = checked(
  isSlugOfEither,
  'lower-case letters, digits and single hyphens, at most 63; a test account has `.test` at the end',
)

/**
 * Returns a parser for the slug of a live account.
 * @param instead what the error tells the user to do if the slug is that of a test account.
 */
export function liveSlugArgument(instead: string): (text: string) => string {
  return (text) => {
    if (text.endsWith(testSlugEnding)) throw new InvalidArgumentError(`It is a test account: ${instead}.`)
    return newSlugArgument(text)
  }
}

const nameArgument = checked(
  (text) => text.trim() !== '' && text.length <= 255 && text === oneLine(text),
  'one line of 1 to 255 characters, without spaces around it',
)
const timeZoneArgument = checked(isTimeZone, 'an IANA time zone such as Europe/Lisbon')
const countryArgument = checked(isCountry, 'the ISO 3166 code of a country in capitals, such as PT')
export const localeArgument = checked<Locale>(isLocale, `one of ${locales.join(', ')}`)
const scopeArgument = checked<Scope>(isScope, `one of ${scopes.join(', ')}`)
const longestDays = 36_500
const longestOverlapHours = 90 * 24

/**
 * Functions of higher layers, which this module must not import: `createTestKey`, and `furnish`, which stores
 * the first data of a new account.
 */
type AboveAccounts = {
  createTestKey: KeyMaker
  furnish: (tx: Transaction, accountId: number, locale: Locale) => Promise<void>
}
type NewAccountOptions = { name: string; timeZone: string; locale: Locale }
type KeyMaker = (sql: Sql, request: service.KeyRequest) => Promise<string>

export function addAccountCommands(program: Command, { createTestKey, furnish }: AboveAccounts): void {
  const accounts = program.command('accounts').description('Manage accounts, one for each operator.')

  accounts
    .command('create')
    .description(
      'Create an account, with workflows that e-mail customers when their bookings are moved, changed or cancelled.',
    )
    .argument('<slug>', 'Short name of the account in commands.', newSlugArgument)
    .requiredOption('--name <name>', 'Name of the operator.', nameArgument)
    .option(
      '--time-zone <zone>',
      'IANA time zone in which the days of the account begin and end.',
      timeZoneArgument,
      'UTC',
    )
    .option(
      '--locale <locale>',
      `Language and country of the e-mails to customers: ${locales.join(', ')}.`,
      localeArgument,
      defaultLocale,
    )
    .action(async (slug: string, { name, timeZone, locale }: NewAccountOptions) => {
      const account = await withDatabase((sql) =>
        sql.begin(async (tx) => {
          const made = await service.createAccount(tx, { slug, name, timeZone })
          await furnish(tx, made.id, locale)
          return made
        }),
      )
      await print(`Account ${account.slug} is created, with the id ${account.id}.`)
    })

  accounts
    .command('set-country')
    .description(
      'Set the country whose national format of phone numbers is used. The default is the country of the time zone.',
    )
    .argument('<slug>', 'Live account.', liveSlugArgument('use the live account that it follows'))
    .argument('<country>', 'ISO 3166 code such as PT.', countryArgument)
    .action(async (slug: string, country: string) => {
      await withDatabase(async (sql) => {
        const { id } = await service.getAccount(sql, slug)
        await service.setCountry(sql, id, country)
      })
      await print(`The country of ${slug} is ${country}.`)
    })

  accounts
    .command('list')
    .description('List the live accounts.')
    .option('--json', 'Print JSON, for programs.')
    .action(async ({ json }: { json?: true }) => {
      const found = await withDatabase(service.listAccounts)
      const records = found.map(({ id, slug, name, timeZone, createdAt }) => {
        return { ID: id, Slug: slug, Name: name, TimeZone: timeZone, CreatedAt: createdAt }
      })
      await printList(['ID', 'Slug', 'Name', 'TimeZone', 'CreatedAt'], records, json)
    })

  addKeyCommands(program, createTestKey)
}

function addKeyCommands(program: Command, createTestKey: KeyMaker): void {
  const keys = program.command('keys').description('Create, list, rotate and revoke API keys.')

  keys
    .command('create')
    .description('Create a key and print it. It cannot be shown again: only its hash is stored.')
    .requiredOption(
      '--account <slug>',
      'Live account of the key; with --test, its test account.',
      liveSlugArgument('give its live account and --test'),
    )
    .option(
      '--partner <name>',
      'Partner of the key. If it does not exist, it is created in the live account, also for a test key.',
      nameArgument,
    )
    .requiredOption(
      '--scope <scope>',
      `What the key may do: ${scopes.join(', ')}. The option may be repeated.`,
      (text: string, before: Scope[] = []) => [...before, scopeArgument(text)],
    )
    .option('--expires-in <days>', 'Days after which the key expires.', wholeNumber(longestDays))
    .option('--test', 'Create a test key. It reads the catalogue, and its bookings are not real.')
    .action((options: KeyOptions) => createKey(options, createTestKey))

  keys
    .command('list')
    .description('List the keys of an account, without their secrets.')
    .requiredOption('--account <slug>', 'Account whose keys to list.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(listKeys)

  keys
    .command('rotate')
    .description(
      'Create a key with the same partner and scopes, print it once, and limit how long the old key stays valid.',
    )
    .argument('<id>', 'The old key’s ID in `keys list`.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .option(
      '--overlap <hours>',
      'Hours for which both keys are valid.',
      wholeNumber(longestOverlapHours),
      defaultOverlapHours,
    )
    .action(async (id: number, { overlap: overlapHours }: { overlap: number }) => {
      const token = await withDatabase((sql) =>
        sql.begin((tx) => service.rotateKey(tx, id, { overlapHours })),
      )
      await print(token)
    })

  keys
    .command('revoke')
    .description('Revoke a key. Every process refuses it within seconds.')
    .argument('<id>', 'The key’s ID in `keys list`.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .action(async (id: number) => {
      const revokedNow = await withDatabase((sql) => service.revokeKey(sql, id))
      await print(revokedNow ? `Key ${id} is revoked.` : `Key ${id} was already revoked.`)
    })
}

type KeyOptions = { account: string; partner?: string; scope: Scope[]; expiresIn?: number; test?: true }

async function createKey(
  { account, partner = '', scope, expiresIn = 0, test }: KeyOptions,
  createTestKey: KeyMaker,
): Promise<void> {
  const token = await withDatabase(async (sql) => {
    const { id } = await service.getAccount(sql, account)
    const create = test ? createTestKey : service.createKey
    return create(sql, {
      accountId: id,
      partner: partner || null,
      scopes: scope,
      expiresInDays: expiresIn || null,
    })
  })
  await print(token)
}

async function listKeys({ account, json }: { account: string; json?: true }): Promise<void> {
  const keys = await withDatabase(async (sql) => {
    const { id } = await service.getAccount(sql, account)
    return service.listKeys(sql, id)
  })
  const records = keys.map((key) => ({
    ID: key.id,
    Mode: key.isTest ? 'test' : 'live',
    Partner: key.partner,
    Scopes: key.scopes,
    Status: key.status,
    CreatedAt: key.createdAt,
    ExpiresAt: key.expiresAt,
    RevokedAt: key.revokedAt,
    LastUsedAt: key.lastUsedAt,
  }))
  const columns = [
    'ID',
    'Mode',
    'Partner',
    'Scopes',
    'Status',
    'CreatedAt',
    'ExpiresAt',
    'RevokedAt',
    'LastUsedAt',
  ]
  await printList(columns, records, json)
}
