/** The list of entries, page by page, and voiding one of them. */
import t from 'tap'
import { auditUsage, retryRejects } from '../../src/metering/audit/service.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { makeCaller } from '../helper.ts'
import { buildUsage, entry, everyDay, onBothStores, toTuple } from './fixtures.ts'

const always = { from: '1970-01-01', to: '2100-01-02' }

t.test('entries are listed by day, meter and ID, and paged through by Link', async (t) => {
  const { app, sql, accountId, headers, listEntries } = await buildUsage(t, 'postgres', { workers: 0 })
  const day = (index: number) => Date.parse('2027-05-01T12:00:00Z') / 1000 + 86_400 * index
  const entries = Array.from({ length: 25 }, (_, index) =>
    entry(accountId, 100 - index, { meter: `m${index % 2}`, occurredAt: day(index % 3) }),
  )
  await storeEntries(sql, entries)
  type Listed = { ID: number; Meter: string; Day: string }
  const whole = (await listEntries('from=2027-05-01&to=2027-05-03')).json().data as Listed[]
  t.equal(whole.length, 25)
  const order = ({ Day, Meter, ID }: Listed) => `${Day} ${Meter} ${String(ID).padStart(5, '0')}`
  t.same(whole.map(order), whole.map(order).toSorted())
  const paged: Listed[] = []
  let next: string | undefined = '/api/v2/usage/entries?from=2027-05-01&to=2027-05-03&limit=10'
  let pages = 0
  while (next) {
    const answer = await app.inject({ url: next, headers })
    paged.push(...answer.json().data)
    const link = answer.headers.link as string | undefined
    next = link && new URL(/<(.*)>; rel="next"/.exec(link)![1]!).href.replace('http://booking.test', '')
    pages++
  }
  t.equal(pages, 3)
  t.same(paged, whole)
  const some = (await listEntries('from=2027-05-02&to=2027-05-02&meter=m1')).json().data as Listed[]
  t.ok(some.length > 0 && some.every(({ Day, Meter }) => Day === '2027-05-02' && Meter === 'm1'))
  for (const [query, field] of [
    ['from=2027-05-02&to=2027-05-01', 'to'],
    ['to=2027-05-01', 'from'],
    [`${everyDay}&limit=0`, 'limit'],
    [`${everyDay}&limit=1001`, 'limit'],
    [`${everyDay}&cursor=nonsense`, 'cursor'],
    [`${everyDay}&cursor=${Buffer.from('["2027-02-30","m",1]').toString('base64url')}`, 'cursor'],
    [`${everyDay}&cursor=${Buffer.from('["2027-13-45","m",1]').toString('base64url')}`, 'cursor'],
  ] as const) {
    const answer = await listEntries(query)
    t.equal(answer.statusCode, 422, query)
    t.same(answer.json().errors[0].field, field)
  }
})

await onBothStores(
  'a voided entry stays in the list, marked as voided, and is taken from the totals once',
  async (t, store) => {
    const { record, voidEntry, summarize, listEntries, sql, accountId } = await buildUsage(t, store)
    const { ID } = (await record({ Meter: 'm', Usage: 2.5 })).json().data
    await record({ Meter: 'm', Usage: 1 })
    // The first entry may still be in the queue. Then a void waits until it is stored.
    const answers = await Promise.all(
      [1, 2, 3, 4].map((number) => voidEntry(ID, { Reason: ` wrong ${number} ` })),
    )
    t.ok(answers.every(({ statusCode }) => statusCode === 200))
    const reasons = new Set(answers.map((answer) => answer.json().data.VoidReason))
    t.equal(reasons.size, 1)
    t.match([...reasons][0], /^wrong \d$/)
    t.same((await summarize(everyDay)).summary.Totals, { Usage: 1, Events: 1 })
    const listed = (await listEntries(everyDay)).json().data as { ID: number; VoidedAt: number | null }[]
    t.equal(listed.length, 2)
    t.ok(listed.find((entry) => entry.ID === ID)!.VoidedAt)
    t.same(await auditUsage(sql, accountId, always), [])
  },
)

t.test('an entry that is voided and delivered again is still not counted', async (t) => {
  const { services, sql, accountId, voidEntry, summarize } = await buildUsage(t, 'postgres')
  await storeEntries(sql, [entry(accountId, 5)])
  t.equal((await voidEntry(5)).statusCode, 200)
  await services.queue.add('usage.store', [toTuple(entry(accountId, 5))])
  const { summary } = await summarize(everyDay)
  t.same(summary, { ...summary, Totals: { Usage: 0, Events: 0 }, Meters: [] })
})

t.test('voiding gets 503 for an entry in the queue, and 404 for an unknown entry', async (t) => {
  const { services, accountId, voidEntry } = await buildUsage(t, 'postgres', { workers: 0 })
  await services.queue.add('usage.store', [toTuple(entry(accountId, 5))])
  const [waiting, unknown] = await Promise.all([voidEntry(5), voidEntry(6)])
  t.equal(waiting.statusCode, 503)
  t.equal(unknown.statusCode, 404)
  t.equal((await voidEntry('x')).statusCode, 400)
  t.match((await voidEntry('0')).json().type, /malformed-request$/)
  for (const payload of [{}, { Reason: '  ' }, { Reason: 7 }, { Reason: 'x'.repeat(1001) }]) {
    t.equal((await voidEntry(5, payload)).statusCode, 422)
  }
})

t.test('voiding an entry that could not be stored gets 503', async (t) => {
  const { app, sql, accountId, voidEntry } = await buildUsage(t, 'postgres', { workers: 0 })
  const poison = entry(accountId, 5, { usage: 'much' })
  await storeEntries(sql, [poison])
  const answer = await voidEntry(5)
  t.equal(answer.statusCode, 503)
  t.equal(answer.headers['retry-after'], '3600')
  t.match(answer.json().detail, /could not be stored/)
  await sql`update usage_rejects set entry = ${JSON.stringify({ ...poison, usage: '1' })}`
  await retryRejects(sql)
  t.equal((await voidEntry(5)).statusCode, 200)
  const { headers } = await makeCaller(sql, { slug: 'other', scopes: ['usage:write'] })
  await storeEntries(sql, [entry(accountId, 6, { usage: 'much' })])
  const url = '/api/v2/usage/entries/6/void'
  const foreign = await app.inject({ method: 'POST', url, headers, payload: { Reason: 'mine' } })
  t.equal(foreign.statusCode, 404, 'another account cannot tell that the entry exists')
})
