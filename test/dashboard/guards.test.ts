/**
 * Checks that every route of the dashboard that the router lists refuses visitors who are not signed in, forms without
 * a valid token, staff on routes for owners, and ids of another account. A new route with a form fails here until it is
 * in the table of forms.
 */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { fingerprint } from '../fingerprint.ts'
import { listRoutes, type Route } from '../routes.ts'
import { addressOf, type Form, formsOf, makeWorld } from './world.ts'

/** Routes that need no sign-in. */
const isOpen = ({ path }: Route) => path === '/dashboard/sign-in' || path.startsWith('/dashboard/assets/')
const isQueueBoard = ({ path }: Route) => path.startsWith('/dashboard/queues')
const isForOwners = ({ path }: Route) =>
  /^\/dashboard\/(users|account\/country|partners|payment-settings|business-details|settings|webhooks|customers|queues|health|reports|till\/outside)(\/|$)/.test(
    path,
  )

const dashboardRoutes = (app: FastifyInstance) =>
  listRoutes(app).filter((route) => /^\/dashboard(\/|$)/.test(route.path) && !isOpen(route))

type Call = { path: string; method: 'GET' | 'POST' }

function callsOf(routes: Route[]): Call[] {
  return routes.flatMap(({ path, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => ({ path, method: method as Call['method'] })),
  )
}

async function prepare() {
  const world = await makeWorld(t)
  const routes = dashboardRoutes(world.app)
  const forms = formsOf(world)
  const at = (path: string, others: Form['ids'] = {}) => addressOf(world, path, others)
  /** The fields of a form, with the version that its page shows now. */
  const fieldsOf = async ({ fields = {}, version }: Form) => {
    if (version === undefined) return fields
    const { body } = await world.owner.get(at(version))
    // If a page has several forms, the form with this action is used: each form may have another version.
    const [own = body] = body.split('<form ').filter((part) => part.includes(` action="${at(version)}"`))
    const text = /name="Version" value="([^"]*)"/.exec(own)![1]!
    return { ...fields, Version: text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))) }
  }
  return { ...world, world, routes, calls: callsOf(routes), forms, at, fieldsOf }
}

// Refused requests change nothing, so all tests can use the same world. Only the last test changes it.
const made = await prepare()

t.test('every route except sign-in and assets needs a signed-in user', async (t) => {
  const { world, app, calls, at } = made
  const before = await fingerprint(world.sql)
  for (const { method, path } of calls) {
    const answer = await app.inject({ method, url: at(path) })
    if (path === '/dashboard/live') t.equal(answer.statusCode, 204, path)
    else if (method !== 'GET') t.equal(answer.statusCode, 401, `${method} ${path}`)
    else t.match(answer.headers.location, /^\/dashboard\/sign-in\?next=/, path)
  }
  t.same(await fingerprint(world.sql), before)
})

t.test('every change needs the CSRF token of the session, and does nothing without it', async (t) => {
  const { world, app, calls, at, forms, fieldsOf, owner, staff } = made
  const before = await fingerprint(world.sql)
  for (const { method, path } of calls.filter(({ method }) => method !== 'GET')) {
    const form = forms[path]
    const fields = form ? await fieldsOf(form) : {}
    const csrf = /name="_csrf" value="([^"]+)"/.exec((await staff.get('/dashboard/account')).body)![1]!
    for (const token of ['', 'guessed', csrf]) {
      const payload = new URLSearchParams([...Object.entries(fields).flatMap(pairsOf), ['_csrf', token]])
      const headers = { cookie: owner.cookie, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await app.inject({ method, url: at(path), headers, payload: payload.toString() })
      t.equal(
        answer.statusCode,
        403,
        `${method} ${path} with ${token === csrf ? 'another session’s' : 'no valid'} token`,
      )
    }
  }
  t.same(await fingerprint(world.sql), before)
})

const pairsOf = ([name, values]: [string, string | string[]]) =>
  [values].flat().map((value): [string, string] => [name, value])

t.test('a POST whose body is not a form gets 415', async (t) => {
  const { app, owner } = made
  const send = (type: string) => {
    const headers = { cookie: owner.cookie, 'content-type': type }
    return app.inject({ method: 'POST', url: '/dashboard/sign-out', headers, payload: '{}' })
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data'])
    t.equal((await send(type)).statusCode, 415, type)
})

t.test('routes for owners answer 403 to staff, and other pages do not', async (t) => {
  const { world, calls, at, forms, fieldsOf, staff } = made
  const before = await fingerprint(world.sql)
  for (const call of calls.filter(({ path }) => path !== '/dashboard/live')) {
    const { method, path } = call
    const ownersOnly = isForOwners({ path, methods: [] })
    if (method === 'GET') {
      const { statusCode } = await staff.get(at(path))
      // A redirect shows nothing.
      if (statusCode !== 303) t.equal(statusCode === 403, ownersOnly, `${path} answers ${statusCode}`)
    } else if (ownersOnly && method === 'POST') {
      const fields = forms[path] ? await fieldsOf(forms[path]) : {}
      t.equal((await staff.post(at(path), fields)).statusCode, 403, `POST ${path}`)
    }
  }
  t.same(await fingerprint(world.sql), before)
})

t.test('ids of another account are not found', async (t) => {
  const { world, calls, at, forms, fieldsOf, stranger } = made
  const before = await fingerprint(world.sql)
  for (const { method, path } of calls.filter(({ path }) => !isQueueBoard({ path, methods: [] }))) {
    const form = forms[path]
    if (method === 'GET' && path.includes(':')) {
      const { statusCode, headers } = await stranger.get(at(path))
      if (statusCode !== 303) t.equal(statusCode, 404, path)
      else t.notMatch(headers.location, 'sign-in', path)
    } else if (method === 'POST' && (path.includes(':') || form?.names)) {
      const { statusCode } = await stranger.post(at(path), form ? await fieldsOf(form) : {})
      t.ok(form?.names ? statusCode >= 400 && statusCode < 500 : statusCode === 404, `${path}: ${statusCode}`)
    }
  }
  t.same(await fingerprint(world.sql), before)
})

t.test('every route with a form is in the table, and accepts its form', async (t) => {
  const { routes, forms, fieldsOf, at, owner, signIn } = made
  const posts = routes.filter((route) => route.methods.includes('POST') && !isQueueBoard(route))
  t.same(posts.map(({ path }) => path).sort(), Object.keys(forms).sort())
  for (const [path, form] of Object.entries(forms)) {
    const user = form.ends ? await signIn('owner', `leaves${path.replaceAll('/', '.')}@quay.test`) : owner
    const answer = await user.post(at(path, form.ids), await fieldsOf(form))
    t.ok(answer.statusCode < 400, `${path} answers ${answer.statusCode}`)
    if (answer.statusCode >= 400)
      t.comment(
        answer.body
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .slice(-400),
      )
  }
})
