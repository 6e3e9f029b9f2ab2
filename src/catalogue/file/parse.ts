/**
 * From the text of a catalogue file to what can be judged of it: faults of syntax and shape, and the parts
 * that have none. It knows the schema and nothing of what the fields mean.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isCalendarDate } from '../../platform/text/calendar.ts'
import {
  findRepeatedFields,
  findSyntaxErrors,
  findTooDeep,
  type Place,
  toPointer,
} from '../../platform/text/json-places.ts'
import {
  type CatalogueFile,
  catalogueSchema,
  type FileProduct,
  type FileQuestion,
  type FileSchedule,
  type FileTimeslot,
} from './schemas.ts'

/**
 * Something wrong in the file; the pointer (RFC 6901) names the part, and is empty for the whole file. The place is given
 * where the pointer alone does not lead to it.
 */
export type Fault = { pointer: string; message: string; place?: Place }

export type Located<T> = { pointer: string; value: T }

/** A product of the file, reduced to the parts that have no fault. */
export type Sketch = {
  pointer: string
  fields: Partial<Omit<FileProduct, 'Questions' | 'Timeslots' | 'Schedules'>>
  /** Units are given, and have faults. */
  hasUnsoundUnits: boolean
  questions: Located<FileQuestion>[]
  timeslots: Located<FileTimeslot>[]
  schedules: Located<FileSchedule>[]
  /** Schedules are given, so that those the product has and the file does not give end. */
  replacesSchedules: boolean
}

let compiled: ValidateFunction<CatalogueFile> | undefined

/** Made at its first use, which most processes never come to. */
function compile(): ValidateFunction<CatalogueFile> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, validateSchema: false })
  ajv.addFormat('date', isCalendarDate)
  ajv.addKeyword('errorMessage')
  return ajv.compile<CatalogueFile>(catalogueSchema)
}

const deepest = 100

/** The document that text is the JSON of, with the fields it repeats as faults; or the faults of text that is no JSON. */
export function parseJson(text: string): { document: unknown; repeated: Fault[] } | { faults: Fault[] } {
  const tooDeep = findTooDeep(text, deepest)
  if (tooDeep)
    return { faults: [{ pointer: '', message: `is nested more than ${deepest} deep`, place: tooDeep }] }
  try {
    const document: unknown = JSON.parse(text)
    const repeated = findRepeatedFields(text).map(({ pointer, ...place }) => {
      return { pointer, message: 'is given twice in this object', place }
    })
    return { document, repeated }
  } catch (error) {
    const errors = findSyntaxErrors(text).map(({ message, ...place }) => {
      return { pointer: '', message: `must be JSON: ${message}`, place }
    })
    if (errors.length > 0) return { faults: errors }
    return { faults: [{ pointer: '', message: `must be JSON: ${(error as Error).message}` }] }
  }
}

/** Every fault of shape; when there is none, the document is a CatalogueFile. */
export function checkShape(document: unknown): Fault[] {
  compiled ??= compile()
  if (compiled(document)) return []
  return (compiled.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(toFault)
}

function toFault({ keyword, instancePath, params, message = '', parentSchema }: ErrorObject): Fault {
  switch (keyword) {
    case 'required':
      return { pointer: instancePath + toPointer([params.missingProperty]), message: 'is missing' }
    case 'additionalProperties':
      return {
        pointer: instancePath + toPointer([params.additionalProperty]),
        message: 'is no field of this object',
      }
    case 'enum':
      return { pointer: instancePath, message: `must be one of ${params.allowedValues.join(', ')}` }
    case 'format':
      return { pointer: instancePath, message: 'must be a calendar date, YYYY-MM-DD' }
    case 'pattern':
      return { pointer: instancePath, message: parentSchema?.errorMessage ?? message }
    default:
      return { pointer: instancePath, message }
  }
}

/** `Units[1].Price.Amount` as a part of a pointer. */
export function inPointer(field: string): string {
  return field.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')
}

/** The products of a document without whatever has a fault at it or under it, so that the rest can be judged. */
export function sketch(document: unknown, faults: Fault[]): Sketch[] {
  const unsound = new Set(faults.flatMap(({ pointer }) => pathsTo(pointer)))
  const sound = <T>(owner: Record<string, unknown>, pointer: string, field: string) =>
    elements<T>(owner[field], `${pointer}/${field}`).filter((element) => !unsound.has(element.pointer))

  return elements<unknown>(fieldsOf(document).Products, '/Products').map(({ pointer, value }) => {
    const product = fieldsOf(value)
    const fields = Object.entries(product).filter(([name]) => !unsound.has(pointer + toPointer([name])))
    return {
      pointer,
      fields: Object.fromEntries(fields) as Sketch['fields'],
      hasUnsoundUnits: unsound.has(`${pointer}/Units`),
      questions: sound<FileQuestion>(product, pointer, 'Questions'),
      timeslots: sound<FileTimeslot>(product, pointer, 'Timeslots'),
      schedules: sound<FileSchedule>(product, pointer, 'Schedules'),
      replacesSchedules: product.Schedules !== undefined,
    }
  })
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function elements<T>(list: unknown, pointer: string): Located<T>[] {
  if (!Array.isArray(list)) return []
  return list.map((value: T, index) => ({ pointer: `${pointer}/${index}`, value }))
}

/** A pointer and those of everything it lies in: /a/b gives /a and /a/b. */
function pathsTo(pointer: string): string[] {
  const parts = pointer.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
}
