/** Tokens in links: only those that this service signed, for this purpose, with this secret, are accepted. */
import fc from 'fast-check'
import t from 'tap'
import { readToken, signToken } from '../../../src/platform/crypto/signed-token.ts'

const secret = 'a secret of at least 32 characters'

t.test('a signed payload is read unchanged, and its token needs no escaping in a URL', async (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string())), (payload) => {
      const token = signToken(secret, 'offer', payload)
      t.equal(encodeURIComponent(token), token)
      t.same(readToken(secret, 'offer', token), JSON.parse(JSON.stringify(payload)))
    }),
  )
})

t.test('while the secret is changed, tokens signed with either secret are accepted', async (t) => {
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

t.test('a token with another purpose, another secret or any changed character is not accepted', async (t) => {
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
