/**
 * Prepares a part of a request before Ajv checks it. Removes optional fields that are null, because null
 * means "omitted" there. Reports text that cannot be stored, which Ajv does not check. Shortens lists that
 * are too long.
 */

/** The few keywords of JSON Schema that this folder reads. */
export type CompiledSchema = {
  type?: string
  properties?: Record<string, CompiledSchema>
  required?: string[]
  items?: CompiledSchema
  maxItems?: number
  anyOf?: CompiledSchema[]
  explode?: boolean
}

/** The path of a value, from the outermost field or index to the innermost, and what is wrong with it. */
export type ValueFault = { path: (string | number)[]; message: string }
/** Changes the value in place; returns what is wrong, or null. */
export type Clean = (value: unknown) => ValueFault[] | null

const unstorable = 'must not contain NUL or lone surrogates'

/**
 * Makes the function that cleans values of a schema. The schema is read once, and not for each value.
 * @param isBody whether text in fields that the schema does not name is checked too.
 */
export function compileClean(schema: CompiledSchema, isBody: boolean): Clean {
  const cleanList = compileList(schema.anyOf?.find(({ type }) => type === 'array') ?? schema, isBody)
  const cleanFields = compileFields(schema, isBody)
  return (value) => {
    if (typeof value === 'string') return isStorable(value) ? null : [{ path: [], message: unstorable }]
    if (typeof value !== 'object' || value === null) return null
    return Array.isArray(value) ? cleanList(value) : cleanFields(value as Record<string, unknown>)
  }
}

/**
 * Reports a list with too many items once, and removes the items past the limit, so that Ajv does not check
 * them.
 */
function compileList({ items, maxItems = Number.POSITIVE_INFINITY }: CompiledSchema, isBody: boolean) {
  const cleanItem = items && compileClean(items, isBody)
  return (list: unknown[]): ValueFault[] | null => {
    let faults: ValueFault[] | null = null
    if (list.length > maxItems) {
      faults = [{ path: [], message: `must have at most ${maxItems} items` }]
      list.length = maxItems
    }
    if (cleanItem)
      for (let index = 0; index < list.length; index++) faults = joined(faults, index, cleanItem(list[index]))
    return faults
  }
}

function compileFields({ properties = {}, required = [] }: CompiledSchema, isBody: boolean) {
  const known = Object.entries(properties).map(([name, property]) => {
    return { name, isOptional: !required.includes(name), cleanField: compileClean(property, isBody) }
  })
  return (fields: Record<string, unknown>): ValueFault[] | null => {
    let faults: ValueFault[] | null = null
    for (const { name, isOptional, cleanField } of known) {
      const value = fields[name]
      if (value === null && isOptional) delete fields[name]
      else faults = joined(faults, name, cleanField(value))
    }
    if (isBody)
      for (const name in fields) {
        if (!Object.hasOwn(properties, name) && !isAllStorable(fields[name]))
          faults = joined(faults, name, [{ path: [], message: unstorable }])
      }
    return faults
  }
}

function joined(
  faults: ValueFault[] | null,
  key: string | number,
  inner: ValueFault[] | null,
): ValueFault[] | null {
  if (inner === null) return faults
  const all = faults ?? []
  for (const { path, message } of inner) all.push({ path: [key, ...path], message })
  return all
}

/** The name of a field in requests: `Customer.Email`, `Answers[0].QuestionID`. */
export function fieldName(path: ValueFault['path']): string {
  return path.reduce<string>((outer, key) => {
    if (typeof key === 'number') return `${outer}[${key}]`
    return outer ? `${outer}.${key}` : key
  }, '')
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * Whether all text of a value without a schema can be stored. Does not recurse, because a body may be nested
 * very deeply.
 */
function isAllStorable(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && !isStorable(one)) return false
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner)
  }
  return true
}
