/** A form that asks for a confirmation changes nothing before it, even without JavaScript. */
import t from 'tap'
import { openTestMode } from '../../../src/test-mode/service.ts'
import { makeProduct } from '../../helper.ts'
import { makeDashboard, textOf } from '../fixtures.ts'

const question = 'Let <all> places go?'

t.test(
  'a form that needs a confirmation changes nothing before it, and the confirmation acts once',
  async (t) => {
    const { sql, accountId, signIn, call } = await makeDashboard(t)
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 9 } })
    const user = await signIn('staff')
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const { BasketID } = (await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })).data
    const path = `/dashboard/sell/${BasketID}/release`
    const held = async () => (await sql`select from bookings where status = 'held'`).length
    const asked = await user.post(path, { _question: question, Back: 'held' }, { once: 'first-key' })
    t.equal(asked.statusCode, 200)
    t.match(textOf(asked.body), 'Let <all> places go?')
    t.match(asked.body, `<form method="post" action="${path}"`)
    t.match(asked.body, 'name="_once" value="first-key"', 'the same key, so that it acts once')
    t.match(asked.body, 'name="Back" value="held"')
    t.notMatch(asked.body, 'name="_question"')
    t.equal(await held(), 1)
    const forged = await user.post(path, { _question: question }, { csrf: 'guessed' })
    t.equal(forged.statusCode, 403)
    for (const _ of [1, 2]) {
      const done = await user.post(path, { Back: 'held' }, { once: 'first-key' })
      t.equal(done.headers.location, '/dashboard/sell/held?done=places-released')
    }
    t.equal(await held(), 0)
  },
)

t.test('in test mode, the confirmation is sent to an address of test mode', async (t) => {
  const { sql, signIn, accountId } = await makeDashboard(t)
  await openTestMode(sql, accountId)
  const user = await signIn('owner')
  const path = '/dashboard/test/calendar/feeds/1/revoke'
  const asked = await user.post(path, { _question: question })
  t.match(asked.body, `<form method="post" action="${path}"`)
})
