import t from 'tap'
import { accessibilityFaults, openBrowser, withoutBrowser } from './browser.ts'
import { makeDashboard } from './fixtures.ts'

t.test('signing in in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, signIn } = await makeDashboard(t)
  const { email } = await signIn()
  const { origin, open, checkPages } = await openBrowser(t, app)

  t.test('leads to the dashboard, by the keyboard alone', async (t) => {
    const page = await open()
    await page.goto(`${origin}/dashboard`)
    // The first field gets the focus a moment after the page has loaded.
    await page.locator('input:focus').waitFor()
    for (const text of ['quay', email, 'a long enough password']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/dashboard/sign-in')
    t.match(await page.textContent('header'), email)
  })

  t.test('has accessible pages', async (t) => {
    const page = await open()
    await page.goto(`${origin}/dashboard/sign-in`)
    t.same(await accessibilityFaults(page), [])
    await checkPages(t, email, ['/dashboard/account'])
  })
})
