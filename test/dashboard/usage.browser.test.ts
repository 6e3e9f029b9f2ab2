import t from 'tap'
import { createKey } from '../../src/accounts/service.ts'
import { ticksUpTo } from '../../src/dashboard/parts/chart-scale.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import { setThreshold } from '../../src/metering/thresholds/service.ts'
import { entry } from '../metering/fixtures.ts'
import { until } from '../until.ts'
import { openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

const days = 'from=2026-11-01&to=2026-11-30'

t.test('usage in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, services } = await makeDashboard(t)
  const { email } = await signIn('staff')
  await storeEntries(
    sql,
    Array.from({ length: 20 }, (_, index) =>
      entry(accountId, index + 1, {
        meter: index % 2 ? 'equipment-hours-of-a-meter-with-a-long-name' : 'photos',
        usage: String(index + 0.5),
        occurredAt: Date.parse(`2026-11-${10 + (index >> 1)}T12:00:00Z`) / 1000,
        extraInfo: '{"Route":"/search/with/a/long/address/that/does/not/end"}',
      }),
    ),
  )
  await until(() => services.queue.state().reachable)
  const key = await createKey(sql, { accountId, partner: null, scopes: ['usage:read'], expiresInDays: null })
  const { origin, enter, checkPages } = await openBrowser(t, app)

  t.test('the chart has bars in proportion to the API’s totals, and its table the same totals', async (t) => {
    const answer = await fetch(`${origin}/api/v2/usage/meters?${days}&granularity=day`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { data } = (await answer.json()) as {
      data: { Meters: { Meter: string; Days: { Day: string; TotalUsage: number }[] }[] }
    }
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/usage?${days}`)
    t.equal(data.Meters.length, 2)
    for (const { Meter, Days } of data.Meters) {
      const chart = page.locator('section', { has: page.getByRole('heading', { name: Meter }) })
      await chart.getByText(`The figures of ${Meter}`).click()
      const rows = await chart.locator('tbody tr').evaluateAll((found) =>
        found.map((row) => ({
          Day: row.querySelector('time')!.getAttribute('datetime'),
          TotalUsage: Number(row.querySelector('data')!.getAttribute('value')),
        })),
      )
      t.same(
        rows,
        Days.map(({ Day, TotalUsage }) => ({ Day, TotalUsage })),
      )
      const heights = await chart
        .locator('rect.bar')
        .evaluateAll((bars) => bars.map((bar) => Number.parseFloat(bar.getAttribute('height')!)))
      t.equal(heights.length, 30, 'a bar for each day')
      const most = ticksUpTo(Math.max(...Days.map(({ TotalUsage }) => TotalUsage))).at(-1)!
      for (const { Day, TotalUsage } of Days) {
        const height = heights[Number(Day.slice(-2)) - 1]!
        t.ok(Math.abs(height - Math.max(1, (100 * TotalUsage) / most)) < 0.01, `${Meter} on ${Day}`)
      }
    }
  })

  t.test('an entry is voided by the keyboard alone', async (t) => {
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/usage/entries?${days}&limit=1`)
    await page.locator('details summary').last().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('A trial.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    t.match(await page.getByRole('status').textContent(), 'The entry is voided')
    t.match(await page.textContent('tbody'), 'A trial.')
  })

  t.test(
    'the pages of usage are accessible, in light mode on a phone and in dark mode on a desktop',
    async (t) => {
      await sql.begin((tx) => setThreshold(tx, accountId, { meter: 'photos', period: 'day', amount: '5' }))
      const paths = ['usage', 'usage/entries', 'usage/thresholds']
      await checkPages(
        t,
        email,
        paths.map((path) => `/dashboard/${path}?${days}`),
      )
    },
  )
})
