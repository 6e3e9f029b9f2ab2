/** Error messages at the fields of forms. */
import t from 'tap'
import { faultBeside } from '../../src/http/form-markup.ts'
import { translateFaults } from '../../src/http/translated-faults.ts'
import type { Locale } from '../../src/languages/locales.ts'
import { textsIn } from '../../src/languages/texts.ts'

const said = (label: string, message: string, locale: Locale = 'en-GB') =>
  />(.*)</.exec(translateFaults(textsIn(locale), faultBeside('Field', label, message)).text)![1]

t.test('an id in an error message is replaced by words', async (t) => {
  t.equal(said('Product', 'is not the ActivityID of a product'), 'Product is not the activity of a product')
  t.equal(said('Units', 'must be a UnitID'), 'Units must be a unit')
})

t.test('names that an operator has chosen are not changed in messages', async (t) => {
  for (const name of ['V.I.P.', 'St.Martin', 'CampID', 'Bus[2]'])
    t.equal(said('Who comes', `must be at least 2 for ${name}`), `Who comes must be at least 2 for ${name}`)
  const fault = 'names {{ Customer.FirstName }}, which does not exist'
  t.equal(said('Body', fault), `Body ${fault}`)
})

t.test(
  'a message is in the language of the reader, with the names and numbers of the English one',
  async (t) => {
    t.equal(
      said('Nome', 'must have at most 80 characters', 'pt-PT'),
      'Nome não pode ter mais de 80 caracteres',
    )
    t.equal(
      said('Quem vem?', 'is required', 'pt-PT'),
      'Está por preencher',
      'a message does not continue a label that is a question',
    )
    t.equal(said('Nome', 'must have at most 80 characters', 'en-US'), 'Nome must have at most 80 characters')
    t.equal(said('Até', 'must not be before “A & B”', 'pt-PT'), 'Até não pode ser antes de “A &#38; B”')
    t.equal(said('Até', 'must not be before From', 'pt-PT'), 'Até não pode ser antes de “De”')
    const two = 'is required; must be an e-mail address'
    t.equal(said('E-mail', two, 'pt-PT'), 'E-mail está por preencher; tem de ser um endereço de e-mail')
  },
)

t.test('too few free places have an error message of their own', async (t) => {
  const fault = 'must be at most 6 places in all, because only 6 places are free'
  t.equal(said('Who comes', fault), 'Only 6 places are free')
  t.equal(said('Quem vem', fault, 'pt-PT'), 'Só há 6 lugares livres')
  const one = 'must be at most 1 place in all, because only 1 place is free'
  t.equal(said('Quem vem', one, 'pt-PT'), 'Só há 1 lugar livre')
})

t.test('a message without a translation stays in English', async (t) => {
  t.equal(said('Nome', 'is something new', 'pt-PT'), 'Nome is something new')
})
