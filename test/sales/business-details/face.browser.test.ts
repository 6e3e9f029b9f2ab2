/**
 * The operator's logo and colour in a real browser: on a customer's page, where the Content-Security-Policy allows
 * them and the text is readable, and on the page where an owner uploads the logo.
 */
import t from 'tap'
import { accessibilityFaults, openBrowser, widthOf, withoutBrowser } from '../../dashboard/browser.ts'
import { logo } from '../../security/access.ts'
import { makeOffered } from '../waitlist/fixtures.ts'

t.test('the operator’s logo and colour work in a browser', { skip: withoutBrowser }, async (t) => {
  const { app, call, link, offer, signIn } = await makeOffered(t)
  await offer()
  await call('PUT', '/business-details/logo', { Image: logo })
  const { email } = await signIn()
  const { origin, open, enter } = await openBrowser(t, app)

  for (const [Colour, colorScheme, text] of [
    ['#ffd500', 'light', 'rgb(0, 0, 0)'],
    ['#0b1f66', 'dark', 'rgb(255, 255, 255)'],
  ] as const)
    t.test(`an offer in ${Colour} can be read on a ${colorScheme} page`, async (t) => {
      await call('PUT', '/business-details', { Colour })
      const page = await open({ colorScheme, locale: 'pt-PT', viewport: { width: 320, height: 800 } })
      await page.goto(origin + link)
      t.same(await accessibilityFaults(page), [])
      t.ok((await widthOf(page)) <= 320)
      t.equal(
        await page.evaluate('document.querySelector(".house img").naturalWidth'),
        1,
        'the logo is shown',
      )
      t.equal(await page.evaluate('getComputedStyle(document.querySelector("button")).color'), text)
      await page.getByRole('link', { name: 'English' }).click()
      await page.getByText('The places are yours if you take them by').waitFor()
      await page.getByRole('button', { name: 'Decline the places' }).waitFor()
    })

  t.test('an owner uploads a picture as the logo, sees it, and removes it', async (t) => {
    const page = await enter(email)
    await page.goto(`${origin}/dashboard/business-details`)
    const upload = async (mimeType: string, buffer: Buffer) => {
      await page.getByLabel('Picture').setInputFiles({ name: 'logo.png', mimeType, buffer })
      await page.getByRole('button', { name: 'Upload' }).click()
    }
    await upload('image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    await page.getByText('Picture must be a PNG, JPEG or WebP file').waitFor()
    t.same(await accessibilityFaults(page), [])
    await upload('image/png', Buffer.from(logo, 'base64'))
    await page.getByText('Saved').waitFor()
    t.equal(await page.evaluate('document.querySelector("img.logo").naturalWidth'), 1)
    t.same(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Remove the logo' }).click()
    await page.locator('img.logo').waitFor({ state: 'detached' })
  })
})
