/** The files that pages load, among them the styles and icons of the design system. */
import { brotliCompressSync } from 'node:zlib'
import t from 'tap'
import { icons } from '../../src/dashboard/frame/icons.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the files that a page loads', async (t) => {
  const { app, signIn } = await makeDashboard(t)
  const { get } = await signIn()
  const { body } = await get('/dashboard/today')
  const addresses = [...body.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"#]+)/g)].map(([, url]) => url!)

  t.test('are cached by browsers until they change', async (t) => {
    t.ok(addresses.length > 3)
    for (const url of addresses) {
      t.match(url, /\?v=[\w-]{12}$/)
      const { statusCode, headers } = await app.inject(url)
      t.equal(statusCode, 200, url)
      t.equal(headers['cache-control'], 'public, max-age=31536000, immutable', url)
    }
  })

  t.test('are revalidated by browsers if the address does not have the current version', async (t) => {
    for (const url of ['/dashboard/assets/dashboard.css', '/dashboard/assets/dashboard.css?v=another'])
      t.equal((await app.inject(url)).headers['cache-control'], 'public, max-age=0', url)
  })

  t.test('contain less than 40 KB of styles, when compressed', async (t) => {
    const sheets = addresses.filter((url) => url.includes('.css'))
    const bodies = await Promise.all(sheets.map(async (url) => (await app.inject(url)).rawPayload))
    const sizes = bodies.map((bytes) => brotliCompressSync(bytes).length)
    t.ok(sizes.reduce((sum, size) => sum + size, 0) < 40_000, String(sizes))
  })

  t.test(
    'include the style sheet of the design system, which has its licence and a dark mode, and loads no other files',
    async (t) => {
      const { body } = await app.inject('/dashboard/assets/tabler.css')
      t.match(body, /^\/\*[\s\S]*Tabler[\s\S]*MIT/)
      t.notMatch(body, /url\(["']?(?!["']?data:)/)
      t.match(body, 'prefers-color-scheme:dark')
    },
  )

  t.test('contain every icon that pages can show', async (t) => {
    const { body } = await app.inject('/dashboard/assets/icons.svg')
    for (const name of Object.keys(icons)) t.match(body, `<symbol id="${name}"`)
  })
})
