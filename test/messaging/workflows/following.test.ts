/** When an account changes its language, the unchanged texts of its default workflows change too. */
import t from 'tap'
import { textsIn } from '../../../src/languages/texts.ts'
import { defaultWorkflowsIn, insertDefaultWorkflows } from '../../../src/messaging/workflows/defaults.ts'
import { pumpEvents } from '../../pump.ts'
import { buildQuay } from '../emails/fixtures.ts'

t.test(
  'a default workflow gets the words of the new language, unless the operator has changed them',
  async (t) => {
    const { sql, accountId, call } = await buildQuay(t)
    await sql.begin((tx) => insertDefaultWorkflows(tx, accountId, 'en-GB'))
    await sql`update workflows set body = body || ' Bye!' where trigger = 'booking-moved'`
    await sql`update workflows set name = 'Own name' where trigger = 'booking-amended'`
    const read = () => sql<{ trigger: string; name: string; subject: string; body: string }[]>`
    select trigger, name, subject, body from workflows order by id`
    const before = await read()
    const setLocale = async (Locale: string) => {
      t.equal((await call('PUT', '/business-details', { Locale })).statusCode, 200)
      await pumpEvents(sql)
    }
    await setLocale('pt-PT')
    const words = defaultWorkflowsIn(textsIn('pt-PT'))
    const [moved, amended, cancelled] = await read()
    t.same(moved, before[0], 'the workflow with the operator’s words is unchanged')
    t.match(amended, { name: 'Own name', body: words['booking-amended'].body })
    const { name, subject, body } = words['booking-cancelled']
    t.match(cancelled, { name, subject, body })
    await setLocale('pt-BR')
    t.match((await read())[2], { name })
    await setLocale('en-IE')
    t.same(await read(), before)
  },
)
