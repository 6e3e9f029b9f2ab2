/** The commands of deliveries, which are added to the commands of webhooks. */
import { type Command, InvalidArgumentError } from 'commander'
import { runAgain } from '../../../platform/postgres/run-once.ts'
import {
  checked,
  counted,
  print,
  printList,
  wholeNumber,
  withDatabase,
} from '../../../platform/process/command-line.ts'
import { findOwner, idArgument, type WebhookOptions, withOwner } from '../endpoints/commands.ts'
import * as service from './service.ts'

const maxListed = 500
const statusArgument = checked<service.DeliveryStatus>(
  (text) => service.deliveryStatuses.some((status) => status === text),
  service.deliveryStatuses.join(', '),
)

/** @param webhooks the parent command. */
export function addDeliveryCommands(webhooks: Command): void {
  const ofEndpoint = (name: string) =>
    withOwner(webhooks.command(name)).argument('<id>', 'ID of the endpoint.', idArgument)

  ofEndpoint('test').description('Send an endpoint a test.').action(test)

  ofEndpoint('replay')
    .description('Send an endpoint the events of its types again, from an event or an instant on.')
    .option('--from-number <number>', 'Number of the first event.', idArgument)
    .option(
      '--from-time <instant>',
      'Instant from which events are sent, such as 2027-06-11T10:00:00Z.',
      instantArgument,
    )
    .action(replay)

  ofEndpoint('deliveries')
    .description('List the deliveries of an endpoint, newest first.')
    .option('--status <status>', 'Only pending, delivered or failed deliveries.', statusArgument)
    .option(
      '--limit <number>',
      'Maximum number of deliveries to list; 100 by default.',
      wholeNumber(maxListed),
    )
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  ofEndpoint('redeliver')
    .description('Send a finished delivery again, with the same id.')
    .argument('<delivery>', 'ID of the delivery in `webhooks deliveries`.', idArgument)
    .action(redeliver)
}

function instantArgument(text: string): Date {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const instant = new Date(isInstant ? text : Number.NaN)
  if (Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('It must be an instant with its offset, such as 2027-06-11T10:00:00Z.')
  return instant
}

async function test(id: number, options: WebhookOptions): Promise<void> {
  const made = await withDatabase(async (sql) => {
    const owner = await findOwner(sql, options)
    return runAgain(sql, (tx) => service.sendTest(tx, owner, id))
  })
  await print(`Delivery ${made.id} is a test, with the id ${made.messageId}. A worker sends it.`)
}

type ReplayOptions = WebhookOptions & { fromNumber?: number; fromTime?: Date }

async function replay(id: number, { fromNumber, fromTime, ...options }: ReplayOptions): Promise<void> {
  const from = fromNumber !== undefined ? { number: fromNumber } : fromTime && { since: fromTime }
  if (!from || (fromNumber !== undefined && fromTime))
    throw new InvalidArgumentError('give either --from-number or --from-time')
  const { events } = await withDatabase(async (sql) => {
    const owner = await findOwner(sql, options)
    return runAgain(sql, (tx) => service.replay(tx, owner, id, from))
  })
  await print(
    `${counted(events, 'event is', 'events are')} replayed. Endpoint ${id} gets those with its types again.`,
  )
}

async function redeliver(id: number, deliveryId: number, options: WebhookOptions): Promise<void> {
  const made = await withDatabase(async (sql) => {
    const owner = await findOwner(sql, options)
    return runAgain(sql, (tx) => service.redeliver(tx, owner, { endpointId: id, deliveryId }))
  })
  await print(
    `Delivery ${made.id} repeats delivery ${deliveryId}, with the same id ${made.messageId}. A worker sends it.`,
  )
}

type ListOptions = WebhookOptions & { status?: service.DeliveryStatus; limit?: number }

const columns = [
  ...['ID', 'MessageID', 'Type', 'Status', 'Tries', 'CreatedAt', 'NextTryAt', 'FinishedAt'],
  ...['HTTPStatus', 'DurationMs', 'Answer', 'Fault'],
]

async function list(id: number, { status, limit, ...options }: ListOptions): Promise<void> {
  const { deliveries } = await withDatabase(async (sql) => {
    const query = { ...(status && { Status: status }), ...(limit && { Limit: limit }) }
    return service.browseDeliveries(sql, await findOwner(sql, options), id, query)
  })
  if (deliveries.length === 0 && !options.json) return print('There are no such deliveries.')
  const records = deliveries.map((delivery) => ({
    ...{ ID: delivery.id, MessageID: delivery.messageId, Type: delivery.type, Status: delivery.status },
    ...{ Tries: delivery.tries, CreatedAt: delivery.createdAt, NextTryAt: delivery.nextTryAt },
    ...{ FinishedAt: delivery.finishedAt, HTTPStatus: delivery.httpStatus, DurationMs: delivery.durationMs },
    ...{ Answer: delivery.answer, Fault: delivery.fault },
  }))
  await printList(columns, records, options.json)
}
