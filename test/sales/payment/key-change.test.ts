/**
 * Changing SECRET_KEY in the order of docs/keys.md: processes that know both keys accept what either key has sealed or
 * signed.
 */
import t from 'tap'
import { optOutUrl } from '../../../src/messaging/emails/links.ts'
import { hashAddress } from '../../../src/platform/crypto/address-hash.ts'
import { sign } from '../../../src/sales/payment/model.ts'
import { createSecret } from '../../../src/sales/payment/secrets.ts'
import { run } from '../../command-line.ts'
import { buildOn, createDatabase, makeCaller } from '../../helper.ts'

const [before, after] = ['the secret key of before, 32 letters', 'the secret key of later, 32 letters']

t.test(
  'a process that knows both keys accepts what either has sealed or signed, and resealing completes the change',
  async (t) => {
    const { sql, url } = await createDatabase(t)
    const { accountId } = await makeCaller(sql, { slug: 'quay' })
    const steps = {
      old: { SECRET_KEY: before },
      prepared: { SECRET_KEY: before, SECRET_KEY_PREVIOUS: after },
      changed: { SECRET_KEY: after, SECRET_KEY_PREVIOUS: before },
      done: { SECRET_KEY: after },
    }
    const web = async (environment: Record<string, string>) => (await buildOn(t, url, environment)).app
    type Web = Awaited<ReturnType<typeof web>>
    /** Returns the status: 401 if the signature is not valid, else 404, because the basket is unknown. */
    const sendEvent = async (app: Web, secret: string) => {
      const event = {
        ID: 'evt_1',
        Account: 'quay',
        Type: 'failed',
        BasketID: 1,
        Amount: '1.00',
        Currency: 'EUR',
      }
      const payload = JSON.stringify(event)
      const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(payload))
      const headers = { 'content-type': 'application/json', 'payment-signature': signature }
      return (await app.inject({ method: 'POST', url: '/api/v2/payments/events', headers, payload }))
        .statusCode
    }
    const openLink = async (app: Web, by: string) => {
      const link = optOutUrl('', by, { accountId, hash: hashAddress('ada@example.com') })
      return (await app.inject({ url: link })).statusCode
    }

    const [old, prepared, changed] = [
      await web(steps.old),
      await web(steps.prepared),
      await web(steps.changed),
    ]
    const [oldSecret, newSecret] = [
      await createSecret(sql, before, accountId),
      await createSecret(sql, after, accountId),
    ]
    // A process that knows only the old key refuses what the new key has signed or sealed.
    t.equal(await sendEvent(old, oldSecret), 404)
    t.equal(await openLink(old, before), 200)
    t.equal(await sendEvent(old, newSecret), 401)
    t.equal(await openLink(old, after), 404)
    for (const app of [prepared, changed]) {
      for (const secret of [oldSecret, newSecret]) t.equal(await sendEvent(app, secret), 404)
      for (const by of [before, after]) t.equal(await openLink(app, by), 200)
    }

    const cli = (environment: Record<string, string>, ...args: string[]) =>
      run({ DATABASE_URL: url, ...environment }, 'secrets', ...args)
    const done = await web(steps.done)
    t.equal(await sendEvent(done, oldSecret), 401, 'the old secret is not sealed with the new key yet')
    t.match(await cli(steps.done, 'reseal'), { code: 1, stderr: /neither .* decrypts: 1/ })
    t.match(await cli(steps.changed, 'reseal'), { code: 0, stdout: /^Secrets encrypted again: 1\./ })
    t.match(await cli(steps.changed, 'reseal'), { code: 0, stdout: /^Secrets encrypted again: 0\./ })
    for (const secret of [oldSecret, newSecret]) t.equal(await sendEvent(done, secret), 404)
    t.equal(await openLink(done, after), 200)
    t.equal(await openLink(done, before), 404)
  },
)
