/**
 * Records what the web application registers with Fastify for one route, and can leave one part out. A part is
 * a file of src that registers hooks or parsers (found by watching Fastify's methods), an option of Fastify, our
 * validation, or our serialization.
 */
import { createRequire } from 'node:module'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv } from 'ajv'
import formatsModule from 'ajv-formats'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyServerOptions,
  RouteOptions,
} from 'fastify'

export type Watched = {
  /** The options of the route, after the application is built. */
  route(): RouteOptions
  /** The parts that can be left out. */
  parts(): string[]
}

const options: Record<string, (given: FastifyServerOptions) => FastifyServerOptions> = {
  'request ids': (given) => ({ ...given, genReqId: () => 'left-out' }),
  'a logger for each request': (given) => ({ ...given, childLoggerFactory: (logger) => logger }),
}
const validation = 'validation beyond Ajv'
const serialization = 'serialization beyond Fastify’s'
/** Methods of an application through which a file takes part in requests. */
const registering = ['addHook', 'addContentTypeParser', 'removeAllContentTypeParsers'] as const
const outsideRequests = new Set(['onReady', 'onListen', 'onClose', 'preClose', 'onRegister'])

const ajv = new Ajv({ strict: false })
formatsModule.default(ajv, ['email', 'date', 'date-time', 'uri'])

/** Plain Ajv. */
export const plainValidator: FastifySchemaCompiler<FastifySchema> = ({ schema }) => ajv.compile(schema)

const compileSerializer = SerializerSelector()()
const plainSerializer: FastifySerializerCompiler<FastifySchema> = ({ httpStatus = '', ...schema }) =>
  compileSerializer({ ...schema, httpStatus })

/**
 * Call it before the application's modules are loaded, so that they get this fastify().
 * @param answer the response of the route, in place of its use case.
 */
export function watchFastify(path: string, answer: unknown, leftOut: string | null): Watched {
  const registered: { file: string; scope: object }[] = []
  let route: RouteOptions | undefined
  let routeScope: object = {}
  const isMeasured = ({ url, method }: RouteOptions) => url === path && method === 'POST'
  const watch = (app: FastifyInstance) => {
    app.addHook('onRoute', function (added) {
      if (!isMeasured(added)) return
      route = added
      routeScope = this
      added.handler = async (_request, reply) => reply.code(201).send(answer)
      if (leftOut === validation) added.validatorCompiler = plainValidator
      if (leftOut === serialization) added.serializerCompiler = plainSerializer
    })
    for (const method of registering) {
      const original = app[method] as (...args: unknown[]) => unknown
      const watched = function (this: object, ...args: unknown[]): unknown {
        const file = callingFile()
        const [name, hook] = args
        if (!file || outsideRequests.has(String(name))) return original.apply(this, args)
        const note = () => registered.push({ file, scope: this })
        if (name === 'onRoute') {
          const noted = noteChanges(hook as RouteHook, isMeasured, note)
          return file === leftOut ? this : original.call(this, name, noted)
        }
        note()
        if (file !== leftOut) return original.apply(this, args)
        return method === 'addHook' ? original.call(this, name, runOnce(hook as Hook)) : this
      }
      Object.assign(app, { [method]: watched })
    }
    return app
  }
  replaceFastify(
    (original) =>
      (given = {}) =>
        watch(original(options[leftOut ?? '']?.(given) ?? given)),
  )
  const concerns = (scope: object) =>
    scope === routeScope || Object.prototype.isPrototypeOf.call(scope, routeScope)
  return {
    route() {
      if (!route) throw new Error(`there is no POST ${path}`)
      return route
    },
    parts: () => [
      ...new Set(registered.filter(({ scope }) => concerns(scope)).map(({ file }) => file)),
      ...Object.keys(options),
      validation,
      serialization,
    ],
  }
}

type MakeApp = (given?: FastifyServerOptions) => FastifyInstance

// Not imported, because the bindings of an import cannot be replaced.
const fastifyModule = createRequire(import.meta.url)('fastify') as { fastify: MakeApp }
export const bareFastify = fastifyModule.fastify

function replaceFastify(replace: (original: MakeApp) => MakeApp): void {
  fastifyModule.fastify = replace(bareFastify)
}

type RouteHook = (this: FastifyInstance, added: RouteOptions) => void

/**
 * Calls `note` when the hook adds more to the measured route than a schema, which costs its requests nothing.
 */
function noteChanges(
  hook: RouteHook,
  isMeasured: (route: RouteOptions) => boolean,
  note: () => void,
): RouteHook {
  return function (added) {
    const before: Record<string, unknown> = { ...added }
    hook.call(this, added)
    const changed = Object.entries(added).filter(([name, value]) => before[name] !== value)
    if (isMeasured(added) && changed.some(([name]) => name !== 'schema')) note()
  }
}

/** The file of src that called the watched method, such as `src/http/request-log.ts`. */
function callingFile(): string | null {
  // The lines after the message are this function, the watched method, and its caller.
  const caller = new Error().stack?.split('\n')[3] ?? ''
  const file = /\/dist\/(src\/[^:]+)\.js/.exec(caller)?.[1]
  return file ? `${file}.ts` : null
}

type Hook = (request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => unknown

/**
 * A hook that runs only for the first request. What it sets on that request, such as the caller, is set on
 * each later one, because other hooks and the route read it.
 */
function runOnce(hook: Hook): Hook {
  let found: object | null = null
  return function (this: unknown, request, reply, ...rest) {
    const done = rest.pop() as (...results: unknown[]) => void
    if (found) {
      Object.assign(request, found)
      return done()
    }
    const before: Record<string, unknown> = { ...request }
    const finish = (...results: unknown[]) => {
      found = Object.fromEntries(Object.entries(request).filter(([name, value]) => before[name] !== value))
      done(...results)
    }
    const promise = hook.call(this, request, reply, ...rest, finish)
    if (promise instanceof Promise) promise.then((payload) => finish(null, payload), finish)
  }
}
