/**
 * Reads the text of a catalogue file: finds errors of syntax and schema, and the parts without errors.
 * model.ts and existing.ts check the values of the fields.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { plainMessage } from '../../platform/schema/validation.ts'
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
 * An error in the file. `pointer` (RFC 6901) is the part of the file that has the error; it is empty for the
 * whole file. `place` is set if the pointer alone cannot locate the error.
 */
export type Fault = { pointer: string; message: string; place?: Place }

export type Located<T> = { pointer: string; value: T }

/** A product of the file without the parts that have errors. */
export type Sketch = {
  pointer: string
  fields: Partial<Omit<FileProduct, 'Questions' | 'Timeslots' | 'Schedules'>>
  /** Whether the units of this product have an error. */
  hasUnsoundUnits: boolean
  /** Whether the questions of this product have an error. */
  hasUnsoundQuestions: boolean
  questions: Located<FileQuestion>[]
  timeslots: Located<FileTimeslot>[]
  schedules: Located<FileSchedule>[]
  /**
   * Whether the product has the field Questions, so that the import deletes its questions that are not in the
   * file.
   */
  replacesQuestions: boolean
  /**
   * Whether the product has the field Schedules, so that the import deletes its schedules that are not in the
   * file.
   */
  replacesSchedules: boolean
}

let compiled: ValidateFunction<CatalogueFile> | undefined

/** Compiles the schema. It is called at first use, because most processes never read a catalogue file. */
function compile(): ValidateFunction<CatalogueFile> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, validateSchema: false })
  ajv.addFormat('date', isCalendarDate)
  ajv.addKeyword('errorMessage')
  return ajv.compile<CatalogueFile>(catalogueSchema)
}

const deepest = 100

/**
 * Parses a JSON text. Returns the document, with an error for each repeated field. If the text is not JSON or
 * is nested too deep, it returns only the errors.
 */
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

/** Checks a document with the schema. If it returns no error, the document is a CatalogueFile. */
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
        message: 'is not a field of this object',
      }
    case 'enum':
      return { pointer: instancePath, message: `must be one of ${params.allowedValues.join(', ')}` }
    case 'format':
      return { pointer: instancePath, message: 'must be a calendar date, YYYY-MM-DD' }
    case 'pattern':
      return { pointer: instancePath, message: parentSchema?.errorMessage ?? message }
    default:
      return { pointer: instancePath, message: plainMessage(message) }
  }
}

/** Converts a field to a part of a pointer: `Units[1].Price.Amount` becomes `Units/1/Price/Amount`. */
export function inPointer(field: string): string {
  return field.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')
}

/**
 * The products of a document without the parts that have an error in them, so that the rest can be checked.
 */
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
      hasUnsoundQuestions: unsound.has(`${pointer}/Questions`),
      questions: sound<FileQuestion>(product, pointer, 'Questions'),
      timeslots: sound<FileTimeslot>(product, pointer, 'Timeslots'),
      schedules: sound<FileSchedule>(product, pointer, 'Schedules'),
      replacesQuestions: product.Questions !== undefined,
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

/** The pointer itself and the pointers of all its parents: for /a/b, these are /a and /a/b. */
function pathsTo(pointer: string): string[] {
  const parts = pointer.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'))
}
