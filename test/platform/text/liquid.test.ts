/** Templates of users: what they may read, and their limits. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { projectPath } from '../../../src/platform/project/paths.ts'
import { checkVariables, renderLiquid, ShownValue, TemplateError } from '../../../src/platform/text/liquid.ts'

const values = {
  name: 'Ada',
  empty: '',
  starts_at: '2030-06-15T23:30:00+01:00',
  date: '2030-06-15',
  inner: { list: [1, 2] },
}

function faultOf(template: string): unknown {
  try {
    return renderLiquid(template, values)
  } catch (error) {
    return error
  }
}

t.test('values, filters, conditions and loops are rendered', async (t) => {
  t.equal(renderLiquid('Dear {{ name | upcase }}{% if empty == "" %}!{% endif %}', values), 'Dear ADA!')
  t.equal(renderLiquid('{% for n in inner.list %}{{ n }},{% endfor %}', values), '1,2,')
  t.equal(renderLiquid('{% if nothing %}x{% else %}y{% endif %}', values), 'y')
})

t.test('a variable that does not exist is found in every branch of a template', async (t) => {
  const unknown: [string, string][] = [
    ['{% if empty != "" %}{{ inner.size }}{{ inner.lst }}{% endif %}', 'inner.lst, line:1, col:40'],
    ['{% if name %}{% else %}\n{{ nobody.x }}{% endif %}', 'nobody, line:2, col:4'],
    ['{% unless name %}{{ name | append: nobody }}{% endunless %}', 'nobody, line:1, col:36'],
    ['{% case name %}{% when "Bo" %}{{ name.title }}{% endcase %}', 'name.title, line:1, col:34'],
    ['{% for n in empty %}{{ m }}{% endfor %}', 'm, line:1, col:24'],
  ]
  for (const [template, place] of unknown) {
    t.type(renderLiquid(template, values), 'string', 'the branch is not taken')
    t.throws(
      () => checkVariables(template, values),
      new TemplateError(`undefined variable: ${place}`),
      template,
    )
  }
  for (const template of [
    '{% if nothing %}{{ name }}{% elsif nothing.more == "x" %}{{ name }}{% endif %}',
    '{% assign day = date | date: "%A" %}{% for n in inner.list %}{{ n }}{{ day }}{{ forloop.index }}{% endfor %}',
    '{% capture words %}{{ name }}{% endcapture %}{{ words }}{{ nobody | default: "you" }}',
    '{{ name.size }}{{ inner.list.first }}{{ inner.list[0] }}{{ inner["list"] }}{% raw %}{{ nobody }}{% endraw %}',
  ]) {
    t.type(renderLiquid(template, values), 'string')
    t.doesNotThrow(() => checkVariables(template, values), template)
  }
})

t.test('a time is written in its own zone, in any time zone of the server', async (t) => {
  const template = '{{ starts_at | date: "%A %H:%M" }} {{ date | date: "%A %e %B" }}'
  const script = `import { renderLiquid } from ${JSON.stringify(projectPath('dist/src/platform/text/liquid.js'))}
    process.stdout.write(renderLiquid(${JSON.stringify(template)}, ${JSON.stringify(values)}))`
  for (const TZ of ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']) {
    const node = [process.execPath, '--input-type=module', '-e', script]
    const text = execFileSync(node[0]!, node.slice(1), { env: { ...process.env, TZ }, encoding: 'utf8' })
    t.equal(text, 'Saturday 23:30 Saturday 15 June', TZ)
  }
})

t.test('nothing but the values can be reached', async (t) => {
  for (const template of [
    '{{ unknown }}',
    '{{ name.constructor }}',
    '{{ inner.__proto__ }}',
    '{{ inner.list.constructor.constructor }}',
    '{{ inner["constructor"] }}',
    '{{ process.env }}',
    "{% render 'x' %}",
    "{% include 'x' %}",
    "{% layout 'x' %}",
    '{% block x %}{% endblock %}',
    '{{ name | nonsense }}',
  ])
    t.ok(faultOf(template) instanceof TemplateError, template)
})

t.test('time, memory and output are limited, including captured text', async (t) => {
  for (const template of [
    '{% for i in (1..1000000000) %}{% endfor %}',
    '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}',
    `{% for i in (1..9999) %}${'x'.repeat(1000)}{% endfor %}`,
    `{% capture x %}{% for i in (1..9999) %}${'x'.repeat(1000)}{% endfor %}{% endcapture %}`,
    '{% assign x = name %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}',
    '{{ "x" | date: "%999999999Y" }}{{ starts_at | date: "%999999999Y" }}',
    `${'{% if true %}'.repeat(20_000)}${'{% endif %}'.repeat(20_000)}`,
    'x'.repeat(300_000),
  ]) {
    t.ok(faultOf(template) instanceof TemplateError, template.slice(0, 60))
  }
})

t.test('no tag, filter or comparison blocks the process for longer than the limit', async (t) => {
  t.equal(renderLiquid('{{ date | date: "%A" }}', values), 'Saturday')
  const long = 'a'.repeat(20_000)
  const part = `${'a'.repeat(5000)}b${'a'.repeat(5000)}`
  const grown = `{% assign x = "${long}" %}${'{% assign x = x | append: x %}'.repeat(3)}`
  const list = `${grown}{% assign y = x | split: "" %}`
  const nested = `{% assign y = "x,y" | split: "," %}${'{% assign y = y | push: y %}'.repeat(40)}`
  // Without the limit, each would take seconds, or never end.
  for (const template of [
    '{% for i in (1..999999) %}{% for j in (1..999) %}{% endfor %}{% endfor %}',
    `${grown}{{ x | replace: "${part}", "" }}`,
    `${grown}{{ x | remove_last: "${part}" }}`,
    `${grown}{{ x | split: "${part}" }}`,
    `${grown}{% if x contains "${part}" %}{% endif %}`,
    `${list}{{ y | has_exp: "i", "y | has_exp: 'j', 'false'" }}`,
    `${nested}{{ y | join }}`,
    `${nested}{{ y }}`,
    `{{ name${' | append: name | upcase'.repeat(2500)} }}`,
    '{{ name }}'.repeat(25_000),
  ]) {
    t.ok(faultOf(template) instanceof TemplateError, template.slice(-60))
  }
  t.equal(
    renderLiquid('{{ name | replace: "Ad", "Od" }}', values),
    'Oda',
    'the next template is rendered as usual',
  )
})

t.test('a fast template is rendered although other threads of the process use the processor', async (t) => {
  const busy = Array.from({ length: 3 }, () => new Worker('for (;;);', { eval: true }))
  t.teardown(() => Promise.all(busy.map((worker) => worker.terminate())))
  await Promise.all(busy.map((worker) => once(worker, 'online')))
  let reads = 0
  const value = new ShownValue('Ada', 'Ada')
  // The first try gets nothing done, as on a busy machine.
  Object.defineProperty(value, 'text', {
    get() {
      if (++reads === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
      return 'Ada'
    },
  })
  t.equal(renderLiquid('Dear {{ name }}', { name: value }), 'Dear Ada')
  for (let rendered = 0; rendered < 200; rendered++)
    t.equal(renderLiquid('{{ n }}', { n: rendered }), String(rendered))
})
