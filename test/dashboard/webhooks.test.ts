/** Webhook endpoints in the dashboard: making, changing, pausing and deleting them, their secrets and deliveries. */
import t, { type Test } from 'tap'
import { testAccountOf } from '../../src/accounts/model.ts'
import { typesFor } from '../../src/messaging/webhooks/endpoints/model.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { makeProduct } from '../helper.ts'
import { openReceiver } from '../messaging/webhooks/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { until } from '../until.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

const environment = {
  SECRET_KEY: 'a secret key of thirty-two letters',
  WEBHOOK_ALLOW_HTTP: '1',
  WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8',
}
const path = '/dashboard/webhooks'
const fields = { URL: 'https://till.test/hook', EventTypes: 'booking.*', Body: 'thin' }

async function makeOwner(t: Test, settings: Parameters<typeof makeDashboard>[1] = {}) {
  const dashboard = await makeDashboard(t, { environment, isOwn: true, ...settings })
  const { sql, services, call } = dashboard
  const owner = await dashboard.signIn()
  /** Makes an endpoint by the form; returns its id, page and secret, and the response. */
  const make = async (given: Record<string, string | string[]> = {}, at = path) => {
    const answer = await owner.post(at, { ...fields, ...given })
    const secret = secretIn(answer.body)
    const [row] = await sql<{ id: number }[]>`select id from webhook_endpoints order by id desc limit 1`
    return { id: row!.id, page: `${at}/${row!.id}`, secret, answer }
  }
  /** Numbers events, sends due deliveries, and waits until none is under way. */
  const deliver = async () => {
    await pumpEvents(sql)
    await services.webhooks.run()
    await until(async () => {
      const underWay = await sql`select from webhook_deliveries where lease is not null`
      return underWay.length === 0
    })
  }
  const readPartner = async () => (await call('GET', '/partners')).data[0] as { ID: number; Name: string }
  return { ...dashboard, ...owner, make, deliver, readPartner }
}

/** The secret that a page shows once; undefined if it shows none. */
function secretIn(body: string): string | undefined {
  return /<p class="secret"><code>([^<]+)</.exec(body)?.[1]
}

const locationOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers.location)

