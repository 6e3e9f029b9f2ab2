/** The commands of webhook endpoints and their secrets: their options and their output. */
import type { Command } from 'commander'
import { slugArgument } from '../../../accounts/commands.ts'
import { testAccountOf } from '../../../accounts/model.ts'
import { getAccount, listAccountIds, listPartners } from '../../../accounts/service.ts'
import { namingOptions } from '../../../http/option-faults.ts'
import { problems } from '../../../http/problems.ts'
import { secretKeysOf } from '../../../platform/embedded/secret-key.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import { print, printList, wholeNumber, withDatabase } from '../../../platform/process/command-line.ts'
import { InvalidFields, validatorCompiler } from '../../../platform/schema/validation.ts'
import type { EndpointOwner } from './model.ts'
import { type EndpointInput, endpointInputSchema } from './schemas.ts'
import * as service from './service.ts'
import { endpointSettings } from './settings.ts'
import { toFields } from './views.ts'

export type WebhookOptions = { account: string; partner?: string; test?: true; json?: true }

export const idArgument = wholeNumber(Number.MAX_SAFE_INTEGER)

/** Adds the options that all commands about endpoints have. */
export function withOwner(command: Command): Command {
  return command
    .requiredOption('--account <slug>', 'Account of the operator.', slugArgument)
    .option('--partner <name>', 'Partner that owns the endpoints of this command.')
    .option('--test', 'Endpoints of test mode.')
}

/** The owner that the options name. @throws an error that names what does not exist. */
export async function findOwner(
  sql: Sql,
  { account, partner, test }: WebhookOptions,
): Promise<EndpointOwner> {
  const { id } = await getAccount(sql, account)
  const accountId = test ? testAccountOf(id) : id
  if (test && !(await listAccountIds(sql)).includes(accountId))
    throw new Error('the account has no test mode yet: make a test key first')
  if (partner === undefined) return { accountId, partnerId: null }
  const found = (await listPartners(sql, accountId)).find(({ name }) => name === partner)
  if (!found) throw new Error(`there is no partner ${partner}`)
  return { accountId, partnerId: found.id }
}

/** @returns the command to which other commands about webhooks are added. */
export function addEndpointCommands(program: Command): Command {
  const webhooks = program.command('webhooks').description('Manage webhook endpoints and their deliveries.')

  withOwner(webhooks.command('list'))
    .description('List endpoints, with their positions and waiting deliveries.')
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  withOwner(webhooks.command('create'))
    .description('Make an endpoint, and print its secret, which cannot be shown again.')
    .requiredOption('--url <url>', 'Where events are sent to.')
    .requiredOption('--event <type...>', 'Types of events, families such as booking.*, or * for all.')
    .option('--description <text>', 'Description of its purpose.')
    .option(
      '--body <kind>',
      'thin: only the event. full: also the current booking, product or timeslots. Default: thin.',
    )
    .option(
      '--email <address>',
      'Recipient of an e-mail when the service pauses it, instead of the account’s owners.',
    )
    .action(create)

  for (const [name, action, description, state] of changes)
    withOwner(webhooks.command(name))
      .description(description)
      .argument('<id>', 'ID of the endpoint.', idArgument)
      .action(async (id: number, options: WebhookOptions) => {
        await withDatabase(async (sql) => {
          const owner = await findOwner(sql, options)
          await runAgain(sql, (tx) => action(tx, owner, id))
        })
        await print(`Endpoint ${id} is ${state}.`)
      })

  addSecretCommands(
    webhooks
      .command('secrets')
      .description('Make and delete the secrets that sign deliveries of an endpoint.'),
  )
  return webhooks
}

type EndpointAction = (tx: Transaction, owner: EndpointOwner, id: number) => Promise<unknown>
const changes: [name: string, action: EndpointAction, description: string, said: string][] = [
  ['pause', service.pauseEndpoint, 'Pause an endpoint: it gets nothing until it is resumed.', 'paused'],
  ['resume', service.resumeEndpoint, 'Resume an endpoint where it stopped.', 'active'],
  ['delete', service.deleteEndpoint, 'Delete an endpoint and its deliveries.', 'deleted'],
]

