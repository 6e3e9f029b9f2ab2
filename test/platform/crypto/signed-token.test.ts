/** Links that are handed back: only what this service signed, for this purpose, with this secret, is read. */
import fc from 'fast-check'
import t from 'tap'
import { readToken, signToken } from '../../../src/platform/crypto/signed-token.ts'

const secret = 'a secret of at least 32 characters'

t.test('what was signed is read as it was, and needs no escaping in a URL', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string())), (payload) => {
      const token = signToken(secret, 'offer', payload)
      t.equal(encodeURIComponent(token), token)
      t.same(readToken(secret, 'offer', token), JSON.parse(JSON.stringify(payload)))
    }),
  )
})

t.test('while the secret is changed, either opens what was signed, and the first signs', async (t) => {
  const other = `${secret} of before`
  for (const signer of [secret, other])
    for (const order of [
      [secret, other],
      [other, secret],
    ])
      t.same(readToken(order, 'offer', signToken(signer, 'offer', { n: 1 })), { n: 1 })
  t.equal(readToken([other], 'offer', signToken(secret, 'offer', { n: 1 })), null)
  t.equal(readToken([], 'offer', signToken(secret, 'offer', { n: 1 })), null)
})

t.test('another purpose, another secret, and any change of a character make it nothing', async (t) => {
  const token = signToken(secret, 'offer', { accountId: 1, entryId: 7 })
  t.equal(readToken(secret, 'unsubscribe', token), null)
  t.equal(readToken(`${secret}!`, 'offer', token), null)
  for (let index = 0; index < token.length; index++) {
    for (const character of 'AQZaz059_-.') {
      const changed = token.slice(0, index) + character + token.slice(index + 1)
      if (changed !== token) t.equal(readToken(secret, 'offer', changed), null, changed)
    }
  }
  for (const other of ['', '.', `${token}.`, `.${token}`, token.slice(0, -1), `${token}A`, 'x'.repeat(1e6)])
    t.equal(readToken(secret, 'offer', other), null)
})
