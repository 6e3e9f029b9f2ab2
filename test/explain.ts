/** What PostgreSQL does to answer a query. */
import { openDatabase, type Queryable } from '../src/platform/database.ts'

export type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

type Settings = {
  /** Statements to run before, on the same connection. */
  before?: string
  options?: string
}

/** The plan's nodes, as auto_explain would see them: the last statement is captured, then explained with its values. */
export async function explain(
  url: string,
  query: (sql: Queryable) => Promise<unknown>,
  { before, options = 'format json' }: Settings = {},
): Promise<Node[]> {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  const statements: { text: string; values: unknown[] }[] = []
  sql.options.debug = (_connection, text, values) => statements.push({ text, values })
  await query(sql)
  const { text, values } = statements.at(-1)!
  if (before) await sql.unsafe(before)
  const [row] = await sql.unsafe(`explain (${options}) ${text}`, values as never[])
  await sql.end()
  const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  return flatten(row!['QUERY PLAN'][0].Plan)
}
