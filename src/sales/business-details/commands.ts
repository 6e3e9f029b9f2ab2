/** The commands that show and set the business details of an account. */
import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { localeArgument, slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { type Authorship, theService } from '../../events/actor.ts'
import { type Locale, locales } from '../../languages/locales.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { runAgain } from '../../platform/postgres/run-once.ts'
import { checked, patterned, print, printList, withDatabase } from '../../platform/process/command-line.ts'
import {
  addressLineSchema,
  type BusinessDetailsRequest,
  businessPhoneSchema,
  colourSchema,
  legalNameSchema,
  maxAddressLines,
  taxNumberSchema,
} from './schemas.ts'
import { readBusinessDetails, removeLogo, replaceBusinessDetails, replaceLogo } from './service.ts'

type BusinessDetailsOptions = {
  account: string
  legalName?: string
  address?: string[]
  taxNumber?: string
  phone?: string
  email?: string
  locale?: Locale
  colour?: string
}

const longestEmail = 254
const lineArgument = patterned(addressLineSchema)
const emailArgument = checked(
  (text) => /^\S+@\S+$/.test(text) && text.length <= longestEmail,
  'an e-mail address',
)

function addressArgument(text: string, before: string[] = []): string[] {
  const lines = [...before, lineArgument(text)]
  if (lines.length > maxAddressLines)
    throw new InvalidArgumentError(`There may be at most ${maxAddressLines} address lines.`)
  return lines
}

export function addBusinessCommands(program: Command): void {
  const details = program
    .command('business-details')
    .description('Show and set the business details that receipts and customers’ pages show.')
  details
    .command('show')
    .description('Show the business details.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(show)

  details
    .command('set')
    .description(
      'Replace the business details, except the logo. An option that is not given removes its detail.',
    )
    .requiredOption('--account <slug>', 'Account to change.', slugArgument)
    .option(
      '--legal-name <name>',
      'Name of the business, if it differs from the account’s name.',
      patterned(legalNameSchema),
    )
    .option('--address <line>', 'One line of the address; may be repeated.', addressArgument)
    .option('--tax-number <text>', 'Tax number, as receipts show it.', patterned(taxNumberSchema))
    .option('--phone <number>', 'Where customers call.', patterned(businessPhoneSchema))
    .option('--email <address>', 'Where customers write to.', emailArgument)
    .option(
      '--locale <locale>',
      `Language and country of pages and e-mails for customers: ${locales.join(', ')}.`,
      localeArgument,
    )
    .option(
      '--colour <colour>',
      'Colour of buttons and links that customers see, for example #0a5bb0.',
      patterned(colourSchema),
    )
    .action(set)

  const logo = details.command('logo').description('Set or remove the logo that customers see.')
  logo
    .command('set')
    .description('Set the logo: a picture in PNG, JPEG or WebP of at most 256 kB.')
    .argument('<file>', 'Path of the picture.')
    .requiredOption('--account <slug>', 'Account to change.', slugArgument)
    .action((file: string, { account }: { account: string }) =>
      changeLogo(account, async (tx, by) => replaceLogo(tx, by, await readFile(file))),
    )
  logo
    .command('remove')
    .description('Remove the logo.')
    .requiredOption('--account <slug>', 'Account to change.', slugArgument)
    .action(({ account }: { account: string }) => changeLogo(account, removeLogo))
}

async function changeLogo(
  account: string,
  work: (tx: Transaction, by: Authorship) => Promise<void>,
): Promise<void> {
  await withDatabase(async (sql) => {
    const { id: accountId } = await getAccount(sql, account)
    await runAgain(sql, (tx) => work(tx, { accountId, actor: theService }))
  })
  await print(`The logo of ${account} is changed.`)
}

async function show({ account, json }: { account: string; json?: true }): Promise<void> {
  const details = await withDatabase(async (sql) =>
    readBusinessDetails(sql, (await getAccount(sql, account)).id),
  )
  await printDetails(details, json)
}

async function set({
  account,
  legalName,
  address,
  taxNumber,
  phone,
  email,
  locale,
  colour,
}: BusinessDetailsOptions): Promise<void> {
  const request = {
    ...(legalName && { LegalName: legalName }),
    ...(address && { AddressLines: address }),
    ...(taxNumber && { TaxNumber: taxNumber }),
    ...(phone && { Phone: phone }),
    ...(email && { Email: email }),
    ...(locale && { Locale: locale }),
    ...(colour && { Colour: colour }),
  }
  await withDatabase(async (sql) => {
    const { id: accountId } = await getAccount(sql, account)
    await runAgain(sql, (tx) => replaceBusinessDetails(tx, { accountId, actor: theService }, request))
  })
  await print(`The business details of ${account} are set.`)
}

function printDetails(
  { AddressLines, ...details }: Required<BusinessDetailsRequest>,
  json?: true,
): Promise<void> {
  const record = { ...details, AddressLines: json ? AddressLines : AddressLines.join(', ') || null }
  return printList(
    ['LegalName', 'AddressLines', 'TaxNumber', 'Phone', 'Email', 'Locale', 'Colour'],
    [record],
    json,
  )
}
