/** What a partner must do in test mode before it goes live, and the command that checks it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import type { Tally } from '../../src/reports/scorecards/model.ts'
import { certify } from '../../src/test-mode/certification/model.ts'
import { oneLine, program, run } from '../command-line.ts'
import { makeTestPartner, partnerPath } from './quay.ts'

const tally = (operation: Tally['operation'], outcome: Tally['outcome']): Tally => {
  return { operation, outcome, withinMs: 10, calls: 2 }
}

t.test('each check needs a request with its outcome', async (t) => {
  const met = (...tallies: Tally[]) =>
    certify(tallies).flatMap(({ check, toDo }) => (toDo === null ? [check] : []))
  t.same(met(), [])
  t.same(met(tally('products', 'done')), ['Products'])
  t.same(met(tally('availability', 'done')), ['Availability'])
  t.same(met(tally('book', 'done')), ['Booking'])
  t.same(met(tally('book', 'replayed')), ['Replay'])
  t.same(met(tally('book', 'insufficient-capacity')), ['Refusal (409)'])
  t.same(met(tally('book', 'timeslot-unavailable')), ['Refusal (409)'])
  t.same(met(tally('cancel', 'done')), ['Cancellation'])
})

t.test('a request that is refused as invalid counts for no check', async (t) => {
  const refused = (['products', 'availability', 'book', 'cancel'] as const).map((operation) =>
    tally(operation, 'validation'),
  )
  t.ok(certify(refused).every(({ calls, toDo }) => calls === 0 && toDo))
})

t.test('requests of the same kind add up', async (t) => {
  t.match(
    certify([tally('book', 'done'), tally('book', 'done')]).find(({ calls }) => calls > 0),
    {
      check: 'Booking',
      calls: 4,
    },
  )
})

t.test('partners certify', async (t) => {
  const world = await makeTestPartner(t)
  const { app, url, sql, product, ask, book, live, test, testKey } = world
  const certifyCommand = (...args: string[]) => run({ DATABASE_URL: url }, 'partners', 'certify', ...args)
  const named = ['--account', 'quay', '--partner', 'Atlas']

  t.test('fails before the partner has done anything, and says what to do', async (t) => {
    const { code, stdout, stderr } = await certifyCommand(...named)
    t.equal(code, 1)
    t.match(stdout, /^CHECK +CALLS +TO DO\nProducts +0 +List the products\.\n/)
    t.equal(stderr, 'error: 6 of 6 checks are missing\n')
  })

  t.test(
    'before the checks, the partner reads and books with its live key, and lists the products with its test key',
    async (t) => {
      const day = 'StartDate=2030-06-15&EndDate=2030-06-15'
      const answers = [
        await ask('GET', `${partnerPath}/products`, live),
        await ask('GET', `${partnerPath}/products`, test),
        await ask('GET', `${partnerPath}/availability/${product.activityId}/dates?${day}`, live),
        await book(live),
      ]
      t.same(
        answers.map(({ status }) => status),
        [200, 200, 200, 201],
      )
    },
  )

  t.test('passes when every check is met', async (t) => {
    const day = 'StartDate=2030-06-15&EndDate=2030-06-15'
    const dates = await ask('GET', `${partnerPath}/availability/${product.activityId}/dates?${day}`, test)
    t.equal(dates.status, 200)
    const key = { ...test, 'idempotency-key': 'certify' }
    const { body } = await book(key)
    t.equal((await book(key)).headers['idempotency-replayed'], 'true')
    t.equal((await book(test, 'sold-out@simulated.test')).status, 409)
    const cancelled = await ask('POST', `${partnerPath}/booking/${body.data.BookingReference}/cancel`, test)
    t.equal(cancelled.status, 200)
    // The counts of requests are stored when the process ends, at the latest.
    await app.close()
    const { code, stdout } = await certifyCommand(...named)
    t.equal(code, 0)
    t.match(stdout, /\nCancellation +1 +-\nThe partner is ready to go live\.\n$/)
    t.notMatch(stdout, /List the products/)
    t.match(stdout, /\nProducts +1 /, 'the live list is not counted')
    t.match(stdout, /\nAvailability +1 /, 'the live dates are not counted')
    t.match(stdout, /\nBooking +1 /, 'the live booking is not counted')
  })

  t.test('counts reads with a test key, and no reads with a live key', async (t) => {
    const rows = await sql`
      select account_id < 0 as test, operation from partner_calls
      where operation in ('products', 'availability') order by operation`
    t.same(rows, [
      { test: true, operation: 'availability' },
      { test: true, operation: 'products' },
    ])
  })

  t.test('accepts a test key instead, also from a pipe, so that no process list shows it', async (t) => {
    t.match(await certifyCommand('--key', testKey), { code: 0 })
    const child = spawn(process.execPath, [program, 'partners', 'certify', '--key'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.end(`${testKey}\n`)
    const [code] = await once(child, 'close')
    t.equal(code, 0)
  })

  t.test('prints JSON for programs', async (t) => {
    const { code, stdout } = await certifyCommand(...named, '--json')
    t.equal(code, 0)
    const checks = JSON.parse(stdout) as { Check: string; ToDo: string | null }[]
    t.equal(checks.length, 6)
    t.ok(checks.every(({ ToDo }) => ToDo === null))
  })

  t.test('accepts the slug of the test account instead of the live account’s', async (t) => {
    t.match(await certifyCommand('--account', 'quay.test', '--partner', 'Atlas'), { code: 0 })
  })

  t.test('reports wrong options in one line', async (t) => {
    const liveKey = live.authorization.slice('Bearer '.length)
    for (const [args, code, reason] of [
      [[], 2, /--account and --partner, or by --key/],
      [['--account', 'quay'], 2, /--account and --partner, or by --key/],
      [[...named, '--key', testKey], 2, /cannot be used with option/],
      [['--account', 'quay', '--partner', 'Nobody'], 1, /there is no partner Nobody/],
      [['--account', 'nowhere', '--partner', 'Atlas'], 1, /there is no account nowhere/],
      [['--key', liveKey], 1, /the key is a live key/],
      [['--key', `abs_test_1_${'x'.repeat(43)}`], 1, /unknown, expired or revoked/],
      [['--key', 'x'], 1, /unknown, expired or revoked/],
    ] as const) {
      const outcome = await certifyCommand(...args)
      t.equal(outcome.code, code, outcome.stderr)
      t.match(outcome.stderr, oneLine)
      t.match(outcome.stderr, reason)
      t.notMatch(outcome.stderr, testKey)
    }
  })
})
