/** Finds places in the text of a JSON document. Lines and columns count from 1, as in editors. */
import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'

export type Place = { line: number; column: number }

const mistakes: Record<string, string> = {
  PropertyNameExpected: 'the name of a field, in double quotes, is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing here',
  CloseBraceExpected: 'a closing brace is missing here',
  CloseBracketExpected: 'a closing bracket is missing here',
  EndOfFileExpected: 'the file must end here',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'this text has no closing quote',
  UnexpectedEndOfNumber: 'this number has no end',
  InvalidNumberFormat: 'this is not a number',
  InvalidUnicode: '\\u must be followed by four hexadecimal digits',
  InvalidEscapeCharacter: 'this text has an unknown escape after \\',
  InvalidCharacter: 'control characters must be escaped in text',
}

// A limit for text that is not JSON, which may have an error in every line.
const maxErrors = 100

/**
 * The first syntax error of each line, because one error often causes more in the same line; 100 at most.
 * Empty for valid JSON.
 */
export function findSyntaxErrors(text: string): (Place & { message: string })[] {
  const errors = new Map<number, Place & { message: string }>()
  walk(text, {
    onError(code, _offset, _length, line, character) {
      if (errors.size === maxErrors || errors.has(line)) return
      const message = mistakes[printParseErrorCode(code)] ?? 'this is not a JSON value'
      errors.set(line, { ...toPlace(line, character), message })
    },
  })
  return [...errors.values()]
}

/** Fields that occur twice in an object: JSON.parse() silently takes the last one. */
export function findRepeatedFields(text: string): (Place & { pointer: string })[] {
  const repeated: (Place & { pointer: string })[] = []
  const objects: Set<string>[] = []
  walk(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty(name, _offset, _length, line, character, path) {
      const names = objects.at(-1)!
      if (names.has(name))
        repeated.push({ pointer: toPointer([...path(), name]), ...toPlace(line, character) })
      names.add(name)
    },
  })
  return repeated
}

/**
 * Finds the place of each pointer (RFC 6901): where the name of the field begins, or the item of the list. If a
 * pointer leads to something that is missing, such as a required field, its place is that of the containing object.
 */
export function findPlaces(text: string, pointers: Iterable<string>): (pointer: string) => Place {
  const wanted = new Set<string>()
  for (let pointer of pointers) for (; !wanted.has(pointer); pointer = ownerOf(pointer)) wanted.add(pointer)
  const places = new Map<string, Place>()
  /**
   * Stores the place of a value if a pointer leads to it or to a part of it, and returns whether one does.
   */
  const keep = (path: readonly (string | number)[], line: number, character: number) => {
    const pointer = toPointer(path)
    const isWanted = wanted.has(pointer)
    if (isWanted) places.set(pointer, toPlace(line, character))
    return isWanted
  }
  // The value of a field has the place of its name.
  const keepItem: NonNullable<JSONVisitor['onArrayBegin']> = (_offset, _length, line, character, path) => {
    const parts = path()
    if (typeof parts.at(-1) === 'string') return wanted.has(toPointer(parts))
    return keep(parts, line, character)
  }
  walk(text, {
    onObjectProperty: (name, _offset, _length, line, character, path) =>
      void keep([...path(), name], line, character),
    // A value that no pointer leads into is skipped.
    onObjectBegin: keepItem,
    onObjectEnd: () => {},
    onArrayBegin: keepItem,
    onArrayEnd: () => {},
    onLiteralValue: (_value, ...rest) => void keepItem(...rest),
  })
  return (pointer) => {
    let known = pointer
    while (known !== '' && !places.has(known)) known = ownerOf(known)
    return places.get(known) ?? { line: 1, column: 1 }
  }
}

/** RFC 6901: `/a~1b` for the field `a/b`. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The pointer of the object or list that contains a field or item. */
function ownerOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

function toPlace(line: number, character: number): Place {
  return { line: line + 1, column: character + 1 }
}

function walk(text: string, visitor: JSONVisitor): void {
  visit(text, visitor, { disallowComments: true })
}

const parts = /"(?:[^"\\\r\n]|\\.)*"?|[{[]|[}\]]|\r\n|\r|\n/g

/**
 * The first place that is nested more than `most` deep. Do not call the functions above if there is one: they
 * recurse for each level, and would overflow the stack.
 */
export function findTooDeep(text: string, most: number): Place | null {
  let depth = 0
  let line = 1
  let lineStart = 0
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (part === '{' || part === '[') depth += 1
    else if (part === '}' || part === ']') depth -= 1
    else if (!part.startsWith('"')) [line, lineStart] = [line + 1, index + part.length]
    if (depth > most) return { line, column: index - lineStart + 1 }
  }
  return null
}