t.test('an endpoint made in the dashboard', async (t) => {
  t.test('gets the selected events, and its secret is shown only in the response', async (t) => {
    const { make, get, sql } = await makeOwner(t)
    const { answer, secret } = await make({
      EventTypes: ['booking.*', 'product.*'],
      Description: 'The till',
      Email: 'tech@quay.test',
    })
    t.equal(answer.statusCode, 200)
    t.match(secret, /^whsec_/)
    t.equal(answer.headers['cache-control'], 'no-store')
    const [made] = await sql`
      select url, event_types, description, body, email, partner_id, status from webhook_endpoints`
    t.same(made, {
      url: 'https://till.test/hook',
      event_types: ['booking.*', 'product.*'],
      description: 'The till',
      body: 'thin',
      email: 'tech@quay.test',
      partner_id: null,
      status: 'active',
    })
    const { body } = await get(path)
    t.match(textOf(body), 'till.test/hook The till The account Bookings, Products delivering')
    t.notMatch(body, secret)
    const kept = await sql`select response::text from idempotency_keys`
    t.notMatch(JSON.stringify(kept), secret)
  })

  t.test('is made once, even if its form is sent twice', async (t) => {
    const { post, sql } = await makeOwner(t)
    const once = crypto.randomUUID()
    t.ok(secretIn((await post(path, fields, { once })).body))
    const again = await post(path, fields, { once })
    t.equal(again.statusCode, 200)
    t.equal(secretIn(again.body), undefined)
    t.match(again.body, 'was already made and shown')
    t.equal((await sql`select from webhook_endpoints`).length, 1)
  })

  t.test('can be made for a partner', async (t) => {
    const { make, get, sql, readPartner } = await makeOwner(t)
    const { ID, Name } = await readPartner()
    t.match((await get(`${path}/new`)).body, `<option value="${ID}">${Name}</option>`)
    const { page } = await make({ PartnerID: String(ID) })
    const [made] = await sql`select partner_id from webhook_endpoints`
    t.equal(made!.partner_id, ID)
    t.match(textOf((await get(page)).body), `For ${Name}`)
  })

  t.test('gets all events if all are selected, even together with one family of events', async (t) => {
    const { make, sql } = await makeOwner(t)
    await make({ EventTypes: ['*', 'booking.*'] })
    const [made] = await sql`select event_types from webhook_endpoints`
    t.same(made!.event_types, ['*'])
  })

  t.test('is not made if a field is invalid, and the page names the error', async (t) => {
    const { post, sql, readPartner } = await makeOwner(t)
    const { ID } = await readPartner()
    const wrong: [Record<string, string | string[]>, string][] = [
      [{ ...fields, URL: '' }, 'Address (URL) is required'],
      [{ ...fields, URL: 'https://10.0.0.1/hook' }, 'public address'],
      [{ ...fields, URL: 'https://ana:secret@till.test/' }, 'user name or password'],
      [{ URL: fields.URL, Body: 'thin' }, 'Events are needed: select at least one'],
      [{ ...fields, EventTypes: 'nonsense' }, 'is not a type of event'],
      [{ ...fields, EventTypes: 'basket.*', PartnerID: String(ID) }, 'not a type of event that partners get'],
      [{ ...fields, PartnerID: '999' }, 'For is not a partner of this account'],
      [{ ...fields, Email: 'nobody' }, 'E-mail address must'],
    ]
    for (const [given, message] of wrong) {
      const answer = await post(path, given)
      t.equal(answer.statusCode, 422, message)
      t.match(textOf(answer.body), message)
      t.match(answer.body, `action="${path}"`, 'the form is shown again')
    }
    t.equal((await sql`select from webhook_endpoints`).length, 0)
  })

  t.test('cannot be made if the service has no key to encrypt its secret', async (t) => {
    const { get } = await makeOwner(t, { environment: {} })
    const { body } = await get(path)
    t.match(body, 'has no SECRET_KEY')
    t.notMatch(body, `${path}/new`)
  })
})

t.test('the form of an endpoint', async (t) => {
  t.test('shows the current settings, and changes them', async (t) => {
    const { make, get, post, sql } = await makeOwner(t)
    const { page } = await make({ Description: 'The till', Email: 'tech@quay.test' })
    const { body } = await get(`${page}/settings`)
    t.match(body, 'value="https://till.test/hook"')
    t.match(body, /value="booking\.\*" checked/)
    const Version = hidden(body, 'Version')
    const changed = {
      URL: 'https://new.test/hook',
      EventTypes: '*',
      Body: 'full',
      Description: '',
      Email: '',
    }
    const answer = await post(`${page}/settings`, { ...changed, Version })
    t.equal(locationOf(answer), `${page}?done=saved`)
    const [row] = await sql`select url, event_types, body, description, email from webhook_endpoints`
    t.same(row, {
      url: 'https://new.test/hook',
      event_types: ['*'],
      body: 'full',
      description: '',
      email: null,
    })
  })

  t.test('shows single types of events that were chosen through the API', async (t) => {
    const { make, get, sql } = await makeOwner(t)
    const { page } = await make()
    await sql`update webhook_endpoints set event_types = '{booking.confirmed}'`
    t.match((await get(`${page}/settings`)).body, /value="booking\.confirmed" checked/)
  })

  t.test('shows what another user has saved meanwhile, and does not overwrite it', async (t) => {
    const { make, get, post, sql } = await makeOwner(t)
    const { page } = await make()
    const Version = hidden((await get(`${page}/settings`)).body, 'Version')
    await sql`update webhook_endpoints set description = 'Changed by Rui'`
    const answer = await post(`${page}/settings`, { ...fields, Description: 'Mine', Version })
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), 'is now “Changed by Rui”')
    await sql`update webhook_endpoints set event_types = '{product.*,booking.confirmed}', body = 'full'`
    const other = textOf((await post(`${page}/settings`, { ...fields, Version })).body)
    t.match(other, 'is now “Products, booking.confirmed”')
    t.match(other, 'is now “The event and the current state”')
  })

  t.test('can be saved if deliveries have changed the endpoint meanwhile', async (t) => {
    const { make, get, post, sql } = await makeOwner(t)
    const { page } = await make()
    const Version = hidden((await get(`${page}/settings`)).body, 'Version')
    await sql`update webhook_endpoints set last_success_at = now(), unfinished = 3`
    t.equal((await post(`${page}/settings`, { ...fields, Version })).statusCode, 303)
  })

  t.test('describes every family of events in words', async (t) => {
    const { get } = await makeOwner(t)
    const { body } = await get(`${path}/new`)
    for (const family of typesFor(null).filter((type) => type.endsWith('.*'))) {
      t.match(body, `value="${family}"`)
      t.notMatch(body, `<span>${family}`, `${family} has words`)
    }
  })
})

