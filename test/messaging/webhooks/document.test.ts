/** docs/webhooks.md matches the service: the types of events, and figures that receivers depend on. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import {
  failingAfter,
  maxUnfinished,
  retryDays,
  secondsUntilNextTry,
} from '../../../src/messaging/webhooks/deliveries/model.ts'
import { typesFor } from '../../../src/messaging/webhooks/endpoints/model.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'

const document = await readFile(projectPath('docs/webhooks.md'), 'utf8')
const table = document.slice(document.indexOf('\n## Event types'))
const rows = [...table.matchAll(/^\| `([\w.-]+)` \| .+ \| (yes|no) \|$/gm)]
const single = (types: string[]) => types.filter((type) => !type.endsWith('*')).sort()

t.test('docs/webhooks.md lists every type of event, and no other', async (t) => {
  t.same(rows.map(([, type]) => type).sort(), single(typesFor(null)))
})

t.test('docs/webhooks.md says which types of events partners get', async (t) => {
  const forPartners = rows.filter(([, , partners]) => partners === 'yes').map(([, type]) => type)
  t.same(forPartners.sort(), single(typesFor(0)))
})

t.test('docs/webhooks.md has the retry times of the service', async (t) => {
  const seconds = Array.from({ length: 11 }, (_, tries) => secondsUntilNextTry(tries + 1, null, 0.5))
  const [minute, hour] = [60, 3600]
  const documented = [
    5,
    15,
    minute,
    5 * minute,
    15 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
    6 * hour,
    6 * hour,
  ]
  t.same(seconds, documented)
  t.match(
    document.replaceAll(/\s+/g, ' '),
    'after 5 seconds, 15 seconds, 1, 5, 15 and 30 minutes, 1, 2 and 4 hours, and then every 6 hours',
  )
  t.match({ failingAfter, maxUnfinished, retryDays }, { failingAfter: 5, maxUnfinished: 1000, retryDays: 3 })
})

t.test('the examples in docs/webhooks.md have types of events that exist', async (t) => {
  const shown = [...document.matchAll(/"type": "([\w.-]+)"/g)].map(([, type]) => type!)
  t.ok(shown.length > 4)
  t.same(
    shown.filter((type) => !typesFor(null).includes(type)),
    [],
  )
})
