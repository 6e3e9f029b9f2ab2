/** Translations of products: written by their operator, read by partners in their language. */
import t, { type Test } from 'tap'
import { makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const portuguese = {
  Language: 'pt',
  Name: 'Caiaque',
  Description: 'Duas horas junto às falésias.',
  Texts: [
    { Text: 'Adult', Translation: 'Adulto' },
    { Text: 'Size', Translation: 'Tamanho' },
    { Text: 'Small', Translation: 'Pequeno' },
  ],
}
const german = { Language: 'de', Name: 'Kajak' }

async function setUp(t: Test) {
  const operator = await makeOperator(t)
  const { app, sql, call, partner, accountId } = operator
  const product = await makeProduct(sql, accountId)
  const of = `/products/${product.id}`
  const price = { Amount: '45.00', Currency: 'EUR' }
  await call('PUT', `${of}/units`, {
    Units: [{ Name: 'Adult', Type: 'ADULT', Price: price, Default: true }],
  })
  const [question] = (
    await call('PUT', `${of}/questions`, {
      Questions: [
        {
          ...{ Label: 'Size', Type: 'select', Required: false, AppliesTo: 'booking' },
          Options: ['Small', 'Large'],
        },
      ],
    })
  ).data
  const put = (...Translations: object[]) => call('PUT', `${of}/translations`, { Translations })
  /** @param language the header `Accept-Language`. */
  const ask = async (path: string, language?: string, more: object = {}) => {
    const answer = await app.inject({
      url: `/api/v2/ota/${path}`,
      headers: { ...partner.headers, ...(language && { 'accept-language': language }), ...more },
    })
    return { status: answer.statusCode, headers: answer.headers, data: answer.json().data }
  }
  const resolve = (language?: string) => ask(`marketplace/resolve-product?ID=${product.id}`, language)
  return { ...operator, product, of, put, ask, resolve, question }
}

t.test('a product has no translations at first', async (t) => {
  const { call, of } = await setUp(t)
  t.match(await call('GET', `${of}/translations`), { status: 200, data: [] })
})

t.test('translations are listed by language, with null for each text that is missing', async (t) => {
  const { call, of, put } = await setUp(t)
  const answer = await put(portuguese, german)
  t.equal(answer.status, 200)
  const nothing = ['Adult', 'Size', 'Small', 'Large'].map((Text) => ({ Text, Translation: null }))
  t.same(answer.data, [
    { Language: 'de', Name: 'Kajak', Description: null, Texts: nothing },
    { ...portuguese, Texts: [...portuguese.Texts, { Text: 'Large', Translation: null }] },
  ])
  t.same((await call('GET', `${of}/translations`)).data, answer.data)
  t.same((await put(...answer.data)).data, answer.data, 'what is read can be sent back')
  t.same(
    (await put({ ...portuguese, Name: ' ', Description: '', Texts: [] })).data,
    [],
    'a translation without any text is not stored',
  )
})

t.test('partners get a product in the first of their preferred languages with a translation', async (t) => {
  const { put, resolve, product } = await setUp(t)
  await put(portuguese, german)
  const { headers, data } = await resolve('fr, pt-BR;q=0.9, de;q=0.8, en;q=0.5')
  t.match(data, { Name: 'Caiaque', Description: portuguese.Description, Units: [{ Name: 'Adulto' }] })
  t.equal(headers['content-language'], 'pt')
  t.match(headers.vary, /Accept-Language/)
  for (const language of [undefined, '*', 'en', 'en-US,pt;q=0.9', 'fr', 'x-klingon, ;;q=']) {
    const own = await resolve(language)
    t.match(own.data, { ID: product.id, Name: 'Kayak', Units: [{ Name: 'Adult' }] }, String(language))
    t.equal(own.headers['content-language'], 'en')
  }
})

t.test('partners get the original of a text that is not translated', async (t) => {
  const { put, resolve, product, sql } = await setUp(t)
  await sql`update products set description = 'Two hours.' where id = ${product.id}`
  await put(german)
  t.match((await resolve('de')).data, {
    ...{ Name: 'Kajak', Description: 'Two hours.', Units: [{ Name: 'Adult' }] },
  })
})

t.test(
  'the list of products has a Content-Language header, and its ETag is different in each language',
  async (t) => {
    const { put, ask, sql, accountId, app, partner } = await setUp(t)
    await makeProduct(sql, accountId, { name: 'Surf' })
    await put(portuguese)
    const path = 'marketplace/products'
    const [own, pt] = [await ask(path), await ask(path, 'pt')]
    t.same(
      pt.data.map(({ Name }: { Name: string }) => Name),
      ['Caiaque', 'Surf'],
    )
    t.equal(pt.headers['content-language'], 'pt, en')
    t.same(String(pt.headers.vary).split(', ').sort(), ['Accept-Language', 'Authorization'])
    t.not(pt.headers.etag, own.headers.etag)
    const unchanged = await app.inject({
      url: `/api/v2/ota/${path}`,
      headers: { ...partner.headers, 'accept-language': 'pt', 'if-none-match': String(pt.headers.etag) },
    })
    t.equal(unchanged.statusCode, 304)
  },
)

t.test(
  'resolve-product finds names in all languages; the list finds translated names in the request’s language only',
  async (t) => {
    const { put, ask, product } = await setUp(t)
    await put(portuguese)
    for (const name of ['kayak', 'CAIAQUE'])
      t.match(await ask(`marketplace/resolve-product?Name=${name}`), {
        status: 200,
        data: { ID: product.id },
      })
    t.match(await ask('marketplace/products?name=aiaq', 'pt'), { data: [{ ID: product.id }] })
    t.same((await ask('marketplace/products?name=aiaq')).data, [])
  },
)

t.test(
  'questions are in the partner’s language, with labels for the options, whose values are not translated',
  async (t) => {
    const { put, ask, product, question } = await setUp(t)
    await put(portuguese)
    const path = `core/questions/${product.activityId}`
    t.match(await ask(path, 'pt'), {
      headers: { 'content-language': 'pt' },
      data: [
        {
          ...{ ID: question.ID, Label: 'Tamanho', Options: ['Small', 'Large'] },
          OptionLabels: ['Pequeno', 'Large'],
        },
      ],
    })
    const own = (await ask(path)).data[0]
    t.match(own, { Label: 'Size' })
    t.notOk('OptionLabels' in own)
  },
)

t.test('a changed text has no translation until the operator enters a new one', async (t) => {
  const { put, call, of, resolve } = await setUp(t)
  await put(portuguese)
  const [unit] = (await call('GET', `${of}/units`)).data
  await call('PUT', `${of}/units`, { Units: [{ ...unit, Name: 'Grown-up' }] })
  t.match((await resolve('pt')).data, { Units: [{ Name: 'Grown-up' }] })
  t.match((await call('GET', `${of}/translations`)).data[0].Texts[0], { Text: 'Grown-up', Translation: null })
})

t.test(
  'partners see a change of translations as a change of the product; the same translations again change nothing',
  async (t) => {
    const { put, sql, product, resolve, ask } = await setUp(t)
    const before = (await resolve()).data.UpdatedAt
    await put(portuguese)
    await put(portuguese)
    const events = await sql`
    select details from events where type = 'product.changed' and product_id = ${product.id}
      and details->'Fields' ? 'Translations'`
    t.same([...events], [{ details: { Fields: ['Translations'] } }])
    t.not((await resolve()).data.UpdatedAt, before)
    const changes = await ask('marketplace/products?UpdatedSince=2020-01-01T00:00:00Z', 'pt')
    t.match(changes.data, [{ Name: 'Caiaque' }])
    t.equal(changes.headers['content-language'], 'pt')
  },
)

t.test('422 names every wrong language and text, and nothing is changed', async (t) => {
  const { put, call, of } = await setUp(t)
  await put(german)
  const text = (Text: string) => ({ Text, Translation: 'x' })
  const refused = await put({ Language: 'en' }, { Language: 'zz' }, german, {
    ...german,
    Texts: [text('Adult'), text('Adult'), text('Child')],
  })
  t.equal(refused.status, 422)
  t.same(fieldsOf(refused), [
    ...['Translations[0].Language', 'Translations[1].Language', 'Translations[3].Language'],
    ...['Translations[3].Texts[1].Text', 'Translations[3].Texts[2].Text'],
  ])
  const shapes = await put({ Language: 'PT' }, { Language: 'pt', Name: 'x'.repeat(256) })
  t.same(fieldsOf(shapes), ['Translations[0].Language', 'Translations[1].Name'])
  t.match((await call('GET', `${of}/translations`)).data, [{ Language: 'de', Name: 'Kajak' }])
  t.match(await call('GET', '/products/999999/translations'), { status: 404 })
})

t.test('the original texts of a product are in the account’s language', async (t) => {
  const { put, call, app, partner, of, product } = await setUp(t)
  await call('PUT', '/business-details', { Locale: 'pt-PT' })
  t.match(await put(portuguese), { status: 422 })
  t.match(await put({ Language: 'en', Name: 'In English' }), { status: 200 })
  t.match((await call('GET', `${of}/translations`)).data, [{ Language: 'en' }])
  const ask = (language: string) =>
    app.inject({
      url: `/api/v2/ota/marketplace/resolve-product?ID=${product.id}`,
      headers: { ...partner.headers, 'accept-language': language },
    })
  const english = await ask('en')
  t.equal(english.json().data.Name, 'In English')
  t.equal((await ask('pt, en')).json().data.Name, 'Kayak')
  t.equal((await ask('pt, en')).headers['content-language'], 'pt')
})

t.test(
  'the original texts of a product keep their language if the account’s language changes after a translation',
  async (t) => {
    const { put, call, app, partner, of, product } = await setUp(t)
    await put(portuguese)
    await call('PUT', '/business-details', { Locale: 'pt-PT' })
    t.match((await call('GET', `${of}/translations`)).data, [{ Language: 'pt' }])
    t.match(await put({ Language: 'en', Name: 'In English' }), { status: 422 })
    const url = `/api/v2/ota/marketplace/resolve-product?ID=${product.id}`
    const asked = async (language: string) => {
      const headers = { ...partner.headers, 'accept-language': language }
      const answer = await app.inject({ url, headers })
      return [answer.json().data.Name, answer.headers['content-language']]
    }
    t.same(await asked('en'), ['Kayak', 'en'])
    t.same((await asked('pt'))[1], 'pt')
    t.notSame((await asked('pt'))[0], 'Kayak')
    await call('PUT', `${of}/translations`, { Translations: [] })
    t.match(
      await put({ Language: 'en', Name: 'In English' }),
      { status: 200 },
      'without translations, the original texts are in the account’s language again',
    )
  },
)

t.test('a name such as __proto__ is translated like any other', async (t) => {
  const { put, call, of, resolve } = await setUp(t)
  const [unit] = (await call('GET', `${of}/units`)).data
  await call('PUT', `${of}/units`, { Units: [{ ...unit, Name: '__proto__' }] })
  await put({ Language: 'pt', Name: 'x', Texts: [] })
  t.match((await resolve('pt')).data, { Units: [{ Name: '__proto__' }] })
  await put({ Language: 'pt', Texts: [{ Text: '__proto__', Translation: 'Adulto' }] })
  t.match((await resolve('pt')).data, { Units: [{ Name: 'Adulto' }] })
})
