/** Errors in forms, for a user who chose Portuguese. */
import t from 'tap'
import { textOf } from '../fixtures.ts'
import { addressOf, type Form, formsOf, makeWorld, wrongQueries } from '../world.ts'

/** Words of English messages that no Portuguese message has. */
const english =
  /\b(?:must|is|are|be|been|has|have|not|needs?|required|with|this|the|and|or|at least|characters|Date|Code|Reason|Amount|Price|Product)\b/i

t.test('errors in forms and addresses are described in Portuguese', async (t) => {
  const world = await makeWorld(t)
  await world.sql`update users set locale = 'pt-PT'`
  const at = (path: string, others: Form['ids'] = {}) => addressOf(world, path, others)
  const faultsOf = (body: string) =>
    [
      ...body.matchAll(/<div role="alert" class="fault">.*?<\/div>/gs),
      ...body.matchAll(/<(span|p)(?: role="alert")? class="fault"[^>]*>.*?<\/\1>/gs),
    ].map(([markup]) => textOf(markup).trim())
  const found = new Map<string, string>()
  const check = (name: string, { statusCode, body }: { statusCode: number; body: string }) => {
    for (const text of faultsOf(body)) found.set(text, `${statusCode} ${name}`)
  }
  for (const [path, { fields, version, ids }] of Object.entries(formsOf(world))) {
    // These forms sign the user out, or change the user's language.
    if (/sign-out|language$/.test(path)) continue
    for (const text of ['', '?', 'x\u0000', '-1']) {
      const wrong = Object.fromEntries(Object.keys(fields ?? {}).map((name) => [name, text]))
      const sent = { ...wrong, ...(version !== undefined && { Version: 'old' }) }
      check(`${path} with “${text}”`, await world.owner.post(at(path, ids), sent))
    }
  }
  for (const query of [...wrongQueries, 'bookings/UNKNOWN1'])
    check(query, await world.owner.get(`/dashboard/${query}`))
  t.ok(found.size > 50, `${found.size} errors were found`)
  for (const [text, name] of found) t.notMatch(text, english, name)
})
