/** The command that encrypts stored secrets again after SECRET_KEY has changed. It covers all features. */
import type { Command } from 'commander'
import { listAccountIds } from './accounts/service.ts'
import { resealWebhookSecrets } from './messaging/webhooks/endpoints/secrets.ts'
import { secretKeysOf } from './platform/embedded/secret-key.ts'
import { print, withDatabase } from './platform/process/command-line.ts'
import { resealSecrets } from './sales/payment/secrets.ts'

export function addSecretsCommand(program: Command): void {
  program
    .command('secrets')
    .description('Manage the secrets that are encrypted with SECRET_KEY.')
    .command('reseal')
    .description(
      'Encrypt the secrets of payment providers and webhook endpoints of all accounts with SECRET_KEY, so that SECRET_KEY_PREVIOUS can be removed. Fails if neither key decrypts a secret that is not revoked.',
    )
    .action(reseal)
}

async function reseal(): Promise<void> {
  const { resealed, unreadable } = await withDatabase(async (sql, config) => {
    const secretKeys = await secretKeysOf(config)
    const sum = { resealed: 0, unreadable: 0 }
    for (const id of await listAccountIds(sql)) {
      for (const resealSome of [resealSecrets, resealWebhookSecrets]) {
        const done = await resealSome(sql, secretKeys, id)
        sum.resealed += done.resealed
        sum.unreadable += done.unreadable
      }
    }
    return sum
  })
  await print(`Secrets encrypted again: ${resealed}.`)
  if (unreadable > 0)
    throw new Error(`secrets in use that neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts: ${unreadable}`)
}
