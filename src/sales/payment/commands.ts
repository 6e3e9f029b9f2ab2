/** The commands of payments: manage a provider's secrets, list payments, and send test events as a provider would. */
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { slugArgument } from '../../accounts/commands.ts'
import { getAccount } from '../../accounts/service.ts'
import { secretKeysOf } from '../../platform/embedded/secret-key.ts'
import { checked, print, printList, wholeNumber, withDatabase } from '../../platform/process/command-line.ts'
import { readBasket } from '../basket/views.ts'
import { sign } from './model.ts'
import * as secrets from './secrets.ts'

export function addPaymentCommands(program: Command): void {
  const payments = program
    .command('payments')
    .description('Manage a payment provider’s secrets, list payments, and send payment events.')
  addSecretCommands(payments.command('secrets').description('Make, list and revoke a provider’s secrets.'))

  payments
    .command('list')
    .description('List the payments and refunds of a sale, and print its balance.')
    .requiredOption('--account <slug>', 'Account of the sale.', slugArgument)
    .requiredOption('--basket <id>', 'Basket of the sale.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .option('--json', 'Print JSON, for programs.')
    .action(list)

  payments
    .command('send')
    .description('Send the service a signed payment event, as a provider would, and print the response.')
    .requiredOption('--account <slug>', 'Account that is paid.', slugArgument)
    .requiredOption('--basket <id>', 'Basket that is paid.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .requiredOption('--type <type>', 'Type of the event: succeeded, failed or refunded.', typeArgument)
    .option(
      '--amount <amount>',
      'Amount that was paid, by default the basket’s total; or that was paid back, by default the refund that is due, or else the total.',
    )
    .option('--currency <code>', 'Currency of the amount; by default the basket’s.')
    .option('--reference <text>', 'The provider’s reference of the payment.')
    .option(
      '--event-id <id>',
      'ID of the event. Give the ID of an earlier event to repeat it; by default, a new ID.',
    )
    .option('--url <url>', 'Base URL of the service; by default PUBLIC_URL.')
    .action(send)
}

const typeArgument = checked(
  (text) => ['succeeded', 'failed', 'refunded'].includes(text),
  'succeeded, failed or refunded',
)
async function list({ account, basket, json }: { account: string; basket: number; json?: true }) {
  const { Ledger } = await withDatabase(async (sql) =>
    readBasket(sql, (await getAccount(sql, account)).id, basket),
  )
  if (json) return print(JSON.stringify(Ledger, null, 2))
  if (!Ledger) return print('A partner made this sale, and the customer pays the partner.')
  const records = Ledger.Entries.map(({ MadeAt, Actor, ...entry }) => {
    return { ...entry, At: MadeAt, By: Actor.Name ?? Actor.Kind }
  })
  await printList(['ID', 'Type', 'Method', 'Amount', 'Currency', 'Reference', 'At', 'By'], records)
  await print(`Balance: ${Ledger.Balance.Amount} ${Ledger.Balance.Currency}`)
}

function addSecretCommands(command: Command): void {
  command
    .command('create')
    .description(
      'Create a secret and print only the secret. It cannot be shown again. At most two secrets are live.',
    )
    .requiredOption('--account <slug>', 'Account that is paid.', slugArgument)
    .action(async ({ account }: { account: string }) => {
      const secret = await withDatabase(async (sql, config) => {
        const secretKeys = await secretKeysOf(config)
        return secrets.createSecret(sql, secretKeys, (await getAccount(sql, account)).id)
      })
      await print(secret)
    })

  command
    .command('list')
    .description('List an account’s secrets, without their values.')
    .requiredOption('--account <slug>', 'Account to look at.', slugArgument)
    .option('--json', 'Print JSON, for programs.')
    .action(async ({ account, json }: { account: string; json?: true }) => {
      const found = await withDatabase(async (sql, config) => {
        const secretKeys = await secretKeysOf(config)
        return secrets.listSecrets(sql, secretKeys, (await getAccount(sql, account)).id)
      })
      const records = found.map(({ id, status, createdAt, revokedAt }) => {
        return { ID: id, Status: status, CreatedAt: createdAt, RevokedAt: revokedAt }
      })
      await printList(['ID', 'Status', 'CreatedAt', 'RevokedAt'], records, json)
    })

  command
    .command('revoke')
    .description('End a secret at once.')
    .argument('<id>', 'The secret’s ID in `payments secrets list`.', wholeNumber(Number.MAX_SAFE_INTEGER))
    .requiredOption('--account <slug>', 'Account whose secret it is.', slugArgument)
    .action(async (id: number, { account }: { account: string }) => {
      const revokedNow = await withDatabase(async (sql, config) => {
        await secretKeysOf(config)
        return secrets.revokeSecret(sql, (await getAccount(sql, account)).id, id)
      })
      await print(revokedNow ? `Secret ${id} is revoked.` : `Secret ${id} had been revoked already.`)
    })
}

type SendOptions = {
  account: string
  basket: number
  type: string
  amount?: string
  currency?: string
  reference?: string
  eventId?: string
  url?: string
}

async function send(options: SendOptions): Promise<void> {
  const { account, basket, type, amount, currency, reference, eventId, url } = options
  const { request, address } = await withDatabase(async (sql, config) => {
    const { id } = await getAccount(sql, account)
    const secret = await secrets.findNewestSecret(sql, await secretKeysOf(config), id)
    const { Total, Ledger } = await readBasket(sql, id, basket)
    const due = type === 'refunded' && Number(Ledger?.RefundDue.Amount ?? 0) > 0 ? Ledger!.RefundDue : null
    const price = due ?? Total
    const body = JSON.stringify({
      ID: eventId ?? `evt_${randomUUID()}`,
      Account: account,
      Type: type,
      BasketID: basket,
      Amount: amount ?? price?.Amount ?? '0',
      Currency: currency ?? price?.Currency ?? 'EUR',
      Reference: reference,
    })
    const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(body))
    const headers = { 'content-type': 'application/json', 'payment-signature': signature }
    return { request: { method: 'POST', headers, body }, address: url ?? config.PUBLIC_URL }
  })
  const answer = await fetch(`${address}/api/v2/payments/events`, request)
  await print(`${answer.status} ${await answer.text()}`)
  if (!answer.ok) throw new Error('the service refused the event')
}
