/** How answers are written as JSON: by functions made from their schemas, which write what these name and nothing else. */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'

const compile = SerializerSelector()()

/**
 * Fastify's serializer compiler. A function is made when its route answers for the first time, so that starting does
 * not wait for a hundred of them; none for problems, which the error handler alone writes.
 */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  if (Number(httpStatus) >= 400) return JSON.stringify
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= compile({ ...route, httpStatus })
    return write(answer)
  }
}