t.test('the state of an endpoint', async (t) => {
  const { make, get, post, sql } = await makeOwner(t)
  const { page, id } = await make()
  const says = async () => textOf((await get(path)).body)

  t.test('is described in words', async (t) => {
    t.match(await says(), 'delivering Nothing was delivered yet Nothing 0')
    await sql`update webhook_endpoints set last_success_at = now()`
    t.match(await says(), 'delivering Last delivery')
    await sql`update webhook_endpoints set failing_since = now(), unfinished = 1200`
    t.match(await says(), 'failing No try has succeeded since')
    t.match(await says(), '1,200 deliveries')
    await sql`
      update webhook_endpoints set status = 'paused', pause_reason = 'failing', paused_at = now()`
    t.match(await says(), /paused Since [^:]+:\d\d: no delivery arrived for 3 days/)
    await sql`update webhook_endpoints set pause_reason = 'gone'`
    t.match(await says(), /paused Since .+: it responded that it does not exist any more \(410\)/)
    await post(`${page}/resume`)
  })

  t.test('is changed by pausing and resuming the endpoint', async (t) => {
    t.equal(locationOf(await post(`${page}/pause`)), `${page}?done=webhook-paused`)
    t.match(await says(), /paused Since .+: paused by hand/)
    const { body } = await get(page)
    t.match(body, 'Events are stored for 30 days')
    t.notMatch(body, 'Send a test')
    t.equal(locationOf(await post(`${page}/resume`)), `${page}?done=webhook-resumed`)
    t.match(await says(), 'delivering')
  })

  t.test('a test is refused with the reason while the endpoint is paused', async (t) => {
    await post(`${page}/pause`)
    const answer = await post(`${page}/test`)
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), 'The endpoint is paused: resume it first.')
    await post(`${page}/resume`)
  })

  t.test('the endpoint is deleted after a confirmation', async (t) => {
    t.match((await get(`${page}/delete`)).body, 'Delete endpoint')
    t.equal(locationOf(await post(`${page}/delete`)), `${path}?done=webhook-deleted`)
    t.match(await says(), 'There is no endpoint yet.')
    t.equal((await get(page)).statusCode, 404)
    const [row] = await sql`select status from webhook_endpoints where id = ${id}`
    t.equal(row!.status, 'deleted')
  })
})

t.test('a second secret is shown once, and one of two secrets can be deleted', async (t) => {
  const { make, get, post } = await makeOwner(t)
  const { page, secret } = await make()
  const [, first] = /secrets\/(\d+)\/delete/.exec((await get(page)).body) ?? []
  t.equal(first, undefined, 'the only secret cannot be deleted')
  const second = secretIn((await post(`${page}/secrets`)).body)
  t.match(second, /^whsec_/)
  t.not(second, secret)
  const { body } = await get(page)
  t.notMatch(body, second)
  t.notMatch(body, 'Make a second secret')
  const full = await post(`${page}/secrets`)
  t.equal(full.statusCode, 409)
  t.match(full.body, 'The endpoint already has two secrets.')
  const [, id] = /secrets\/(\d+)\/delete/.exec(body)!
  t.equal(locationOf(await post(`${page}/secrets/${id}/delete`)), `${page}?done=webhook-secret-deleted`)
  const [, other] = /<td[^>]*data-head="ID">(\d+)</.exec((await get(page)).body)!
  const last = await post(`${page}/secrets/${other}/delete`)
  t.equal(last.statusCode, 409)
  t.match(last.body, 'The endpoint has no other secret.')
})

