/** The waitlist on narrow and wide screens. */
import t from 'tap'
import { makeOffered } from '../sales/waitlist/fixtures.ts'
import { openBrowser, withoutBrowser } from './browser.ts'

t.test(
  'the buttons of the waitlist are in sight, on a phone, a tablet and a desktop',
  { skip: withoutBrowser },
  async (t) => {
    const { app, offer, wait, signIn } = await makeOffered(t)
    await wait('Maximiliane-Friederike')
    await offer()
    const { email } = await signIn('staff')
    const { origin, enter } = await openBrowser(t, app)
    const page = await enter(email)
    const waitlist = `${origin}/dashboard/calendar/waitlist`
    await page.goto(waitlist)
    const link = page.locator('main a[href*="/calendar/timeslots/"]').first()
    const timeslot = origin + (await link.getAttribute('href'))
    for (const url of [waitlist, timeslot]) {
      await page.goto(url)
      for (const width of [375, 640, 768, 1024, 1100, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        for (const name of ['Take and pay Grace', 'Decline Grace', 'Remove Maximiliane']) {
          const box = await page.getByRole('button', { name }).boundingBox()
          t.ok(box && box.x >= 0 && box.x + box.width <= width, `${name} at ${width} pixels`)
        }
        const list = page.locator('.scroller').last()
        const [inside, outside] = await list.evaluate((it) => [it.scrollWidth, it.clientWidth])
        t.ok(inside! <= outside!, `the list of ${inside} pixels fits into ${outside} at ${width} pixels`)
      }
    }
  },
)
