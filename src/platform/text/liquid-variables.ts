/** Finds variables of a Liquid template that do not exist, also in branches that rendering does not take. */
import { AssignTag, CaseTag, IfTag, type Liquid, UnlessTag, type Variable } from 'liquidjs'

/**
 * Makes the engine's analysis ignore the variables in the tags themselves, such as in the condition of `if`,
 * because rendering accepts missing values there. So a condition can test whether a value exists. Rendering
 * does not change.
 */
export function ignoreLenientTags(engine: Liquid): void {
  engine.registerTag('if', LenientIf)
  engine.registerTag('unless', LenientUnless)
  engine.registerTag('case', LenientCase)
  engine.registerTag('assign', LenientAssign)
}

const none = () => []

class LenientIf extends IfTag {
  override arguments = none
}
class LenientUnless extends UnlessTag {
  override arguments = none
}
class LenientCase extends CaseTag {
  override arguments = none
}
class LenientAssign extends AssignTag {
  override arguments = none
}

/**
 * The first variable that the template writes and that does not exist, with its place, such as `booking.price,
 * line:1, col:4`; null if there is none. A variable with the filter `default` may be missing.
 */
export function findUnknownVariable(engine: Liquid, template: string, values: object): string | null {
  const { globals } = engine.analyzeSync(engine.parse(template), { partials: false })
  for (const variable of Object.values(globals).flat()) {
    const name = unknownPart(variable, values)
    const { row, col } = variable.location
    if (name !== null && !hasDefault(template, row, col)) return `${name}, line:${row}, col:${col}`
  }
  return null
}

/** The beginning of the variable's path up to the first name that does not exist; null if all names exist. */
function unknownPart({ segments }: Variable, values: object): string | null {
  let inner: unknown = values
  for (const [index, name] of segments.entries()) {
    // The name in `x[y]` is known only when the template is rendered.
    if (typeof name === 'object') return null
    const exists = index > 0 && ['size', 'first', 'last'].includes(String(name))
    if (!exists && !Object.hasOwn(Object(inner), name)) return segments.slice(0, index + 1).join('.')
    inner = Object(inner)[name]
  }
  return null
}

function hasDefault(template: string, row: number, col: number): boolean {
  const rest = template
    .split('\n')
    .slice(row - 1)
    .join('\n')
  return /^[^|%}]*\|\s*default\b/.test(rest.slice(col - 1))
}
