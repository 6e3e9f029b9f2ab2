/** The version of the service, from package.json. */
import { readFileSync } from 'node:fs'
import { projectPath } from './paths.ts'

export const { version } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8')) as {
  version: string
}
