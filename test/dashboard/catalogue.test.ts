/** The pages of products and their questions, and the amounts and times that their forms accept. */
import t, { type Test } from 'tap'
import { readTimes } from '../../src/dashboard/catalogue/times.ts'
import { readAmount, showAmount } from '../../src/dashboard/parts/amounts.ts'
import { makeCaller, makeProduct } from '../helper.ts'
import { hidden, makeDashboard } from './fixtures.ts'

const kayak = {
  Name: 'Kayak',
  Description: 'On the water.\r\nBring a towel.',
  DurationMinutes: '90',
  'Price.Amount': '45,5',
  'Price.Currency': 'eur',
  TimeZone: 'Europe/Lisbon',
  CancelCutoffMinutes: '1440',
  InShopfront: ['true', 'false'],
}

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId } = dashboard
  const product = await makeProduct(sql, accountId, { name: 'Sunset tour' })
  const user = await dashboard.signIn('staff')
  const path = `/dashboard/catalogue/${product.id}`
  const version = async () => hidden((await user.get(path)).body, 'Version')
  const products = () => sql`
    select name, description, price_minor, currency, in_shopfront, cancel_cutoff_minutes from products order by id`
  /** All fields of the form of the product, with their current values. */
  const existing = {
    ...kayak,
    Name: 'Sunset tour',
    Description: 'On the water.',
    'Price.Amount': '45.00',
    CancelCutoffMinutes: '0',
  }
  return { ...dashboard, ...user, product, path, version, products, existing }
}

