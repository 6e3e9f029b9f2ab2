/** Reads the configuration from the environment. No other module of the service reads process.env. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isNetwork, type OutgoingRules } from '../outgoing/address-rules.ts'
import { configSchema, patternRules, type Variables } from './config-schema.ts'

/** The part of a Redis key that selects the node of a cluster. */
const hashTag = /^[^{]*\{[^}]+\}/

export type Config = Variables & { PUBLIC_URL: string; PROBLEM_BASE: string; MAIL_FROM: string }

/** A value of the environment that cannot be used; the message names the variable and the rule. */
export class ConfigError extends Error {}

/**
 * Reads the configuration once, at start. An empty variable counts as unset.
 * @throws ConfigError that names every variable whose value breaks its own rule, or else the first rule between
 * variables that is broken.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.entries(environment).filter(
    ([name, value]) => name in configSchema.properties && value,
  )
  const parsed = parse(Object.fromEntries(given))
  if (parsed.REDIS_URL?.includes(',') && !hashTag.test(parsed.QUEUE_PREFIX))
    throw new ConfigError(
      'QUEUE_PREFIX must have a part in braces, such as {abs}, to keep the queues on one node of a cluster',
    )
  if (parsed.DATABASE_POOL_MODE === 'transaction' && !parsed.DATABASE_DIRECT_URL)
    throw new ConfigError('DATABASE_DIRECT_URL must be set with DATABASE_POOL_MODE=transaction')
  const PUBLIC_URL = parsed.PUBLIC_URL ?? publicUrl(parsed.HOST, parsed.PORT)
  if (parsed.SECRET_KEY_PREVIOUS && !parsed.SECRET_KEY)
    throw new ConfigError('SECRET_KEY must be set with SECRET_KEY_PREVIOUS')
  if (parsed.SMTP_URL && !parsed.MAIL_FROM) throw new ConfigError('MAIL_FROM must be set with SMTP_URL')
  const noNetwork = outgoingRules(parsed).privateNetworks.find((network) => !isNetwork(network))
  if (noNetwork !== undefined)
    throw new ConfigError(
      `WEBHOOK_PRIVATE_NETWORKS must be addresses and networks such as 10.0.0.0/8, separated by commas: '${noNetwork}' is neither`,
    )
  return {
    ...parsed,
    PUBLIC_URL,
    PROBLEM_BASE: parsed.PROBLEM_BASE ?? `${PUBLIC_URL}/problems`,
    MAIL_FROM: parsed.MAIL_FROM ?? 'bookings@localhost',
  }
}

/**
 * The database that the processes of the service use; undefined for the embedded one.
 * @throws ConfigError if only DATABASE_DIRECT_URL is set, with which only commands work: otherwise `npm start` would
 * migrate that database, and serve the embedded one.
 */
export function servedDatabase({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
}: Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string | undefined {
  if (DATABASE_DIRECT_URL && !DATABASE_URL)
    throw new ConfigError(
      'DATABASE_URL must be set with DATABASE_DIRECT_URL, which serves only migrations, commands and queues',
    )
  return DATABASE_URL
}

/**
 * The keys that verify signatures and decrypt secrets: SECRET_KEY, then SECRET_KEY_PREVIOUS; empty when
 * neither is set.
 */
export function openingKeys({
  SECRET_KEY,
  SECRET_KEY_PREVIOUS,
}: Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>): string[] {
  return [SECRET_KEY, SECRET_KEY_PREVIOUS].filter((key) => key !== undefined)
}

/** The private networks that webhooks may be sent to, and whether http: URLs are allowed. */
export function outgoingRules({
  WEBHOOK_PRIVATE_NETWORKS,
  WEBHOOK_ALLOW_HTTP,
}: Pick<Config, 'WEBHOOK_PRIVATE_NETWORKS' | 'WEBHOOK_ALLOW_HTTP'>): OutgoingRules {
  const privateNetworks = WEBHOOK_PRIVATE_NETWORKS?.split(',').map((network) => network.trim()) ?? []
  return { privateNetworks, allowHttp: WEBHOOK_ALLOW_HTTP === 1 }
}

function publicUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The environment of a child process: that of this process, with `changes`. */
export function childEnvironment(changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...process.env, ...changes }
}

let validate: ValidateFunction<Variables> | undefined

function parse(data: Record<string, unknown>): Variables {
  validate ??= new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    allowUnionTypes: true,
    validateSchema: false,
  }).compile<Variables>(configSchema)
  if (validate(data)) return data
  throw new ConfigError((validate.errors ?? []).map(describe).join('; '))
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  const name = instancePath.slice(1)
  const rule = keyword === 'pattern' ? (patternRules[name] ?? message) : message
  const { allowedValues } = params as { allowedValues?: string[] }
  return [name, rule, allowedValues?.join(', ')].filter(Boolean).join(' ')
}
