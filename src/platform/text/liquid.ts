/**
 * Templates that others write, in Liquid: strict, and bounded in time, memory and output, without a way to files,
 * to other templates, or to anything but the values they are given. What the values mean is not its business.
 */
import { type Context, type Emitter, filters, Liquid, type Template, toValue } from 'liquidjs'

const mostCharacters = 256 * 1024
const mostMilliseconds = 500

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
  renderLimit: mostMilliseconds,
  memoryLimit: 1_000_000,
})
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
  try {
    return engine.renderSync(engine.parse(template), values)
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateError('the template is nested too deeply or too long')
    throw new TemplateError(firstLine((error as Error).message))
  }
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

function firstLine(message: string): string {
  return message.split('\n', 1)[0]!.slice(0, 300)
}
