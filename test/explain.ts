/** The plans that PostgreSQL uses for a query. */
import { openDatabase, type Queryable } from '../src/platform/postgres/database.ts'

export type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

type Settings = {
  /** Statements to run first, on the same connection. */
  before?: string
  options?: string
}

/** Calls `query`, captures its statements, explains each of them, and returns the nodes of all plans. */
export async function explain(
  url: string,
  query: (sql: Queryable) => Promise<unknown>,
  { before, options = 'format json' }: Settings = {},
): Promise<Node[]> {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  const statements: { text: string; values: unknown[] }[] = []
  // Leaves out the statements of postgres.js itself, when it connects or begins a transaction.
  sql.options.debug = (_connection, text, values) => {
    if (!text.includes('pg_catalog') && !/^(begin|commit)\b/.test(text)) statements.push({ text, values })
  }
  await query(sql)
  const ours = statements.splice(0)
  if (before) await sql.unsafe(before)
  const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
  const nodes: Node[] = []
  for (const { text, values } of ours) {
    const [row] = await sql.unsafe(`explain (${options}) ${text}`, values as never[])
    nodes.push(...flatten(row!['QUERY PLAN'][0].Plan))
  }
  await sql.end()
  return nodes
}
