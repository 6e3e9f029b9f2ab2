/** The pages on which an operator translates products. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { hidden, makeDashboard, textOf } from './fixtures.ts'

async function makeTranslated(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id } = await makeProduct(sql, accountId)
  const Questions = [
    { Label: 'Size', Type: 'select', Options: ['Small'], Required: false, AppliesTo: 'booking' },
  ]
  await call('PUT', `/products/${id}/questions`, { Questions })
  const { get, post } = await signIn('owner')
  const product = `/dashboard/catalogue/${id}`
  const show = async (page: string) => textOf((await get(page)).body)
  const version = async (language: string) =>
    hidden((await get(`${product}/translations/${language}`)).body, 'Version')
  const save = async (language: string, fields: Record<string, string>) =>
    post(`${product}/translations/${language}`, { Version: await version(language), ...fields })
  const stored = async () => (await call('GET', `/products/${id}/translations`)).data
  const textFields = (index: number, Text: string, Translation: string) => ({
    [`Texts[${index}].Text`]: Text,
    [`Texts[${index}].Translation`]: Translation,
  })
  return { ...dashboard, id, product, show, save, stored, textFields, get, post, version }
}

t.test('a product’s page says how many of its texts are missing in each language', async (t) => {
  const { product, show, save, textFields, get } = await makeTranslated(t)
  t.match(await show(product), /Other languages The product itself is in English/)
  t.match((await get(product)).body, `<a href="${product}/translations/pt">Portuguese</a>`)
  await save('pt', { Name: 'Caiaque', Description: 'Na água.', ...textFields(0, 'Size', 'Tamanho') })
  t.match(await show(product), 'Portuguese 1 text missing')
  await save('pt', {
    ...{ Name: 'Caiaque', Description: 'Na água.' },
    ...textFields(0, 'Size', 'Tamanho'),
    ...textFields(1, 'Small', 'Pequeno'),
  })
  t.match(await show(product), 'Portuguese Complete')
})

t.test('a language that only another product has is shown as missing', async (t) => {
  const { sql, accountId, show, save } = await makeTranslated(t)
  const other = await makeProduct(sql, accountId, { name: 'Surf' })
  await save('de', { Name: 'Kajak' })
  t.match(await show(`/dashboard/catalogue/${other.id}`), 'German Not translated')
})

t.test(
  'the form of one language does not change the others, and an emptied field removes its translation',
  async (t) => {
    const { save, stored, textFields, product } = await makeTranslated(t)
    await save('de', { Name: 'Kajak' })
    const saved = await save('pt', { Name: 'Caiaque', ...textFields(1, 'Small', 'Pequeno') })
    t.equal(saved.headers.location, `${product}?done=saved#languages`)
    t.match(await stored(), [
      { Language: 'de', Name: 'Kajak' },
      {
        ...{ Language: 'pt', Name: 'Caiaque', Description: null },
        Texts: [{ Translation: null }, { Text: 'Small', Translation: 'Pequeno' }],
      },
    ])
    await save('pt', { Name: '', ...textFields(0, 'Size', ''), ...textFields(1, 'Small', '') })
    t.match(await stored(), [{ Language: 'de' }])
    t.equal((await stored()).length, 1)
  },
)

t.test('if two users edit a translation at once, the second sees what the first saved', async (t) => {
  const { product, post, version, save, stored } = await makeTranslated(t)
  const Version = await version('pt')
  await save('pt', { Name: 'Caiaque' })
  const second = await post(`${product}/translations/pt`, { Version, Name: 'Canoa' })
  t.equal(second.statusCode, 409)
  t.match(textOf(second.body), 'is now “Caiaque”')
  t.match(second.body, 'value="Canoa"')
  const again = { Version: hidden(second.body, 'Version'), Name: 'Canoa' }
  t.equal((await post(`${product}/translations/pt`, again)).statusCode, 303)
  t.match(await stored(), [{ Name: 'Canoa' }])
})

t.test('if texts are added while a user translates, each translation stays with its text', async (t) => {
  const { product, post, version, stored, textFields, id, call } = await makeTranslated(t)
  const Version = await version('pt')
  const typed = { ...textFields(0, 'Size', 'Tamanho'), ...textFields(1, 'Small', 'Pequeno') }
  const Units = [{ Name: 'Adult', Type: 'ADULT', Price: { Amount: '45.00', Currency: 'EUR' }, Default: true }]
  await call('PUT', `/products/${id}/units`, { Units })
  const refused = await post(`${product}/translations/pt`, { Version, ...typed })
  t.equal(refused.statusCode, 409)
  const lines = [...refused.body.matchAll(/name="(Texts[^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ])
  const shown = Object.fromEntries(lines) as Record<string, string>
  t.same(shown, {
    ...textFields(0, 'Adult', ''),
    ...textFields(1, 'Size', 'Tamanho'),
    ...textFields(2, 'Small', 'Pequeno'),
  })
  const again = { Version: hidden(refused.body, 'Version'), ...shown }
  t.equal((await post(`${product}/translations/pt`, again)).statusCode, 303)
  const pairs = (await stored())[0].Texts.map(({ Text, Translation }: Record<string, string>) => [
    Text,
    Translation,
  ])
  t.same(pairs, [
    ['Adult', null],
    ['Size', 'Tamanho'],
    ['Small', 'Pequeno'],
  ])
})

t.test('the error of a translation that is too long names the text', async (t) => {
  const { save, textFields } = await makeTranslated(t)
  const refused = await save('pt', textFields(1, 'Small', 'x'.repeat(1001)))
  t.equal(refused.statusCode, 422)
  t.match(refused.body, '<a href="#field-Texts-1-Translation">Small</a>')
})

t.test('the account’s own language and unknown language codes are refused', async (t) => {
  const { save, get, product, stored } = await makeTranslated(t)
  for (const language of ['en', 'zz']) {
    const refused = await save(language, { Name: 'Kayak' })
    t.equal(refused.statusCode, 422, language)
    t.match(refused.body, 'value="Kayak"', 'what was typed is kept')
  }
  t.equal((await get(`${product}/translations/PT`)).statusCode, 400)
  t.same(await stored(), [])
})
