/**
 * The frame around every page: sections, cards and folded filters, on a phone and on a desktop, with and without
 * script.
 */
import type { Page } from 'playwright-core'
import t from 'tap'
import { makeProduct } from '../../helper.ts'
import { openBrowser, widthOf, withoutBrowser } from '../browser.ts'
import { makeDashboard } from '../fixtures.ts'

const day = '2030-06-15'
const phone = { viewport: { width: 375, height: 700 }, hasTouch: true }
const phones = [true, false].map((javaScriptEnabled) => ({ ...phone, javaScriptEnabled }))

t.test('the frame of pages', { skip: withoutBrowser }, async (t) => {
  const { app, sql, accountId, signIn, book } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { name: 'Kayak', slots: { [`${day} 10:00`]: 8 } })
  const { reference } = await book(activityId, {
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  const { email } = await signIn()
  const { origin, enter } = await openBrowser(t, app)

  t.test('on a phone, a button opens the sections, with and without JavaScript', async (t) => {
    for (const setting of phones) {
      const page = await enter(email, setting)
      const link = page.getByRole('link', { name: 'Calendar', exact: true })
      t.equal(await link.count(), 0)
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.click()
      await page.getByRole('heading', { name: 'Calendar' }).waitFor()
      t.equal(await link.count(), 0, 'the sections are closed on the next page')
    }
  })

  t.test('on a desktop, the sections are beside the page, and the current one is marked', async (t) => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await enter(email, { viewport: { width: 1280, height: 800 }, javaScriptEnabled })
      await page.getByRole('link', { name: 'Workflows' }).click()
      const marked = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="page"]')
      t.same(await marked.allInnerTexts(), ['Workflows'], 'and not the section above it')
      t.notOk(await page.getByRole('button', { name: 'Menu' }).isVisible())
    }
  })

  t.test('on a phone, a booking of the list is a card that opens wherever it is tapped', async (t) => {
    for (const setting of phones) {
      const page = await enter(email, setting)
      await page.goto(`${origin}/dashboard/bookings`)
      const card = page.getByRole('row', { name: 'Ada Lovelace' })
      t.ok((await card.boundingBox())!.height < 200)
      await card.tap({ position: { x: 300, y: 60 } })
      await page.waitForURL(`${origin}/dashboard/bookings/${reference}`)
      t.match(await page.getByRole('heading', { level: 1 }).innerText(), 'Ada Lovelace, Kayak')
    }
  })

  t.test(
    'on a phone, filters are folded until a button opens them, with and without JavaScript',
    async (t) => {
      for (const setting of phones) {
        const page = await enter(email, setting)
        await page.goto(`${origin}/dashboard/bookings`)
        t.notOk(await page.getByLabel('Status').isVisible())
        await page.getByRole('button', { name: 'Filters' }).click()
        await page.getByLabel('Status').selectOption('Cancelled')
        await page.locator('#filters').getByRole('button', { name: 'Show' }).click()
        await page.getByText('No booking was found.').waitFor()
        t.equal(new URL(page.url()).searchParams.get('Status'), 'cancelled')
      }
    },
  )

  t.test('on a phone, the filters are unfolded if one of them has an error', async (t) => {
    const page = await enter(email, phone)
    await page.goto(`${origin}/dashboard/bookings?From=2030-02-30`)
    t.ok(await page.getByLabel('Takes place from').isVisible())
  })

  t.test(
    'on a phone, buttons, menu links and fields are at least 44 pixels high, and pages fit the window',
    async (t) => {
      const page = await enter(email, phone)
      for (const path of [
        'today',
        `today?Date=${day}`,
        'bookings',
        `bookings/${reference}`,
        'sell',
        'scan',
      ]) {
        await page.goto(`${origin}/dashboard/${path}`)
        t.same(await findSmallControls(page), [], path)
        t.equal(await widthOf(page), 375, path)
      }
    },
  )

  t.test('a form with optional fields marks the required ones', async (t) => {
    const page = await enter(email)
    const markOf = async (name: string): Promise<string> => {
      const id = await page.getByLabel(name, { exact: true }).getAttribute('id')
      return page.evaluate(
        `getComputedStyle(document.querySelector('label[for="${id}"]'), '::after').content`,
      )
    }
    await page.goto(`${origin}/dashboard/catalogue/new`)
    for (const name of ['Name', 'Duration', 'Price']) t.match(await markOf(name), '(required)', name)
    t.equal(await markOf('Description'), 'none')
    await page.goto(`${origin}/dashboard/till`)
    t.equal(await markOf('Float in EUR'), 'none', 'the only field of a form needs no mark')
  })
})

/** The buttons, menu links and fields less than 44 pixels high, except checkboxes and radio buttons. */
function findSmallControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('button:not(.unseen), .button, summary, select, nav a, input:not([type="hidden"])')]
      .filter((element) => element.checkVisibility() && !/checkbox|radio/.test(element.type))
      .filter((element) => element.getBoundingClientRect().height < 44)
      .map((element) => element.outerHTML.slice(0, 120))`)
}
