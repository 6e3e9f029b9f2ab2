/** The fields that a change affects, in words. Pure. */
import { fieldWords } from '../../http/form-markup.ts'
import type { Texts } from '../../languages/texts.ts'

const knownFields = [
  ...(['FirstName', 'LastName', 'Email', 'Phone', 'Answers', 'Contact', 'Notes'] as const),
  ...(['PaymentReference', 'EmailReceipt', 'Tickets'] as const),
]

/** The changed fields as text, such as `the first name and the e-mail address`. Empty if there are none. */
export function changedFieldsText(t: Texts, fields: readonly string[] = []): string {
  const words = fields.map((field) => {
    const known = knownFields.find((name) => name === field.split('.').at(-1))
    const text = fieldWords(field)
    return known
      ? t.say(`history.field.${known}`)
      : t.say('history.field.other', { field: `${text.charAt(0).toLowerCase()}${text.slice(1)}` })
  })
  return words.length === 0 ? '' : t.all([...new Set(words)])
}
