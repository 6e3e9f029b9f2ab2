/** The signature of a payment event, and how its secret is sealed. */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import t from 'tap'
import { createSeal } from '../../../src/platform/crypto/sealing.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { isSignedBy, makeSecret, parseSignature, sign } from '../../../src/sales/payment/model.ts'

const body = Buffer.from('{"ID":"evt_1"}')
const isGood = (header: string, secrets: string[], sent = body, seconds = 1000) => {
  const signature = parseSignature(header)
  return signature !== null && isSignedBy(secrets, signature, sent, seconds)
}

t.test('a signature is the HMAC-SHA256 of the timestamp, a full stop and the body', async (t) => {
  const v1 = createHmac('sha256', 'pay_secret').update('1000.{"ID":"evt_1"}').digest('hex')
  t.equal(sign('pay_secret', 1000, body), `t=1000,v1=${v1}`)
  // Compare `printf '1000.{"ID":"evt_1"}' | openssl dgst -sha256 -hmac pay_secret`.
  t.equal(v1, 'e0daae002f20b74a2091605f82564c3417fcb3dfa0da8b00b73ea0c48100f8a1')
})

t.test('the example in docs/selling.md is a valid signature', async (t) => {
  const document = await readFile(projectPath('docs', 'selling.md'), 'utf8')
  const example = /the secret `(\S+)` at `(\d+)`, the signature of\s+`(\{.*\})` is\s+`v1=(\w+)`/
  const [, secret, seconds, sent, v1] = example.exec(document)!
  t.equal(sign(secret!, Number(seconds), Buffer.from(sent!)), `t=${seconds},v1=${v1}`)
})

t.test('a signature is valid only for its secret, body and time', async (t) => {
  const header = sign('one', 1000, body)
  t.ok(isGood(header, ['one']))
  t.ok(isGood(header, ['two', 'one']), 'either secret is valid while secrets are changed')
  t.notOk(isGood(header, ['two']))
  t.notOk(isGood(header, []))
  t.notOk(isGood(header, ['one'], Buffer.from('{"ID":"evt_2"}')))
  t.notOk(isGood(header.replace('t=1000', 't=1001'), ['one']))
})

t.test('a signature is valid for times up to five minutes in the past or in the future', async (t) => {
  const header = sign('one', 1000, body)
  for (const seconds of [700, 1300]) t.ok(isGood(header, ['one'], body, seconds))
  for (const seconds of [699, 1301]) t.notOk(isGood(header, ['one'], body, seconds))
})

t.test('a header may have several v1 signatures, and other parts are ignored', async (t) => {
  const [timestamp, v1] = sign('one', 1000, body).split(',')
  t.ok(isGood(`${timestamp}, v1=${'0'.repeat(64)}, ${v1}, v2=abc`, ['one']))
  t.ok(isGood(`${v1},${timestamp}`, ['one']))
  t.notOk(isGood(`${timestamp}`, ['one']))
  t.notOk(isGood(`${v1}`, ['one']))
  t.notOk(isGood(`t=999,${timestamp},${v1}`, ['one']), 'only one timestamp is allowed')
})

t.test('no other text is accepted as a signature, and no text causes an exception', async () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, hex) => {
      return [text, `t=1000,v1=${hex}`, `t=${text},v1=${'ab'.repeat(32)}`].every(
        (header) => !isGood(header, ['one']),
      )
    }),
  )
})

t.test('a sealed secret opens only with its key, for its owner, and if no byte has changed', async (t) => {
  const secret = makeSecret()
  const seal = createSeal('k'.repeat(32), 'payment-secrets')
  const sealed = seal.seal(secret, '7')
  t.equal(seal.open(sealed, '7'), secret)
  t.notOk(sealed.includes(secret))
  t.notSame(seal.seal(secret, '7'), sealed, 'sealing the same secret again gives other bytes')
  t.equal(seal.open(sealed, '8'), null)
  t.equal(createSeal('l'.repeat(32), 'payment-secrets').open(sealed, '7'), null)
  t.equal(createSeal('k'.repeat(32), 'sessions').open(sealed, '7'), null)
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    t.equal(seal.open(changed, '7'), null)
  }
  for (const length of [0, 5, 20, 30]) t.equal(seal.open(randomBytes(length), '7'), null)
})
