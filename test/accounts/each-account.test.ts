/** How scheduled jobs process the accounts when the work of one fails or takes long. */
import t from 'tap'
import { AccountsFailed, forEachAccount } from '../../src/accounts/each-account.ts'

const failing = (code: string) => Object.assign(new Error(`fails with ${code}`), { code })

function piecesOf(...accountIds: number[]) {
  return accountIds.map((accountId, index) => ({ accountId, index }))
}

t.test('an account whose work fails does not stop the others, and is reported at the end', async (t) => {
  const done: number[] = []
  const work = async ({ accountId }: { accountId: number }) => {
    if (accountId === 2) throw failing('23514')
    done.push(accountId)
    return 10
  }
  const error = await forEachAccount(piecesOf(1, 2, 2, 3), { work }).then(
    () => null,
    (error) => error,
  )
  t.ok(error instanceof AccountsFailed)
  t.match(error, { message: 'the job failed for 1 of 3 accounts', cause: { code: '23514' } })
  t.match(error.failures, [{ accountId: 2, errors: 2 }])
  t.same(done.sort(), [1, 3])
  t.equal(await forEachAccount(piecesOf(1, 3, 3), { work }), 30, 'the results are added up')
})

t.test('a failing item does not stop the other items of its account; a timeout does', async (t) => {
  for (const [code, expected] of [
    ['23514', [1, 2]],
    ['57014', []],
    ['55P03', []],
  ] as const) {
    const done: number[] = []
    const work = async ({ index }: { index: number }) => {
      if (index === 0) throw failing(code)
      return done.push(index)
    }
    await t.rejects(forEachAccount(piecesOf(1, 1, 1), { work }), { cause: { code } })
    t.same(done, expected, code)
  }
})

t.test(
  'an account that exceeds its time limit stops after its current item, and its other items wait for the next run',
  async (t) => {
    const done: number[] = []
    const work = async ({ accountId }: { accountId: number }) => {
      return done.push(accountId)
    }
    await forEachAccount(piecesOf(1, 1, 1, 2), { work, limitMs: 0 })
    t.same(done.sort(), [1, 2])
  },
)

t.test('a slow account does not hold up the accounts after it', async (t) => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const done: number[] = []
  const work = async ({ accountId }: { accountId: number }) => {
    if (accountId === 1) await ended
    if (accountId === 9) end()
    return done.push(accountId)
  }
  await forEachAccount(piecesOf(1, 2, 3, 4, 5, 6, 7, 8, 9), { work })
  t.equal(done.length, 9)
})

t.test('when PostgreSQL is down, the job ends at once', async (t) => {
  let begun = 0
  const work = async () => {
    begun++
    throw failing('ECONNREFUSED')
  }
  const accounts = piecesOf(...Array.from({ length: 100 }, (_, index) => index))
  await t.rejects(forEachAccount(accounts, { work }), { code: 'ECONNREFUSED' })
  t.ok(begun < 10)
})
