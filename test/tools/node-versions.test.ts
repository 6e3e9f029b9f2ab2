/** The versions of Node.js in the image and in CI, and the YAML files of .github. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { parse } from 'yaml'
import { projectPath } from '../../src/platform/project/paths.ts'

const read = (...parts: string[]) => readFile(projectPath(...parts), 'utf8')
const standard = (await read('.nvmrc')).trim()
const oldest = JSON.parse(await read('package.json')).engines.node.replace('>=', '')

t.test('the image has the Node.js of .nvmrc in both stages', async (t) => {
  const images = [...(await read('Dockerfile')).matchAll(/^FROM node:(\d+)-/gm)].map(([, version]) => version)
  t.same(images, [standard, standard])
})

t.test('CI runs on the oldest supported Node.js and on the default one', async (t) => {
  const { jobs } = parse(await read('.github', 'workflows', 'ci.yml'))
  const { node } = jobs.ci.strategy.matrix
  t.equal(node.at(0), oldest)
  t.equal(node.at(-1), standard)
  t.match(jobs.ci.steps.at(-1), { run: '.ci/run' })
})

t.test('issue templates and the settings of Dependabot are valid YAML', async (t) => {
  for (const file of ['dependabot.yml', 'ISSUE_TEMPLATE/bug.yml', 'ISSUE_TEMPLATE/feature.yml'])
    t.ok(parse(await read('.github', file)), file)
})
