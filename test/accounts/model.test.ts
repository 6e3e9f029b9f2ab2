/** The pure rules of keys and slugs. */
import fc from 'fast-check'
import t from 'tap'
import { hashKey, isSlug, makeKey, parseKey } from '../../src/accounts/model.ts'

t.test('a key contains the ID of its account, and a parsed key has the hash that is stored', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (accountId) => {
      const { token, hash } = makeKey(accountId)
      t.match(token, /^abs_[1-9]\d*_[\w-]{43}$/)
      t.strictSame(parseKey(token), { accountId, hash })
    }),
    { numRuns: 50 },
  )
})

t.test('no two keys are equal', async (t) => {
  const tokens = Array.from({ length: 1000 }, () => makeKey(7).token)
  t.equal(new Set(tokens).size, tokens.length)
})

t.test('text that does not have exactly the form of a key is not a key', async (t) => {
  const secret = makeKey(1).token.slice('abs_1_'.length)
  for (const token of [
    '',
    'abs_1_',
    `abs_0_${secret}`,
    `abs_01_${secret}`,
    `abs_-1_${secret}`,
    `abs_1.5_${secret}`,
    `abs_9007199254740992_${secret}`,
    `abs_99999999999999999999_${secret}`,
    `abs_1_${secret}x`,
    `abs_1_${secret.slice(1)}`,
    `abs_1_${secret.slice(1)}=`,
    `ABS_1_${secret}`,
    ` abs_1_${secret}`,
    `abs_1_${secret}\n`,
  ]) {
    t.equal(parseKey(token), null, JSON.stringify(token))
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseKey(text) === null))
})

t.test('changing one letter of a key changes its hash', async (t) => {
  const { token, hash } = makeKey(1)
  const changed = token.slice(0, 10) + (token[10] === 'A' ? 'B' : 'A') + token.slice(11)
  t.notSame(hashKey(changed), hash)
})

t.test('a slug is lower-case letters and digits with single hyphens between them', async (t) => {
  for (const slug of ['a', '0', 'demo', 'lagos-kayak-2', 'a'.repeat(63)]) t.ok(isSlug(slug), slug)
  for (const slug of ['', 'A', 'a_b', 'a--b', '-a', 'a-', 'a b', 'é', 'a\n', 'a'.repeat(64)]) {
    t.notOk(isSlug(slug), JSON.stringify(slug))
  }
})
