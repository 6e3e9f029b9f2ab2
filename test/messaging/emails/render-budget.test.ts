/** How much of the time of a process the templates of an account may take. The tests set the clock. */
import t from 'tap'
import { createRenderBudget } from '../../../src/messaging/emails/render-budget.ts'

t.test(
  'an account must pause ten times as long as its templates took, and others need no pause',
  async (t) => {
    let now = 0
    const clock = () => now
    const renders = createRenderBudget(clock, clock)
    const take = (accountId: number, ms: number) =>
      renders.take(accountId, () => {
        now += ms
        return 'text'
      })
    t.equal(await take(1, 20), 'text')
    t.equal(renders.owedMs(1), 200)
    t.equal(renders.owedMs(2), 0)
    now += 150
    t.equal(renders.owedMs(1), 50)
    await take(1, 30)
    t.equal(renders.owedMs(1), 320, 'the new pause is added to the rest of the earlier one')
    now += 1000
    t.equal(renders.owedMs(1), 0)
    await t.rejects(
      renders.take(1, () => {
        now += 10
        throw new Error('cannot be rendered')
      }),
      /cannot be rendered/,
    )
    t.equal(renders.owedMs(1), 100, 'a template that fails counts as well')
  },
)

t.test('the time in which other processes had the processor is not counted', async (t) => {
  let [now, used] = [0, 0]
  const renders = createRenderBudget(
    () => now,
    () => used,
  )
  await renders.take(1, () => {
    now += 300
    used += 20
  })
  t.equal(renders.owedMs(1), 200)
})
