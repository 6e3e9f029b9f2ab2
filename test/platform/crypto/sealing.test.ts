/** Secrets at rest: sealed text opens only for its owner and purpose, even while the key is being changed. */
import t from 'tap'
import { createSeal } from '../../../src/platform/crypto/sealing.ts'

const [one, two] = ['a secret key of at least 32 letters', 'another key of at least 32 letters']

t.test('sealed text opens unchanged, and only with its own key, purpose and owner', async (t) => {
  const sealed = createSeal(one, 'a').seal('pay_é', '7')
  t.equal(createSeal(one, 'a').open(sealed, '7'), 'pay_é')
  t.equal(createSeal(one, 'b').open(sealed, '7'), null)
  t.equal(createSeal(two, 'a').open(sealed, '7'), null)
  t.equal(createSeal(one, 'a').open(sealed, '8'), null)
  for (const [index] of sealed.entries()) {
    const changed = Buffer.from(sealed)
    changed[index]! ^= 1
    t.equal(createSeal(one, 'a').open(changed, '7'), null)
  }
  t.equal(createSeal(one, 'a').open(Buffer.alloc(3), '7'), null)
})

t.test('with several keys, the first one seals and any of them opens', async (t) => {
  const both = createSeal([two, one], 'a')
  t.equal(both.open(createSeal(one, 'a').seal('old', '7'), '7'), 'old')
  t.equal(createSeal(two, 'a').open(both.seal('new', '7'), '7'), 'new')
  t.equal(createSeal(one, 'a').open(both.seal('new', '7'), '7'), null)
})
