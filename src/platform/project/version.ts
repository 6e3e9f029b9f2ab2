/** The version of the service, as its package says. */
import { readFileSync } from 'node:fs'
import { projectPath } from './paths.ts'

export const { version } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8')) as {
  version: string
}
