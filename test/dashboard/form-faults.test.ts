/** Errors of forms are shown once, at the field, with its label, and without the field’s name in the API. */
import t from 'tap'
import { textOf } from './fixtures.ts'
import { addressOf, type Form, formsOf, makeWorld, wrongQueries } from './world.ts'

/** Matches a field's name in the API: a path, a name in camel case, “ID”, or a name with an id, such as “Answer-3”. */
const wireName = /\b[A-Z]\w*(?:\.[A-Z]|\[\d)|\b[A-Za-z]?[a-z]+[A-Z]\w*|\bIDs?\b|\b(?:Answer|Unit|Price)-\d/

/** The summary of the errors, its items, and the error beside each field, by the field's id. */
function faultsIn(body: string) {
  const summary = /<div role="alert" class="fault">.*?<\/div>/s.exec(body)?.[0] ?? ''
  const beside = new Map(
    [...body.matchAll(/<span class="fault" id="([\w-]+)-about">(.*?)<\/span>/gs)].map(([, id, text]) => {
      return [id!, textOf(text!).trim()] as const
    }),
  )
  const items = [...summary.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item]) => {
    const [, id = null, label = ''] = /<a href="#([\w-]+)">(.*?)<\/a>/s.exec(item!) ?? []
    return { id, label: textOf(label).trim(), text: textOf(item!).trim() }
  })
  return { summary, beside, items }
}

function labelIn(body: string, id: string): string | null {
  const label = new RegExp(`<label for="${id}">(.*?)</label>`, 's').exec(body)?.[1]
  return label === undefined ? null : textOf(label).trim()
}

t.test('invalid values', async (t) => {
  const world = await makeWorld(t)
  const { owner } = world
  const at = (path: string, others: Form['ids'] = {}) => addressOf(world, path, others)
  const check = (name: string, { statusCode, body }: { statusCode: number; body: string }) => {
    t.ok(statusCode < 500, `${name} answers ${statusCode}`)
    const { summary, beside, items } = faultsIn(body)
    for (const text of [summary, ...beside.values()])
      t.notMatch(textOf(text).replace('WebP', ''), wireName, name)
    for (const { id, label, text } of items.filter((item) => item.id !== null)) {
      const shown = labelIn(body, id!)
      if (shown !== null) t.ok(shown.includes(label) || label.includes(shown), `${name}: ${label}, ${shown}`)
      t.match(body, `id="${id}"`, `${name}: ${label} leads to its field`)
      if (beside.has(id!)) t.equal(text, label, `${name} says once what is wrong with ${label}`)
    }
    return items.length
  }
  const fillWith = (fields: NonNullable<Form['fields']>, text: string) =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, text]))

  t.test('in forms are named by the labels of their fields', async (t) => {
    let found = 0
    for (const [path, { fields, version, ids }] of Object.entries(formsOf(world))) {
      // A form without fields has nothing to fill in. Forms of the account may end the session or change the language.
      if (!fields || path.includes('account')) continue
      for (const text of ['', '?', 'x\u0000']) {
        const sent = { ...fillWith(fields, text), ...(version !== undefined && { Version: 'old' }) }
        const answer = await owner.post(at(path, ids), sent)
        found += check(`${path} with “${text}”`, answer)
      }
    }
    t.ok(found > 100, `${found} errors were found`)
  })

  t.test('in the address of a page are named in the same way', async () => {
    for (const query of wrongQueries) check(query, await owner.get(`/dashboard/${query}`))
  })
})
