/** Messages about templates that cannot be rendered, for people who write e-mails. */
import t from 'tap'
import { templateWords } from '../../src/dashboard/frame/template-words.ts'
import { faultIn } from '../../src/languages/faults.ts'
import { textsIn } from '../../src/languages/texts.ts'
import { renderLiquid } from '../../src/platform/text/liquid.ts'

t.test('an error of a template is described in words, with its line', async (t) => {
  const describe = (template: string) => {
    try {
      return renderLiquid(template, { date: '2030-06-15', customer: {} })
    } catch (error) {
      return templateWords(`cannot be rendered: ${(error as Error).message}`)
    }
  }
  t.equal(
    describe('Hi {{ nobody }}'),
    'names {{ nobody }}, which does not exist: see the list of variables (line 1)',
  )
  t.equal(
    describe('{{ customer.x.y }}'),
    'names {{ customer.x }}, which does not exist: see the list of variables (line 1)',
  )
  t.equal(describe('a\n{{ date | shout }}'), 'has a filter “shout”, which does not exist (line 2)')
  t.equal(describe('{{ date'), 'has a {{ without its }} (line 1)')
  t.equal(describe('{% if date %}x'), 'has {% if … %} without its end (line 1)')
  t.equal(describe('{% foo %}'), 'has {% foo %}, which does not exist (line 1)')
  t.equal(describe('{{ }}'), 'has a {{ }} that names nothing (line 1)')
  t.equal(templateWords('cannot be rendered: a text is too long'), 'cannot be read: a text is too long')
  t.equal(templateWords('cannot be rendered: it takes too long to render'), 'takes too long to render')
  t.equal(templateWords('must not be empty'), 'must not be empty')
})

t.test('a template that is too slow is described in the language of the user', async (t) => {
  const slow = (subject: string) => templateWords(`${subject}: it takes too long to render`)
  t.equal(faultIn(textsIn('pt-PT'), slow('cannot be rendered')), 'demora demasiado a gerar')
  t.equal(slow('It cannot be written'), 'It takes too long to render')
  t.equal(faultIn(textsIn('pt-PT'), slow('It cannot be written')), 'Demora demasiado a gerar')
})