t.test('deliveries', async (t) => {
  const receiver = await openReceiver(t)
  const { make, get, post, deliver, sql, accountId, book } = await makeOwner(t)
  const product = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 100 } })
  const { page, id } = await make({ URL: receiver.url, EventTypes: 'booking.confirmed' })
  const list = `${page}/deliveries`

  t.test('are listed with the responses to them', async (t) => {
    receiver.answer = (response) => response.writeHead(200).end('thank <you>')
    await book(product.activityId)
    await deliver()
    const { body } = await get(list)
    t.match(
      textOf(body),
      /booking\.confirmed number \d+ evt_\w+_\d+ .* delivered Tried once; .* Answered 200 in \d+ ms/,
    )
    t.match(body, '<pre class="answer" tabindex="0">thank &#60;you&#62;</pre>')
  })

  t.test('a delivery that failed is listed with the reason and the time of its next try', async (t) => {
    receiver.answer = (response) => response.destroy()
    await book(product.activityId)
    await deliver()
    const [row] = await sql`select fault from webhook_deliveries order by id desc limit 1`
    const text = textOf((await get(`${list}?Status=pending`)).body)
    t.match(text, /waits Tried once; next /)
    t.match(text, row!.fault)
    t.notMatch(text, 'Answered 200')
    receiver.answer = (response) => response.writeHead(204).end()
    await sql`update webhook_deliveries set next_try_at = app_now() where status = 'pending'`
    await deliver()
    t.match(textOf((await get(`${list}?Status=pending`)).body), 'No delivery has this status.')
  })

  t.test('are sent again with the same id, and the same list is shown', async (t) => {
    const [first] = await sql`select id, message_id from webhook_deliveries order by id limit 1`
    receiver.received.length = 0
    const answer = await post(`${list}/${first!.id}/again?Status=delivered`)
    t.equal(locationOf(answer), `${list}?Status=delivered&done=webhook-again`)
    await deliver()
    t.equal(receiver.received[0]!.headers['webhook-id'], first!.message_id)
    await post(`${page}/pause`)
    t.equal((await post(`${list}/${first!.id}/again`)).statusCode, 409)
    t.notMatch((await get(list)).body, 'Send again')
    await post(`${page}/resume`)
    t.equal((await post(`${list}/999999/again`)).statusCode, 404)
  })

  t.test('a delivery whose event has expired is marked, and cannot be sent again', async (t) => {
    const { make, get, post, deliver, sql, accountId } = await makeOwner(t)
    const { page } = await make({ URL: receiver.url, EventTypes: 'product.made' })
    await makeProduct(sql, accountId)
    await sql`insert into events (account_id, type, product_id, actor, details)
      select account_id, 'product.made', id, 'service', '{}' from products where account_id = ${accountId}`
    await deliver()
    t.match((await get(`${page}/deliveries`)).body, 'Send again')
    await sql`delete from events where type = 'product.made'`
    const text = textOf((await get(`${page}/deliveries`)).body)
    t.match(text, 'The event has expired')
    t.notMatch(text, 'Send again')
    const [delivery] = await sql`select max(id) as id from webhook_deliveries`
    t.equal((await post(`${page}/deliveries/${delivery!.id}/again`)).statusCode, 404)
  })

  t.test('are shown page by page', async (t) => {
    const { body } = await get(`${list}?Limit=1`)
    const [, next] = /rel="next" href="([^"]+)"/.exec(body)!
    const more = await get(next!.replaceAll('&#38;', '&'))
    t.equal(more.statusCode, 200)
    t.not(/evt_\w+/.exec(more.body)![0], /evt_\w+/.exec(body)![0], 'another delivery')
  })

  t.test('cannot be listed by an unknown status', async (t) => {
    t.equal((await get(`${list}?Status=lost`)).statusCode, 422)
  })

  t.test('a button sends a test delivery', async (t) => {
    receiver.received.length = 0
    t.equal(locationOf(await post(`${page}/test`)), `${page}?done=webhook-test`)
    await deliver()
    t.same(receiver.types(), ['webhook.test'])
  })

  t.test('are replayed from a number, or from a date and time', async (t) => {
    for (const from of [{ FromNumber: '1' }, { FromTime: '2026-01-01T00:00' }] as Record<string, string>[]) {
      receiver.received.length = 0
      const answer = await post(`${page}/replay`, from)
      t.equal(locationOf(answer), `${page}?done=webhook-replayed`)
      await deliver()
      t.same(receiver.types(), ['booking.confirmed', 'booking.confirmed'])
    }
    const late = await post(`${page}/replay`, { FromTime: '2999-01-01T00:00' })
    t.equal(locationOf(late), `${page}?done=webhook-nothing-to-replay`)
  })

  t.test('are replayed only from a valid number or a valid time, not from both', async (t) => {
    const wrong: [Record<string, string>, string][] = [
      [{}, 'or “From the date and time” is needed'],
      [
        { FromNumber: '1', FromTime: '2026-01-01T00:00' },
        'cannot be combined with “From the date and time”: fill in one of them',
      ],
      [{ FromNumber: 'one' }, 'From the event number must be'],
      [{ FromNumber: '0' }, 'From the event number must be'],
      [{ FromTime: 'yesterday' }, 'must be a date and a time'],
      [{ FromTime: '2026-02-30T10:00' }, 'is not a valid date'],
    ]
    for (const [given, message] of wrong) {
      const answer = await post(`${page}/replay`, given)
      t.equal(answer.statusCode, 422, message)
      t.match(textOf(answer.body), message)
    }
  })

  t.test(
    'deliveries that failed and are not tried again are counted in the list of endpoints, with a link',
    async (t) => {
      await sql`
      update webhook_deliveries set status = 'failed'
      where id = (select id from webhook_deliveries where endpoint_id = ${id} order by id limit 1)`
      t.match((await get(path)).body, `href="${list}?Status=failed">1</a>`)
      t.match(textOf((await get(`${list}?Status=failed`)).body), 'failed, not tried again')
    },
  )
})

