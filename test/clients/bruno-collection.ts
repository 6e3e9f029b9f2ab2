/** Reads a collection of requests for Bruno: one file for each request, made of named blocks. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export type Variables = Record<string, string>
export type BrunoRequest = {
  file: string
  order: number
  method: string
  /** May contain variables as `{{name}}`, as the headers and the body may. */
  url: string
  query: Variables
  headers: Variables
  body: string | undefined
  /** The variables to set from the response, each with an expression such as `res.body.data[0].Date`. */
  variablesFromResponse: Variables
}

/** The blocks of a file by name. `name {` or `name [` begins a block; a closing bracket that begins a line ends it. */
export function readBlocks(text: string): Map<string, string> {
  const blocks = text.matchAll(/^([\w:-]+) [{[]\n([\s\S]*?)\n[}\]]$/gm)
  return new Map([...blocks].map(([, name = '', inner = '']) => [name, inner]))
}

/** The lines `name: value` of a block. */
export function readPairs(block = ''): Variables {
  return Object.fromEntries(
    [...block.matchAll(/^ *([\w-]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** The requests of a folder, in their order. */
export async function readRequests(folder: string): Promise<BrunoRequest[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bru'))
  const requests = await Promise.all(
    names.map(async (name) => toRequest(name, readBlocks(await readFile(path.join(folder, name), 'utf8')))),
  )
  return requests.sort((one, other) => one.order - other.order)
}

function toRequest(file: string, blocks: Map<string, string>): BrunoRequest {
  const method = ['get', 'post', 'put', 'patch', 'delete'].find((name) => blocks.has(name))
  if (!method) throw new Error(`${file} has no method`)
  return {
    file,
    method,
    order: Number(readPairs(blocks.get('meta')).seq),
    url: readPairs(blocks.get(method)).url!,
    query: readPairs(blocks.get('params:query')),
    headers: readPairs(blocks.get('headers')),
    body: blocks.get('body:json'),
    variablesFromResponse: readPairs(blocks.get('vars:post-response')),
  }
}

/** Replaces each `{{name}}` by the value of the variable. Throws if a variable is not known. */
export function fill(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables[name]
    if (value === undefined) throw new Error(`{{${name}}} is not known`)
    return value
  })
}

/** Evaluates an expression such as `res.body.data[0].Date`. */
export function evaluate(expression: string, body: unknown): string {
  const steps = expression.match(/\w+/g)!.slice(2)
  return String(
    steps.reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], body as unknown),
  )
}