t.test('products', async (t) => {
  t.test('a product is made once if the form is sent twice, with its price in minor units', async (t) => {
    const { post, products } = await prepare(t)
    const first = await post('/dashboard/catalogue', kayak, { once: 'one' })
    t.equal(first.statusCode, 303)
    const again = await post('/dashboard/catalogue', kayak, { once: 'one' })
    t.equal(again.headers.location, first.headers.location)
    t.same((await products()).slice(1), [
      {
        name: 'Kayak',
        description: 'On the water.\nBring a towel.',
        price_minor: 4550,
        currency: 'EUR',
        in_shopfront: true,
        cancel_cutoff_minutes: 1440,
      },
    ])
  })

  t.test(
    'durations are typed with a unit, and shown with the largest unit that gives a whole number',
    async (t) => {
      const { post, get, products } = await prepare(t)
      const { headers } = await post('/dashboard/catalogue', {
        ...{ ...kayak, DurationMinutesCount: '1.5', DurationMinutesUnit: 'hours' },
        ...{ CancelCutoffMinutesCount: '2', CancelCutoffMinutesUnit: 'days' },
      })
      t.equal((await products())[1]?.cancel_cutoff_minutes, 2880)
      const { body } = await get(String(headers.location))
      t.match(body, /name="CancelCutoffMinutesCount" value="2"[\s\S]*?<option value="days" selected/)
      t.match(body, /name="DurationMinutesCount" value="90"[\s\S]*?<option value="minutes" selected/)
    },
  )

  t.test('422 shows the form again, with what was typed and the errors beside the fields', async (t) => {
    const { post, products } = await prepare(t)
    const { statusCode, body } = await post('/dashboard/catalogue', {
      ...kayak,
      Name: 'sunset <tour>',
      'Price.Amount': '45.123',
      TimeZone: 'Mars/Olympus',
      DurationMinutes: '',
    })
    t.equal(statusCode, 422)
    t.match(body, 'sunset &#60;tour&#62;')
    t.match(
      body,
      /id="field-DurationMinutes"[^>]+aria-invalid="true"/,
      'an error that the schema finds is shown at its field',
    )
    const later = await post('/dashboard/catalogue', {
      ...kayak,
      Name: 'SUNSET tour',
      'Price.Amount': '45.123',
    })
    for (const name of ['Name', 'Price-Amount'])
      t.match(later.body, new RegExp(`id="field-${name}"[^>]+aria-invalid="true"`), name)
    t.match(later.body, 'value="45.123"')
    t.equal((await products()).length, 1)
  })

  t.test(
    'all fields of a product are saved together: the description may be emptied, the name may not',
    async (t) => {
      const { post, path, version, products, existing } = await prepare(t)
      const emptied = { ...existing, Description: '', InShopfront: 'false', Version: await version() }
      t.equal((await post(path, { ...emptied, Name: '' })).statusCode, 422)
      t.equal((await post(path, emptied)).statusCode, 303)
      t.match(await products(), [{ name: 'Sunset tour', description: '', in_shopfront: false }])
    },
  )

  t.test(
    '409 shows the current values if the product was changed meanwhile; saving again overwrites them',
    async (t) => {
      const { post, call, product, path, version, products, existing } = await prepare(t)
      const seen = await version()
      await call('PATCH', `/products/${product.id}`, {
        Description: 'By boat.',
        Price: { Amount: '50.00', Currency: 'EUR' },
      })
      const fields = { ...existing, Name: 'Dawn tour' }
      const { statusCode, body } = await post(path, { ...fields, Version: seen })
      t.equal(statusCode, 409)
      t.match(body, 'Other changes were saved')
      t.match(body, 'is now “50.00”')
      t.match(body, 'is now “By boat.”')
      t.match(body, 'value="Dawn tour"')
      t.match(await products(), [{ name: 'Sunset tour', price_minor: 5000 }])
      t.equal((await post(path, { ...fields, Version: hidden(body, 'Version') })).statusCode, 303)
      t.match(await products(), [{ name: 'Dawn tour', price_minor: 4500 }])
    },
  )

  t.test('the same form can be sent twice, but not with other values and the same key', async (t) => {
    const { post, path, version, existing } = await prepare(t)
    const fields = { ...existing, Name: 'Dawn tour', Version: await version() }
    t.equal((await post(path, fields, { once: 'twice' })).statusCode, 303)
    t.equal((await post(path, fields, { once: 'twice' })).statusCode, 303)
    const other = await post(path, { ...fields, Name: 'Noon tour' }, { once: 'twice' })
    t.equal(other.statusCode, 422)
    t.match(other.body, 'This form was sent before with other values')
  })

  t.test(
    'the list is filtered by name and shopfront, has further pages, and says when nothing matches',
    async (t) => {
      const { get, sql, accountId } = await prepare(t)
      await makeProduct(sql, accountId, { name: 'Cliff walk', inShopfront: false })
      const page = async (query: string) => (await get(`/dashboard/catalogue${query}`)).body
      t.match(await page(''), /Sunset tour[\s\S]*Cliff walk/)
      t.notMatch(await page('?Name=cliff'), 'Sunset tour')
      t.notMatch(await page('?InShopfront=true'), 'Cliff walk')
      t.match(await page('?Name=nothing'), 'No products here')
      const rest = /rel="next" href="([^"]+)"/.exec(await page('?Limit=1'))![1]!.replaceAll('&#38;', '&')
      t.match((await get(rest)).body, 'Cliff walk')
      t.equal((await get('/dashboard/catalogue?Cursor=nonsense')).statusCode, 422)
    },
  )

  t.test(
    'a product is put into the shopfront and taken out of it, and the list keeps its filter',
    async (t) => {
      const { get, post, sql, product } = await prepare(t)
      const path = `/dashboard/catalogue/${product.id}/shopfront?InShopfront=true`
      const isShown = async () =>
        (await sql`select in_shopfront from products where id = ${product.id}`)[0]!.in_shopfront
      await post(path, { InShopfront: 'false' })
      t.equal(await isShown(), false)
      const put = await post(`${path}&done=out-of-shopfront`, { InShopfront: 'true' })
      t.equal(put.headers.location, '/dashboard/catalogue?InShopfront=true&done=in-shopfront')
      t.equal(await isShown(), true)
      const out = await post(path, { InShopfront: 'false' })
      t.equal(out.headers.location, '/dashboard/catalogue?InShopfront=true&done=out-of-shopfront')
      t.notMatch((await get('/dashboard/catalogue?InShopfront=true')).body, 'Sunset tour')
      t.match(await sql`select price_minor, in_shopfront from products where id = ${product.id}`, [
        { price_minor: 4500, in_shopfront: false },
      ])
    },
  )

  t.test(
    '404 for products of another account, 400 for a malformed ID, 403 for a wrong CSRF token',
    async (t) => {
      const { get, post, sql, path, existing, version } = await prepare(t)
      const other = await makeCaller(sql, { slug: 'pier' })
      const foreign = await makeProduct(sql, other.accountId, { name: 'Pier walk' })
      const theirs = `/dashboard/catalogue/${foreign.id}`
      const Version = await version()
      for (const url of [
        theirs,
        `${theirs}/questions/new`,
        `${theirs}/schedules/new`,
        `${path}/questions/7`,
        `${path}/schedules/7`,
      ])
        t.equal((await get(url)).statusCode, 404, url)
      t.equal((await post(theirs, { ...existing, Version })).statusCode, 404)
      t.equal((await post(`${theirs}/shopfront`, { InShopfront: 'false' })).statusCode, 404)
      t.equal((await get('/dashboard/catalogue/first')).statusCode, 400)
      t.equal((await post('/dashboard/catalogue/first', existing)).statusCode, 400)
      t.equal((await post(path, { ...existing, Version }, { csrf: 'wrong' })).statusCode, 403)
      t.notMatch((await get('/dashboard/catalogue')).body, 'Pier walk')
      t.same(await sql`select name from products where account_id = ${other.accountId}`, [
        { name: 'Pier walk' },
      ])
    },
  )
})

