/** The list of variables that the pages show. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { defaultLocale, type Locale } from '../../../src/languages/locales.ts'
import { textsIn } from '../../../src/languages/texts.ts'
import { sampleBooking, withExampleChange } from '../../../src/messaging/emails/sample.ts'
import { templateVariablesIn } from '../../../src/messaging/emails/variable-list.ts'
import { renderWords } from '../../../src/messaging/emails/variables.ts'
import { projectPath } from '../../../src/platform/project/paths.ts'

t.test('each template variable is explained in a sentence and listed in docs/emails.md', async (t) => {
  const document = await readFile(projectPath('docs', 'emails.md'), 'utf8')
  for (const { name, sentence } of templateVariablesIn(textsIn(defaultLocale))) {
    t.match(textsIn(defaultLocale).say(sentence), /^[A-Z].*\.$/, name)
    t.ok(document.includes(`\`${name}\``), name)
  }
})

t.test('the example of a variable has the format of the reader’s locale', async (t) => {
  const exampleIn = (locale: Locale) =>
    templateVariablesIn(textsIn(locale)).find(({ name }) => name === 'booking.refund')?.example
  t.equal(exampleIn('en-GB'), '€57.50')
  t.equal(exampleIn('pt-PT'), '57,50\u00a0€')
})

t.test('the variable “when” is the date with the time, or with the opening hours', async (t) => {
  const say = (openingHours: { opens: string; closes: string }[] | null) =>
    renderWords(
      { subject: '{{ when }}', body: '' },
      {
        ...{ t: textsIn(defaultLocale), accountName: '', ticketsLink: '' },
        booking: { ...sampleBooking, openingHours },
      },
    ).subject
  t.equal(say(null), 'Saturday 15 June 2030 at 18:00')
  t.equal(say([{ opens: '10:00', closes: '13:00' }]), 'Saturday 15 June 2030, open 10:00–13:00')
})

t.test('the preview of a booking without a name has an invented name', async (t) => {
  t.match(withExampleChange({ ...sampleBooking, firstName: null, lastName: '' }), { firstName: 'Ada' })
  t.match(withExampleChange({ ...sampleBooking, firstName: 'Grace', lastName: null }), {
    firstName: 'Grace',
    lastName: null,
  })
})
