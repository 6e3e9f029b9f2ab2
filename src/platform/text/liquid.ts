/**
 * Templates that users write, in Liquid. Rendering is strict and has limits for time, memory and output. A
 * template can reach only the values it gets: no files and no other templates.
 */
import {
  type Context,
  defaultOperators,
  type Emitter,
  filters,
  Liquid,
  type Template,
  toValue,
} from 'liquidjs'
import { TimeLimitError, withinTime } from '../async/time-limit.ts'
import { findUnknownVariable, ignoreLenientTags } from './liquid-variables.ts'

/** The time limit of one try to render a template. On a busy machine, a further try may take longer. */
const renderLimitMs = 50
const maxCharacters = 256 * 1024

type Operator = (left: unknown, right: unknown, ...rest: unknown[]) => unknown
const contains = defaultOperators.contains as Operator

/**
 * A value that a template writes in the reader's words (`text`). Comparisons and filters use the value of the
 * API (`raw`).
 */
export class ShownValue {
  readonly raw: string
  readonly text: string

  constructor(raw: string, text: string) {
    this.raw = raw
    this.text = text
  }

  toString = () => this.raw
  toJSON = () => this.raw
  // Liquid calls these methods to compare the value.
  equals = (other: unknown) => this.raw === String(other)
  gt = (other: unknown) => this.raw > String(other)
  geq = (other: unknown) => this.raw >= String(other)
  lt = (other: unknown) => this.raw < String(other)
  leq = (other: unknown) => this.raw <= String(other)
}

/** How values are written: the locale of the names of days and months, and the words for true and false. */
export type ValueWords = { locale: string; yes: string; no: string }

const plainWords: ValueWords = { locale: 'en', yes: 'true', no: 'false' }
const engines = new Map<string, Liquid>()
/** Each new engine renders this template once, so that V8 compiles the code that most templates use. */
const firstTemplate =
  '{% if name != "" %} {{ name | upcase }}{% elsif is and name == "Ada" %}{% else %}{{ is }}{% endif %}{% assign day = date | date: "%A %e %B" %}{% for n in (1..2) %}{{ day }}{% endfor %}'

function engineFor(words: ValueWords): Liquid {
  const key = JSON.stringify([words.locale, words.yes, words.no])
  const known = engines.get(key)
  if (known) return known
  const made = createEngine(words)
  // Work that only the first template of a process or a language needs does not count against its limit.
  made.parseAndRenderSync(firstTemplate, { date: '2030-06-15', name: 'Ada', is: true })
  engines.set(key, made)
  return made
}

function createEngine({ locale, yes, no }: ValueWords): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    strictVariables: true,
    // A condition may test whether a value exists.
    lenientIf: true,
    ownPropertyOnly: true,
    // A time is written in the zone of its value, never in the server’s.
    preserveTimezones: true,
    timezoneOffset: 0,
    // The language of the names of days and months.
    locale,
    templates: {},
    parseLimit: maxCharacters,
    memoryLimit: 1_000_000,
    operators: {
      ...defaultOperators,
      contains(left: unknown, right: unknown, ...rest: unknown[]) {
        const searched = left instanceof ShownValue ? left.raw : left
        if (typeof searched === 'string') refuseLongSearch(searched, toText(right))
        return contains(searched, right, ...rest) as boolean
      },
    },
  })
  // A search is one native call, which no time limit can interrupt. Its time may grow with the product of both lengths.
  for (const name of [
    'split',
    'replace',
    'replace_first',
    'replace_last',
    'remove',
    'remove_first',
    'remove_last',
  ]) {
    const search = filters[name as keyof typeof filters] as (...given: unknown[]) => unknown
    engine.registerFilter(name, function (value: unknown, pattern: unknown, ...rest: unknown[]) {
      const [text, part] = [toText(value), toText(pattern)]
      refuseLongSearch(text, part)
      return search.call(this, text, part, ...rest)
    })
  }
  // A plain date would be read as midnight in the server's zone, which may be the day before.
  engine.registerFilter('date', function (value: unknown, ...format: unknown[]) {
    const given = value instanceof ShownValue ? value.raw : value
    const plain = /^\d{4}-\d{2}-\d{2}$/.test(String(given))
    return (filters.date as (...all: unknown[]) => unknown).call(
      this,
      plain ? `${given}T00:00:00Z` : given,
      ...format,
    )
  })
  for (const name of Object.keys(filters).filter((name) => name.startsWith('date_')))
    engine.unregisterFilter(name)
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  ignoreLenientTags(engine)

  // Liquid limits the memory of filters, but neither the output nor the text of `capture`. renderTemplates()
  // is called for each of these texts, so this limits each of them.
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates: Template[], context: Context, emitter?: Emitter) =>
    renderTemplates(templates, context, emitter ?? boundedEmitter(yes, no))
  return engine
}

/** A template that cannot be read or rendered. The message is for its author. */
export class TemplateError extends Error {}

/**
 * Renders the template with these values, which must be plain data or ShownValues.
 * @param words how the template writes true and false, and its locale. The default is English, with `true` and `false`.
 * @throws TemplateError when the template cannot be parsed, uses a value that does not exist, or exceeds a
 * limit.
 */
export function renderLiquid(template: string, values: Record<string, unknown>, words = plainWords): string {
  const engine = engineFor(words)
  return untilLimit(() => engine.renderSync(engine.parse(template), values))
}

/**
 * Checks the variables of the whole template, also in branches that renderLiquid() does not take with these values.
 * @throws TemplateError when the template cannot be parsed, or writes a variable that does not exist.
 */
export function checkVariables(template: string, values: Record<string, unknown>): void {
  const engine = engineFor(plainWords)
  const unknown = untilLimit(() => findUnknownVariable(engine, template, values))
  if (unknown !== null) throw new TemplateError(`undefined variable: ${unknown}`)
}

/**
 * Runs work on a template. The engine itself checks the time only between two tags.
 * @throws TemplateError when it fails or takes too long.
 */
function untilLimit<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  try {
    // The engine reads the stack of its errors. With source maps, computing a stack may take longer than the limit.
    Error.stackTraceLimit = 0
    return withinTime(renderLimitMs, work)
  } catch (error) {
    if (error instanceof TimeLimitError) throw new TemplateError('it takes too long to render')
    throw toTemplateError(error as Error)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function toTemplateError(error: Error): TemplateError {
  return new TemplateError(
    error instanceof RangeError ? 'the template is nested too deeply or too long' : firstLine(error.message),
  )
}

const maxCompared = 10_000_000

function refuseLongSearch(text: string, part: string): void {
  if (text.length * part.length > maxCompared) throw new Error('a text is too long to search in')
}

function boundedEmitter(yes: string, no: string): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      this.buffer += typeof value === 'boolean' ? (value ? yes : no) : textOf(value)
      if (this.buffer.length > maxCharacters)
        throw new Error(`the text is longer than ${maxCharacters} characters`)
    },
  } as Emitter
}

function textOf(value: unknown): string {
  return value instanceof ShownValue ? value.text : toText(value)
}

function toText(value: unknown): string {
  const plain = toValue(value)
  if (typeof plain === 'string') return plain
  if (plain === null || plain === undefined) return ''
  return Array.isArray(plain) ? plain.map(toText).join('') : String(plain)
}

/** The first line of a message without control characters, which it may quote from the template. */
function firstLine(message: string): string {
  return message
    .split('\n', 1)[0]!
    .slice(0, 300)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
}
