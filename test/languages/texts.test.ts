/** Texts in each language, formats of dates and amounts by country, and the language that a reader gets. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import t from 'tap'
import type { TextKey } from '../../src/languages/keys.ts'
import { languageNames, localeFor, locales } from '../../src/languages/locales.ts'
import { textsByLanguage, textsIn } from '../../src/languages/texts.ts'
import { projectPath } from '../../src/platform/project/paths.ts'

type Part = {
  type: number
  value: string
  options?: Record<string, { value: Part[] }>
  children?: Part[]
}

/** The names of the placeholders and of the elements of a text. */
function placeholdersOf(text: string): string[] {
  const collect = (parts: readonly Part[]): string[] =>
    parts.flatMap(({ type, value, options, children }) => [
      // Leaves out literals (0) and the number of a plural (7).
      ...(type === 0 || type === 7 ? [] : [value]),
      ...Object.values(options ?? {}).flatMap((option) => collect(option.value)),
      ...collect(children ?? []),
    ])
  return [...new Set(collect(new IntlMessageFormat(text, 'en').getAst() as Part[]))].sort()
}

const keys = Object.keys(textsByLanguage.en) as TextKey[]

t.test('every language has every text, and no other', async (t) => {
  t.ok(keys.length > 100)
  for (const language of languageNames) {
    t.same(Object.keys(textsByLanguage[language]).sort(), keys.toSorted(), language)
    for (const key of keys) t.notMatch(textsByLanguage[language][key], /^\s*$/, `${language}: ${key}`)
  }
})

t.test('a text has the same placeholders in every language', async (t) => {
  for (const language of languageNames)
    for (const key of keys)
      t.same(
        placeholdersOf(textsByLanguage[language][key]),
        placeholdersOf(textsByLanguage.en[key]),
        `${language}: ${key}`,
      )
})

t.test('the placeholders of a text are found, including those inside a plural', async (t) => {
  t.same(placeholdersOf('{count, plural, one {# day in {place}} other {# days}} <strong>{name}</strong>'), [
    ...['count', 'name', 'place', 'strong'],
  ])
})

t.test('every text is used by the code', async (t) => {
  const names = await readdir(projectPath('src'), { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !/^languages\/(en|pt)\b/.test(name))
  const source = (
    await Promise.all(files.map((name) => readFile(path.join(projectPath('src'), name), 'utf8')))
  ).join('\n')
  // The last word of some keys is a value, such as the method of a payment.
  const isUsed = (key: string) =>
    source.includes(`'${key}'`) || source.includes(`\`${key.slice(0, key.lastIndexOf('.'))}.$`)
  t.same(
    keys.filter((key) => !isUsed(key)),
    [],
  )
})

t.test('a text whose placeholder gets no value is an error', async (t) => {
  t.throws(() => textsIn('en-GB').say('pay.button'), /amount/)
})

t.test('durations, dates, times, numbers and money are written as is usual in the country', async (t) => {
  const [uk, us, portugal, brazil] = [
    textsIn('en-GB'),
    textsIn('en-US'),
    textsIn('pt-PT'),
    textsIn('pt-BR'),
  ] as const
  for (const texts of [uk, portugal])
    t.same([150, 45, 60].map(texts.duration), ['2 h 30 min', '45 min', '1 h'])
  t.same([uk.duration(1440 + 60), portugal.duration(1440 + 60)], ['1 day 1 h', '1 dia 1 h'])
  t.equal(portugal.duration(2880), '2 dias')
  t.equal(uk.date('2030-06-15'), 'Saturday 15 June 2030')
  t.equal(us.date('2030-06-15'), 'Saturday, June 15, 2030')
  t.equal(portugal.date('2030-06-15'), 'sábado, 15 de junho de 2030')
  t.same([uk.time('09:05'), portugal.time('09:05')], ['09:05', '09:05'])
  t.match(us.time('21:05'), /^9:05\sPM$/)
  t.equal(uk.money({ Amount: '1234.50', Currency: 'EUR' }), '€1,234.50')
  t.match(portugal.money({ Amount: '1234.50', Currency: 'EUR' }), /^1[\s.]?234,50\s€$/)
  t.match(brazil.money({ Amount: '1234.50', Currency: 'BRL' }), /^R\$\s1\.234,50$/)
  t.match(uk.money({ Amount: '1234.50', Currency: 'HUF' }), /^HUF\s1,234\.50$/)
  t.match(uk.amount(123_450, 'HUF'), /^HUF\s1,234\.50$/, 'even where the data of Node.js have fewer')
  t.equal(uk.money({ Amount: '0.001', Currency: 'EUR' }), '€0.001', 'no decimal of an amount is lost')
  t.same(
    [uk.people(1), uk.people(3), portugal.people(1), portugal.people(3)],
    [...['1 person', '3 people', '1 pessoa', '3 pessoas']],
  )
  const periods = [
    { opens: '09:00', closes: '12:00' },
    { opens: '13:00', closes: '17:00' },
  ]
  t.equal(portugal.hours(periods), '09:00–12:00 e 13:00–17:00')
  t.equal(uk.instant(new Date('2030-06-15T17:00:00Z'), 'Europe/Lisbon'), 'Saturday 15 June 2030 at 18:00')
})

t.test(
  'a reader gets the language that they ask for if it exists, and otherwise the language of the account',
  async (t) => {
    const asked = (accept: string, lang?: unknown) => localeFor('en-IE', { accept, lang })
    t.equal(asked(''), 'en-IE')
    t.equal(asked('de-DE, fr;q=0.5'), 'en-IE')
    t.equal(asked('de-DE, pt-BR;q=0.8, en;q=0.5'), 'pt-BR')
    t.equal(asked('en;q=0.5, pt;q=0.9'), 'pt-PT', 'the language with the highest weight comes first')
    t.equal(asked('pt;q=0, en-US'), 'en-IE', 'a reader of the account’s language gets the account’s country')
    t.equal(asked('en', 'pt'), 'pt-PT', 'a language chosen in the URL counts more than those of the browser')
    t.equal(asked('pt', 'xx'), 'pt-PT', 'an invalid language is ignored')
    t.equal(asked('pt', ['en', 'pt']), 'pt-PT')
    t.equal(asked('*,;q=,,pt-'), 'pt-PT')
    t.ok(locales.includes(localeFor('pt-BR', { accept: 'x'.repeat(10_000) })))
  },
)
