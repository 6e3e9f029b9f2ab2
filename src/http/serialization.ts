/** How answers are written as JSON: by functions made from their schemas, which write what these name and nothing else. */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

type Write = (answer: unknown) => string

const compile = SerializerSelector()()
// By the text of the schema: routes that answer alike share a function.
const written = new Map<string, Write>()

/**
 * Fastify's serializer compiler. A function is made when its route answers for the first time, so that starting does
 * not wait for a hundred of them; none for problems, which the error handler alone writes.
 */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  let write: Write | undefined
  return (answer) => {
    if (!write) {
      const text = JSON.stringify(route.schema)
      write = written.get(text) ?? compile({ ...route, httpStatus })
      written.set(text, write)
    }
    return write(answer)
  }
}