t.test('questions', async (t) => {
  const question = {
    Label: 'Can all of you swim?',
    Type: 'select',
    Options: ' Yes \r\n\r\nNo',
    Required: ['true', 'false'],
    AppliesTo: 'participant',
  }
  const prepareQuestions = async (t: Test) => {
    const all = await prepare(t)
    const { get, post, sql, path } = all
    const at = `${path}/questions`
    const listVersion = async () => hidden((await get(`${at}/new`)).body, 'Version')
    const add = async (Label: string) => {
      await post(`${at}/new`, { ...question, Label, Version: await listVersion() })
      const [row] = await sql<{ id: number }[]>`select id from questions where label = ${Label}`
      return row!.id
    }
    const labels = async () => {
      const rows = await sql<{ label: string }[]>`select label from questions order by position, id`
      return rows.map(({ label }) => label)
    }
    return { ...all, at, listVersion, add, labels }
  }

  t.test('a question is added with an option on each line, and changed', async (t) => {
    const { post, sql, at, add, listVersion } = await prepareQuestions(t)
    const id = await add('Can all of you swim?')
    const fields = sql`label, type, required, options, applies_to`
    t.same(await sql`select ${fields} from questions`, [
      {
        label: 'Can all of you swim?',
        type: 'select',
        required: true,
        options: ['Yes', 'No'],
        applies_to: 'participant',
      },
    ])
    const changed = {
      ...question,
      Required: 'false',
      Type: 'text',
      Options: '',
      Version: await listVersion(),
    }
    t.equal((await post(`${at}/${id}`, changed)).statusCode, 303)
    t.match(await sql`select id, required, options from questions`, [{ id, required: false, options: [] }])
  })

  t.test('422 keeps what was typed if a select has no options, or a question has no text', async (t) => {
    const { post, at, listVersion, labels } = await prepareQuestions(t)
    const answer = await post(`${at}/new`, { ...question, Options: '', Version: await listVersion() })
    t.equal(answer.statusCode, 422)
    t.match(answer.body, 'value="Can all of you swim?"')
    t.match(answer.body, /id="field-Options"[^>]+aria-invalid="true"/)
    t.equal(
      (await post(`${at}/new`, { ...question, Label: '', Version: await listVersion() })).statusCode,
      422,
    )
    t.same(await labels(), [])
  })

  t.test('buttons move questions up and down and remove them; each press acts once', async (t) => {
    const { post, at, add, labels, listVersion } = await prepareQuestions(t)
    const [first, second] = [await add('First?'), await add('Second?')]
    const press = async (id: number, Do: string, once?: string) =>
      post(`${at}/${id}/place`, { Do, Version: await listVersion() }, { ...(once && { once }) })
    await press(second, 'up')
    t.same(await labels(), ['Second?', 'First?'])
    await press(second, 'down')
    t.same(await labels(), ['First?', 'Second?'])
    const Version = await listVersion()
    for (const _ of [1, 2])
      t.equal(
        (await post(`${at}/${first}/place`, { Do: 'remove', Version }, { once: 'away' })).statusCode,
        303,
      )
    t.same(await labels(), ['Second?'])
  })

  t.test('409 when the list of questions has changed since it was shown', async (t) => {
    const { post, at, add, labels, listVersion } = await prepareQuestions(t)
    const first = await add('First?')
    const Version = await listVersion()
    await add('Second?')
    t.equal((await post(`${at}/${first}/place`, { Do: 'remove', Version })).statusCode, 409)
    const answer = await post(`${at}/new`, { ...question, Label: 'Third?', Version })
    t.equal(answer.statusCode, 409)
    t.match(answer.body, 'value="Third?"')
    t.same(await labels(), ['First?', 'Second?'])
    const again = { ...question, Label: 'Third?', Version: hidden(answer.body, 'Version') }
    t.equal((await post(`${at}/new`, again)).statusCode, 303)
    t.same(await labels(), ['First?', 'Second?', 'Third?'])
  })
})

t.test(
  'amounts are read in the formats of several languages, and shown in the format of the user’s language',
  async (t) => {
    for (const [text, locale, amount] of [
      ['45', 'en', '45'],
      ['45,5', 'en', '45.5'],
      ['45.50', 'de', '45.50'],
      ['1.234,50', 'en', '1234.50'],
      ['1,234.50', 'de', '1234.50'],
      ['1.250', 'de', '1250'],
      ['1.250', 'en', '1.250'],
      ['1,250', 'en', '1250'],
      ['0,250', 'en', '0.250'],
      ['1.234.567', 'en', '1234567'],
      ['1 234,5', 'fr', '1234.5'],
      ['1’234.50', 'de-CH', '1234.50'],
      ['4 5', 'en', '4 5'],
      ['1.2.3', 'en', '1.2.3'],
      ['free', 'en', 'free'],
    ] as const)
      t.equal(readAmount(text, locale), amount, `${text} in ${locale}`)
    t.equal(showAmount('45.50', 'pt-PT'), '45,50')
    t.equal(showAmount('45.50', 'en'), '45.50')
    t.equal(showAmount('free', 'pt-PT'), 'free')
  },
)

t.test('clock times are read as people write them', async (t) => {
  for (const [text, times] of [
    ['14:30, 9:30', ['09:30', '14:30']],
    ['9.30;10h15\n10h15', ['09:30', '10:15']],
    ['2:30 pm 12am 12 p.m.', ['00:00', '12:00', '14:30']],
    ['930 noon 13pm 25:00', ['13pm', '25:00', '930', 'noon']],
  ] as const)
    t.same(readTimes(text), times, text)
})
