/**
 * Templates that others write, in Liquid: strict, and bounded in time, memory and output, without a way to files,
 * to other templates, or to anything but the values they are given. What the values mean is not its business.
 */
import { createContext, Script } from 'node:vm'
import {
  type Context,
  defaultOperators,
  type Emitter,
  filters,
  Liquid,
  type Template,
  toValue,
} from 'liquidjs'

/** The event loop stands still for so long at most while a template is rendered. */
const renderLimitMs = 50
const mostCharacters = 256 * 1024
const mostTries = 3

type Operator = (left: unknown, right: unknown, ...rest: unknown[]) => unknown
const contains = defaultOperators.contains as Operator

const engine = new Liquid({
  strictFilters: true,
  strictVariables: true,
  // A condition may ask whether there is a value.
  lenientIf: true,
  ownPropertyOnly: true,
  // A time is written as it stands in the value, in its own zone and never in the server’s.
  preserveTimezones: true,
  timezoneOffset: 0,
  locale: 'en',
  templates: {},
  parseLimit: mostCharacters,
  memoryLimit: 1_000_000,
  operators: {
    ...defaultOperators,
    contains(left: unknown, right: unknown, ...rest: unknown[]) {
      if (typeof left === 'string') refuseLongSearch(left, toText(right))
      return contains(left, right, ...rest) as boolean
    },
  },
})
// A search is one step of the engine: no time limit ends it, and it may take as long as both lengths multiplied.
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
// A plain date would be taken for midnight where the server stands, which may be the day before.
engine.registerFilter('date', function (value: unknown, ...format: unknown[]) {
  const plain = /^\d{4}-\d{2}-\d{2}$/.test(String(value))
  return (filters.date as (...all: unknown[]) => unknown).call(
    this,
    plain ? `${value}T00:00:00Z` : value,
    ...format,
  )
})
for (const name of Object.keys(filters).filter((name) => name.startsWith('date_')))
  engine.unregisterFilter(name)
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

// Liquid bounds what filters allocate, but neither what is put out nor what `capture` keeps: every part of a
// template that is rendered begins here.
const { renderer } = engine
const renderTemplates = renderer.renderTemplates.bind(renderer)
renderer.renderTemplates = (templates: Template[], context: Context, emitter?: Emitter) =>
  renderTemplates(templates, context, emitter ?? boundedEmitter())

/** A template that cannot be read or rendered; the message is for whoever wrote it. */
export class TemplateError extends Error {}

/**
 * What the template comes to with these values, which must be plain data.
 * @throws TemplateError when it cannot be read, names what there is not, or goes past a bound.
 */
export function renderLiquid(template: string, values: Record<string, unknown>): string {
  warmUp()
  for (let tried = 1; ; tried++) {
    const before = process.cpuUsage()
    try {
      return withinLimit(() => engine.renderSync(engine.parse(template), values))
    } catch (error) {
      if (!isTimeout(error)) throw toTemplateError(error as Error)
      const { user, system } = process.cpuUsage(before)
      // Time passed, but others had the processor. Begun anew it is quicker: part of it is compiled by now.
      const wasHeldUp = user + system < (renderLimitMs * 1000 * 3) / 4
      if (!wasHeldUp || tried === mostTries)
        throw new TemplateError(`it takes longer than ${renderLimitMs} milliseconds to render`)
    }
  }
}

const limited: { work: () => void } = { work() {} }
const context = createContext(limited)
const script = new Script('work()')

/**
 * What `work` gives, ended after `renderLimitMs` wherever it is: the engine itself looks at the clock only between two
 * tags. It runs with everything that this process can do: the context is only what the limit is set on.
 */
function withinLimit<T>(work: () => T): T {
  let result: T | undefined
  limited.work = () => {
    result = work()
  }
  script.runInContext(context, { timeout: renderLimitMs })
  return result as T
}

function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

function toTemplateError(error: Error): TemplateError {
  return new TemplateError(
    error instanceof RangeError ? 'the template is nested too deeply or too long' : firstLine(error.message),
  )
}

let isWarm = false

/** What only the first template of a process needs time for is not counted against it. */
function warmUp(): void {
  if (isWarm) return
  isWarm = true
  const values = { date: '2030-06-15', name: 'Ada' }
  engine.parseAndRenderSync('{% if name == "Ada" %}{{ date | date: "%A %e %B" }}{% endif %}', values)
}

const mostCompared = 10_000_000

function refuseLongSearch(text: string, part: string): void {
  if (text.length * part.length > mostCompared) throw new Error('a text is too long to search in')
}

function boundedEmitter(): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      this.buffer += toText(value)
      if (this.buffer.length > mostCharacters)
        throw new Error(`the text is longer than ${mostCharacters} characters`)
    },
  } as Emitter
}

function toText(value: unknown): string {
  const plain = toValue(value)
  if (typeof plain === 'string') return plain
  if (plain === null || plain === undefined) return ''
  return Array.isArray(plain) ? plain.map(toText).join('') : String(plain)
}

/** Without control characters, which it may quote from the template. */
function firstLine(message: string): string {
  return message
    .split('\n', 1)[0]!
    .slice(0, 300)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
}
