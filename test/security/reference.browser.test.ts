/**
 * The API reference in a real browser: it works under its Content-Security-Policy, and the console has no
 * errors.
 */
import t from 'tap'
import { openBrowser, withoutBrowser } from '../dashboard/browser.ts'
import { build } from '../helper.ts'

t.test('an operation of the reference can be opened and tried', { skip: withoutBrowser }, async (t) => {
  const { app } = await build(t)
  const { origin, open } = await openBrowser(t, app)
  const page = await open()
  // The page renders only the visible part of a long list, so the test opens an operation by its own address.
  await page.goto(`${origin}/docs#/Health/healthz`)
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  t.match(await page.locator('.info .title').textContent(), 'Activity Booking Service')
  t.match(await page.locator('#operations-Health-healthz').textContent(), 'Does not check stores')
})