function addSecretCommands(command: Command): void {
  withOwner(command.command('create'))
    .description('Make a second secret and print it. It cannot be shown again.')
    .argument('<id>', 'ID of the endpoint.', idArgument)
    .action(async (id: number, options: WebhookOptions) => {
      const { secret } = await withDatabase(async (sql, config) => {
        const owner = await findOwner(sql, options)
        const settings = endpointSettings(config, await secretKeysOf(config))
        return runAgain(sql, (tx) => service.addSecret(tx, owner, { id, settings }))
      })
      await print(secret)
    })

  withOwner(command.command('delete'))
    .description('Delete one of two secrets; nothing is signed with it any more.')
    .argument('<id>', 'ID of the endpoint.', idArgument)
    .argument('<secret>', 'ID of the secret in `webhooks list`.', idArgument)
    .action(async (id: number, secretId: number, options: WebhookOptions) => {
      await withDatabase(async (sql) => {
        const owner = await findOwner(sql, options)
        await runAgain(sql, (tx) => service.deleteSecret(tx, owner, { id, secretId }))
      })
      await print(`Secret ${secretId} is deleted.`)
    })
}

const columns = [
  ...['ID', 'Partner', 'URL', 'EventTypes', 'Body', 'Status', 'PauseReason', 'Position', 'LogEnd'],
  ...['Unfinished', 'SetAside', 'FailingSince', 'Secrets'],
]

async function list(options: WebhookOptions): Promise<void> {
  const endpoints = await withDatabase(async (sql) =>
    service.listEndpoints(sql, await findOwner(sql, options)),
  )
  if (endpoints.length === 0 && !options.json) return print('There are no webhook endpoints.')
  const records = endpoints.map((endpoint) => ({
    ...{ ID: endpoint.id, Partner: endpoint.partnerName, URL: endpoint.url, EventTypes: endpoint.eventTypes },
    ...{ Body: endpoint.body, Status: endpoint.status, PauseReason: endpoint.pauseReason },
    ...{ Position: endpoint.position, LogEnd: endpoint.end, Unfinished: endpoint.unfinished },
    ...{ SetAside: endpoint.setAside, FailingSince: endpoint.failingSince },
    Secrets: endpoint.secrets.map(({ id }) => String(id)),
  }))
  await printList(columns, records, options.json)
}

type CreateOptions = WebhookOptions & {
  url: string
  event: string[]
  description?: string
  body?: string
  email?: string
}

async function create(options: CreateOptions): Promise<void> {
  const input = {
    ...{ URL: options.url, EventTypes: options.event, Description: options.description },
    ...{ Body: options.body, Email: options.email },
  }
  const { endpoint, secret } = await withDatabase(async (sql, config) => {
    const owner = await findOwner(sql, options)
    const settings = endpointSettings(config, await secretKeysOf(config))
    return namingOptions(optionOf, () => {
      const fields = toFields(checkInput(input))
      return runAgain(sql, (tx) => service.createEndpoint(tx, owner, { fields, settings }))
    })
  })
  await print(`Endpoint ${endpoint.id} was created. Its secret cannot be shown again:\n${secret}`)
}

/** Checks input with the schema of the API. */
function checkInput(input: Record<string, unknown>): EndpointInput {
  const given = JSON.parse(JSON.stringify(input)) as EndpointInput
  const route = { method: 'POST', url: '', httpPart: 'body' }
  const outcome: unknown = validatorCompiler({ ...route, schema: endpointInputSchema as object })(given)
  const { error } = (typeof outcome === 'object' ? outcome : {}) as { error?: unknown }
  if (error instanceof InvalidFields) throw problems.validation(error.fields)
  return given
}

function optionOf(field: string): string {
  const options: Record<string, string> = {
    ...{ URL: '--url', EventTypes: '--event', Description: '--description', Body: '--body' },
    Email: '--email',
  }
  return options[field.replace(/\[\d+\]$/, '')] ?? field
}
