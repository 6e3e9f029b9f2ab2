/** `npm run client`: writes the types of the client for partners from the application in this checkout. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { projectPath } from '../src/platform/project/paths.ts'
import { clientTypesFile, makeClientTypes } from './client-types.ts'
import { readOpenApiDocument } from './openapi-document.ts'

await writeFile(clientTypesFile, await makeClientTypes(await readOpenApiDocument()))
process.stdout.write(`Wrote ${path.relative(projectPath(), clientTypesFile)}.\n`)
