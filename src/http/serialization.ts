/**
 * Writes responses as JSON, by functions made from their schemas, which write only the fields of the schema.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

type Write = (answer: unknown) => string

const compile = SerializerSelector()()
// By the text of the schema: routes with the same response share a function.
const written = new Map<string, Write>()

/**
 * Fastify's serializer compiler. The function of a route is compiled at its first response, because a hundred
 * of them would delay the start. Errors use JSON.stringify: the error handler makes their bodies, so no field
 * has to be left out.
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
