import t from 'tap'
import { countryOfZone, isCountry, phoneText, readPhone } from '../../src/platform/text/phone.ts'

t.test('a phone number is read in the national form of the country', async (t) => {
  t.equal(readPhone('0171 123 4567', 'DE'), '+491711234567')
  t.equal(readPhone('(212) 555-0123', 'US'), '+12125550123')
  t.equal(readPhone('912 345 678', 'PT'), '+351912345678')
  t.equal(readPhone('00351 912 345 678', 'DE'), '+351912345678', 'a number of another country after 00')
  t.equal(
    readPhone('06 1234 5678', 'IT'),
    '+390612345678',
    'the first zero of an Italian number is part of the number',
  )
})

t.test(
  'text with +, text that is no number, and a number with an extension are unchanged; so is any text without a country',
  async (t) => {
    for (const typed of ['+49 171 1234567', 'call me', '12', '0171 123 4567 ext 5'])
      t.equal(readPhone(typed, 'DE'), typed)
    t.equal(readPhone('0171 123 4567', null), '0171 123 4567')
  },
)

t.test('a number of the country is shown in its national form, any other with +', async (t) => {
  t.equal(phoneText('+12125550123', 'US'), '(212) 555-0123')
  t.equal(phoneText('+12125550123', 'DE'), '+1 212 555 0123')
  t.equal(phoneText('+12125550123', null), '+1 212 555 0123')
  t.equal(phoneText('', 'DE'), '')
  t.equal(phoneText('007', 'DE'), '007')
})

t.test('the country of an account is that of its time zone', async (t) => {
  t.equal(countryOfZone('Europe/Lisbon'), 'PT')
  t.equal(countryOfZone('America/New_York'), 'US')
  t.equal(countryOfZone('Asia/Kolkata'), 'IN')
  t.equal(countryOfZone('UTC'), null)
  t.ok(isCountry('PT'))
  t.notOk(isCountry('pt'))
  t.notOk(isCountry('XX'))
})
