/** The fields of a form as text, before any of them is checked. */

export type FormFields = Record<string, string | string[]>

declare module 'fastify' {
  interface FastifyRequest {
    /** The fields of the form as text, before any of them is checked. */
    formFields: FormFields
  }
}

/** The values of a field, in the order of the form. */
export function textsOf(fields: FormFields, path: string): string[] {
  return Object.hasOwn(fields, path) ? [fields[path]!].flat() : []
}

/** The fields of a body of the type `application/x-www-form-urlencoded`. */
export function readFormBody(body: string): FormFields {
  const fields = new Map<string, string[]>()
  for (const [name, text] of new URLSearchParams(body)) {
    const texts = fields.get(name)
    // Browsers send line ends in forms as two characters.
    const value = text.replace(/\r\n?/g, '\n')
    if (texts) texts.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries(
    [...fields].map(([name, texts]) => [name, texts.length === 1 ? texts[0]! : texts]),
  )
}
