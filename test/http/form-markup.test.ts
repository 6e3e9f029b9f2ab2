/** What a form says of a field that is wrong. */
import t from 'tap'
import { faultBeside } from '../../src/http/form-markup.ts'

const said = (label: string, message: string) => />(.*)</.exec(faultBeside('Field', label, message).text)![1]

t.test('an id in an error message is replaced by words', async (t) => {
  t.equal(said('Product', 'is not the ActivityID of a product'), 'Product is not the activity of a product')
  t.equal(said('Units', 'must be a UnitID'), 'Units must be a unit')
})

t.test('names that an operator has chosen are not changed in messages', async (t) => {
  for (const name of ['V.I.P.', 'St.Martin', 'CampID', 'Bus[2]'])
    t.equal(said('Who comes', `must be at least 2 for ${name}`), `Who comes must be at least 2 for ${name}`)
  const fault = 'names {{ Customer.FirstName }}, which there is not'
  t.equal(said('Body', fault), `Body ${fault}`)
})
