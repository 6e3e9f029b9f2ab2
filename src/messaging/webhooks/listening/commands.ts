/** The command that prints an account's webhooks on a developer's machine. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { secretKeysOf } from '../../../platform/embedded/secret-key.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { checked, print, withDatabase } from '../../../platform/process/command-line.ts'
import { oneLine } from '../../../platform/process/explain.ts'
import { listenForStop, type Stop } from '../../../platform/process/stop-signals.ts'
import { findOwner, type WebhookOptions, withOwner } from '../endpoints/commands.ts'
import { chosenBodies, type EndpointOwner, typesFor } from '../endpoints/model.ts'
import { describeWebhook } from './model.ts'
import { openWebhookReceiver, type ReceivedWebhook } from './receiver.ts'
import { closeEndpoint, deleteStaleEndpoints, openEndpoint, tryEndpoint } from './service.ts'

type ListenOptions = WebhookOptions & { port: string; body: 'thin' | 'full'; event?: string[] }

const testTimeoutMs = 15_000
const known = typesFor(null)
const typeArgument = checked(
  (text) => known.includes(text),
  'a type of event, a family such as booking.*, or *',
)
const bodyArgument = checked((text) => chosenBodies.some((kind) => kind === text), chosenBodies.join(' or '))
const portArgument = checked(
  (text) => /^\d{1,5}$/.test(text) && Number(text) < 65_536,
  'a port from 0 to 65535',
)

/** @param webhooks the parent command. */
export function addListenCommand(webhooks: Command): void {
  withOwner(webhooks.command('listen'))
    .description(
      'Receive webhooks on this machine, verify and print each, until Ctrl-C. The command makes an endpoint, and deletes it at the end.',
    )
    .option('--port <port>', 'Port of 127.0.0.1 to listen on; 0 takes a free one.', portArgument, '0')
    .option('--body <kind>', 'Kind of bodies: thin or full.', bodyArgument, 'thin')
    .option(
      '--event <type...>',
      'Types of events, or families such as booking.*; all when left out.',
      (text: string, before: string[] = []) => [...before, typeArgument(text)],
    )
    .option('--json', 'Print each body as JSON, one a line, for programs.')
    .action((options: ListenOptions) => {
      const stop = listenForStop()
      stop.urgent.addEventListener('abort', () => process.exit(130))
      return withDatabase((sql, config) => listen(sql, { config, stop, options }), 'continue')
    })
}

async function listen(
  sql: Sql,
  { config, stop, options }: { config: Config; stop: Stop; options: ListenOptions },
): Promise<void> {
  const owner = await findOwner(sql, options)
  const left = await deleteStaleEndpoints(sql, owner.accountId)
  if (left > 0) say(`Endpoints of earlier runs that were killed are deleted: ${left}.`)
  const receiver = await openWebhookReceiver(
    Number(options.port),
    (webhook) => show(webhook, options.json),
    (reason) => say(`A request was refused: ${reason}.`),
  )
  try {
    const { url } = receiver
    const eventTypes = options.event ?? ['*']
    const keys = await secretKeysOf(config)
    const { id, secret } = await openEndpoint(sql, owner, { url, eventTypes, body: options.body }, keys)
    receiver.secret = secret
    // Resolves when a write fails because the program that reads the output, such as `head`, has ended.
    const gone = new Promise<void>((resolve) => process.stdout.once('error', () => resolve()))
    try {
      say(`Endpoint ${id} of ${options.account} listens on ${url}. Ctrl-C ends it.`)
      await checkWorker(sql, owner, id, stop)
      await Promise.race([stop.whenRequested, gone])
    } finally {
      await closeEndpoint(sql, owner, id)
      say(`Endpoint ${id} is deleted.`)
    }
  } finally {
    receiver.close()
  }
}

/**
 * Sends a test delivery and prints whether it arrives. If it does not, the usual cause is the configuration of the
 * worker.
 */
async function checkWorker(
  sql: Sql,
  owner: EndpointOwner,
  id: number,
  { requested: signal }: Stop,
): Promise<void> {
  const { isTried, fault } = await tryEndpoint(sql, owner, id, { timeoutMs: testTimeoutMs, signal })
  if (signal.aborted) return
  if (!isTried) return say('No worker has sent the test delivery yet. Is a worker running on this database?')
  if (fault === null) return say('A test delivery has arrived. Waiting for events.')
  say(`The worker could not deliver a test: ${oneLine(fault)}`)
  say(
    'The worker must run on this machine, with WEBHOOK_ALLOW_HTTP=1 and WEBHOOK_PRIVATE_NETWORKS=127.0.0.1, and with the SECRET_KEY of this command.',
  )
}

async function show({ messageId, body }: ReceivedWebhook, asJson: true | undefined): Promise<void> {
  await print(asJson ? body : oneLine(describeWebhook(messageId, body)))
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