t.test('test mode has endpoints of its own', async (t) => {
  const { make, get, sql, accountId } = await makeOwner(t)
  await openTestMode(sql, accountId)
  const live = await make({ Description: 'Of live mode' })
  const { page } = await make({ Description: 'Of test mode' }, '/dashboard/test/webhooks')
  const [row] = await sql`select account_id from webhook_endpoints order by id desc limit 1`
  t.equal(row!.account_id, testAccountOf(accountId))
  const [inTest, inLive] = [await get('/dashboard/test/webhooks'), await get(path)]
  t.match(inTest.body, 'Of test mode')
  t.notMatch(inTest.body, 'Of live mode')
  t.notMatch(inLive.body, 'Of test mode')
  t.match((await get(page)).body, 'action="/dashboard/test/webhooks/')
  t.equal((await get(`/dashboard/test/webhooks/${live.id}`)).statusCode, 404)
})

t.test('the menu links owners to the endpoints, and staff have no link', async (t) => {
  const { get, signIn } = await makeOwner(t)
  t.match((await get('/dashboard/today')).body, 'href="/dashboard/webhooks"')
  const staff = await signIn('staff')
  t.notMatch((await staff.get('/dashboard/today')).body, 'href="/dashboard/webhooks"')
  t.equal((await staff.get(path)).statusCode, 403)
})
