/**
 * A mail server is slow with one message: the handover of the message is abandoned after a time limit, and
 * other messages are sent meanwhile.
 */
import t, { type Test } from 'tap'
import { until } from '../../until.ts'
import { buildQuay, makeBooking, makeEmails, makeSending, readOutbox } from './fixtures.ts'
import { startSmtp } from './smtp.ts'

/**
 * Starts a mail server that does not answer a message to the customer `slowly` until `release` is called, and queues
 * such an e-mail. `isHeld` says whether the server has got it.
 */
async function prepareSlow(t: Test) {
  const quay = await buildQuay(t)
  const { sql, accountId } = quay
  let [release, isHeld] = [() => {}, false]
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const smtp = await startSmtp(t, {
    onMessage(raw) {
      if (!raw.includes('slowly')) return
      isHeld = true
      return released
    },
  })
  t.teardown(() => release())
  const slow = await makeBooking(sql, accountId, { firstName: 'slowly' })
  await makeEmails(sql, accountId, [{ kind: 'confirmation', bookingId: slow.id }])
  return { ...quay, smtp, release: () => release(), isHeld: () => isHeld }
}

t.test('a handover that takes too long is abandoned and retried later', async (t) => {
  const { sql, smtp } = await prepareSlow(t)
  const send = makeSending(sql, { SMTP_URL: smtp.url }, { handoverMs: 500 })
  t.same(await send(), { retried: 1 })
  t.match(await readOutbox(sql), [{ status: 'queued', reason: /in time/, attempts: 1 }])
})

t.test('a slow handover delays no other e-mail', async (t) => {
  const { sql, accountId, smtp, release, isHeld } = await prepareSlow(t)
  const send = makeSending(sql, { SMTP_URL: smtp.url })
  const first = send()
  await until(isHeld)
  const { id } = await makeBooking(sql, accountId)
  await makeEmails(sql, accountId, Array(20).fill({ kind: 'confirmation', bookingId: id }))
  // This second call sends e-mails that have become due meanwhile.
  const others = await send()
  await until(() => smtp.received.length === 20)
  t.match((await readOutbox(sql))[0], { status: 'queued', attempts: 0 })
  release()
  const [slow, rest] = [(await first).sent ?? 0, others.sent ?? 0]
  t.equal(slow + rest, 21)
})
