/** Parses JSON bodies. An empty body, and a POST request without a body, count as `{}`. */
import type { FastifyInstance } from 'fastify'
import { Problem } from './problems.ts'

// Ten times the values of the largest batch of usage. Memory and time for a body depend on its values more
// than on its bytes.
const maxValues = 50_000

export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    if (text === '') done(null, {})
    else if (hasMoreValues(text, maxValues)) done(tooManyValues())
    else parse(request, text, done)
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.method === 'POST') request.body = {}
    done()
  })
}

const tooManyValues = () => new Problem('payload-too-large', `The body has more than ${maxValues} values.`)

const [quote, backslash, comma, bracket, brace] = [...'"\\,[{'].map((mark) => mark.charCodeAt(0))

/**
 * Whether JSON has more than `most` values in its objects and lists. Each value follows a comma or an opening
 * bracket or brace. So an empty object or list counts as if it contained one value. For text that is not
 * JSON, the result has no meaning.
 */
export function hasMoreValues(text: string, most: number): boolean {
  if (text.length <= most) return false
  let values = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === backslash) at++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if ((code === comma || code === bracket || code === brace) && ++values > most) return true
  }
  return false
}
