/** Pages of the dashboard that the router lists have no English sentence for a user who chose Portuguese. */
import t from 'tap'
import { listRoutes } from '../../routes.ts'
import { textOf } from '../fixtures.ts'
import { addressOf, makeWorld } from '../world.ts'

/** Nearly every English sentence has one of these words. None of them is a Portuguese word. */
const english = /\b(the|of|is|are|and|with|this|that|which|not|your|when|was|its|there|they|them|from)\b/i

/**
 * Paths that are not pages in the user's language: files, assets, the event stream, the board of the queues,
 * signing in, and pages in the account's language.
 */
const isOther = /\.(csv|json)$|^\/dashboard\/(queues|live|assets|sign-in)|\/receipt$|\/print$/

t.test('no page in the user’s language has an English sentence', async (t) => {
  const world = await makeWorld(t)
  await world.sql`update users set locale = 'pt-PT'`
  // Texts that the account wrote are not translated.
  await world.sql`update products set description = ''`
  const pages = listRoutes(world.app)
    .filter(({ path, methods }) => /^\/dashboard(\/|$)/.test(path) && methods.includes('GET'))
    .map(({ path }) => path)
    .filter((path) => !isOther.test(path))
  t.ok(pages.length > 50)
  for (const path of pages) {
    const address = addressOf(world, path)
    const { body, statusCode } = await world.owner.get(address)
    if (statusCode === 303) continue
    const said = [
      // The names of variables are English, and their examples are in the account’s language.
      textOf(body).replace(/Exemplo: [^{]*|use when|\{\{[^}]*\}\}/g, ''),
      ...[...body.matchAll(/(?:aria-label|placeholder|title|alt|data-question)="([^"]*)"/g)].map(
        (found) => found[1]!,
      ),
    ].join(' | ')
    const found = english.exec(said)
    t.equal(found && said.slice(Math.max(0, found.index - 60), found.index + 60), null, path)
  }
})
