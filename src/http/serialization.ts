/** How answers are written as JSON: by functions made from their schemas, which write what these name and nothing else. */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

type Write = (answer: unknown) => string

const compile = SerializerSelector()()
// Routes that answer with one schema share its function.
const written = new WeakMap<object, Write>()

/**
 * Fastify's serializer compiler. A function is made when its route answers for the first time, so that starting does
 * not wait for a hundred of them; none for problems, which the error handler alone writes.
 */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  const schema = route.schema as object
  let write: Write | undefined
  return (answer) => {
    if (!write) {
      write = written.get(schema) ?? compile({ ...route, httpStatus })
      written.set(schema, write)
    }
    return write(answer)
  }
}
