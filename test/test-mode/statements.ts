/** Reads the SQL statements of the sources, to find those that no account is bound to. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { projectPath } from '../../src/platform/project/paths.ts'

/**
 * `at` is the file and the name of the function; `text` is the source of the template, including its `${…}`
 * expressions.
 */
export type SqlStatement = { at: string; text: string }

/** Every template of the sources that begins like a statement, including parts of statements. */
export function readStatements(folders: readonly string[]): SqlStatement[] {
  return folders.flatMap((folder) =>
    readdirSync(projectPath(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .flatMap((name) => statementsIn(path.join(folder, name))),
  )
}

const tag = /\b(?:sql|tx)(?:<[^`]*?>)?`/g
const declaration = /^(?:export )?(?:async )?(?:function|const) (\w+)/gm
const beginning =
  /^(?:--.*\n\s*)*\(?(?:select|with|insert|update|delete|lock|truncate|merge|create|drop|alter)\b/i

function statementsIn(file: string): SqlStatement[] {
  const source = readFileSync(projectPath(file), 'utf8')
  const names = [...source.matchAll(declaration)]
  return [...source.matchAll(tag)].flatMap(({ index, 0: opening }) => {
    const begin = index + opening.length
    const text = source.slice(begin, endOf(source, begin)).trim()
    const name = names.findLast((found) => found.index < index)?.[1] ?? ''
    return beginning.test(text) ? [{ at: `${file} ${name}`, text }] : []
  })
}

/** The index of the end of the template whose text begins at `begin`; templates in its expressions are skipped. */
function endOf(source: string, begin: number): number {
  const open = ['`']
  for (let index = begin; ; index++) {
    const [character, inText] = [source[index], open.at(-1) === '`']
    if (character === undefined) throw new Error('a template without an end')
    if (character === '\\') index++
    else if (character === open.at(-1)) open.pop()
    else if (inText && source.startsWith('${', index)) {
      open.push('}')
      index++
    } else if (!inText && character === '{') open.push('}')
    else if (!inText && character === '`') open.push('`')
    if (open.length === 0) return index
  }
}

const account = /\b(accountId|testId|liveId|testAccountOf)\b/

/** Whether one of the expressions names the id of an account. */
export function namesAccount({ text }: SqlStatement): boolean {
  return [...text.matchAll(/\$\{([^}]*)/g)].some(([, expression = '']) => account.test(expression))
}
