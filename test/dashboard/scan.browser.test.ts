/** Scanning in a browser, on a phone and on a desktop, with and without JavaScript, with and without network. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import encodeQr from 'qr'
import t, { type Test } from 'tap'
import { until } from '../until.ts'
import { openBrowser, signInAs, withoutBrowser } from './browser.ts'
import { makeGate } from './scan-fixtures.ts'

const phone = { viewport: { width: 375, height: 800 } }
const desktop = { viewport: { width: 1280, height: 800 } }

/** Makes a video of a QR code on white for Chromium's simulated camera; returns the path of the file. */
async function film(t: Test, text: string): Promise<string> {
  const [width, height, scale] = [640, 480, 8]
  const rows = encodeQr(text, 'raw', { border: 4 })
  const light = Buffer.alloc(width * height, 235)
  const [left, top] = [
    Math.floor((width - rows.length * scale) / 2),
    Math.floor((height - rows.length * scale) / 2),
  ]
  for (let y = 0; y < rows.length * scale; y++)
    for (let x = 0; x < rows.length * scale; x++)
      if (rows[Math.floor(y / scale)]![Math.floor(x / scale)]) light[(top + y) * width + left + x] = 16
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((width * height) / 2, 128)])
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  const file = path.join(t.testdir(), 'camera.y4m')
  await writeFile(file, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]))
  return file
}

t.test('codes are scanned in a browser', { skip: withoutBrowser }, async (t) => {
  const gate = await makeGate(t)
  const { app, staff, bookTickets, bookParty, here, actions, later, sql } = gate
  const filmed = await bookTickets(2)
  const { origin, enter, checkPages } = await openBrowser(t, app, [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${await film(t, filmed.codes[0]!)}`,
  ])
  const openScan = async (settings: object) => {
    const page = await enter(staff.email, settings)
    await page.goto(`${origin}/dashboard/scan`)
    const type = async (code: string) => {
      await page.getByLabel('Code of a ticket').fill(code)
      await page.getByRole('button', { name: 'Check in' }).click()
    }
    return { page, type, answer: page.locator('#answer h2') }
  }

  for (const [name, settings] of Object.entries({
    'a phone': phone,
    'a desktop': desktop,
    'a phone without JavaScript': { ...phone, javaScriptEnabled: false },
    'a desktop without JavaScript': { ...desktop, javaScriptEnabled: false },
  }))
    t.test(
      `after a booking reference is typed on ${name}, the page asks how many of the party have come`,
      async (t) => {
        const { type, answer, page } = await openScan(settings)
        const { reference, codes } = await bookTickets(3)
        await type(codes[0]!)
        await answer.getByText('Checked in: 1 of 3 here').waitFor()
        await type(codes[0]!)
        await answer.getByText('Already here since').waitFor()
        await type(reference)
        await answer.getByText('1 of 3 here. How many more have come?').waitFor()
        const button = page.getByRole('button', { name: 'The other 2' })
        t.ok((await button.boundingBox())!.height >= 48, 'the button is high enough for a thumb')
        await button.click()
        await answer.getByText('Checked in: 3 of 3 here').waitFor()
        t.equal(await here(reference), '3 of 3')
      },
    )

  t.test('the camera reads the code of a ticket and checks it in once', async (t) => {
    const { page, answer } = await openScan(phone)
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await answer.getByText('Checked in: 1 of 2 here').waitFor()
    t.equal((await actions(filmed.reference)).filter((action) => action === 'ticket-redeemed').length, 1)
  })

  t.test('scans without network wait, and are sent once and in order when the network is back', async (t) => {
    const { page, type } = await openScan(phone)
    const { reference, codes } = await bookTickets(3)
    const party = await bookParty(4)
    await page.context().setOffline(true)
    for (const code of [codes[0]!, codes[1]!, codes[0]!, party]) await type(code)
    await page.getByText('4 scans wait for the network.').waitFor()
    const kept = await page.evaluate<string>('JSON.stringify(localStorage)')
    t.notMatch(kept, /Ada|Lovelace|example/, 'no data of guests is stored')
    t.equal(await here(reference), '0 of 3')
    await page.context().setOffline(false)
    await page.locator('#sent li').nth(3).waitFor()
    const sent = await page.locator('#sent li').allTextContents()
    t.match(sent.reverse(), [
      /Checked in: 1 of 3 here/,
      /Checked in: 2 of 3 here/,
      /Already here since/,
      /Checked in: 4 of 4 here/,
    ])
    t.equal(await page.locator('#kept').textContent(), '')
    t.equal(await here(reference), '2 of 3')
    await page.reload()
    t.same(
      (await actions(reference)).filter((action) => action === 'ticket-redeemed').length,
      2,
      'nothing is sent twice',
    )
  })

  t.test(
    'without network, the previous guest’s result disappears, and the page says that the scan is stored',
    async (t) => {
      const { page, type, answer } = await openScan(phone)
      const { codes } = await bookTickets(2)
      await type(await bookParty(3))
      await answer.getByText('How many of the 3 are here?').waitFor()
      await page.context().setOffline(true)
      await type(codes[0]!)
      await answer.getByText(`${codes[0]} is stored, and will be sent when the network is back`).waitFor()
      t.equal(await page.locator('#answer button').count(), 0, 'the buttons of the previous party are gone')
      await page.context().setOffline(false)
      await answer.getByText('Checked in: 1 of 2 here').waitFor()
    },
  )

  t.test('the scan page that opens without network is in the language of the user', async (t) => {
    await sql`update users set locale = 'pt-PT'`
    t.teardown(() => sql`update users set locale = null`)
    const page = await enter(staff.email, { ...phone, serviceWorkers: 'allow' })
    await page.goto(`${origin}/dashboard/scan`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
    await page.reload()
    await page.context().setOffline(true)
    await page.goto(`${origin}/dashboard/scan`)
    await page.getByText('Não há rede.').waitFor()
    t.equal(await page.title(), 'Ler bilhetes (sem rede)')
    t.equal(await page.evaluate('document.documentElement.lang'), 'pt-PT')
    await page.getByRole('button', { name: 'Check-in' }).waitFor()
    await page.context().setOffline(false)
  })

  t.test('scans of two closed pages are sent once, although two new pages open together', async (t) => {
    const first = await openScan(phone)
    const { reference, codes } = await bookTickets(3)
    const context = first.page.context()
    const second = await context.newPage()
    await second.goto(`${origin}/dashboard/scan`)
    await context.setOffline(true)
    await first.type(codes[0]!)
    await first.page.getByText('1 scan waits for the network.').waitFor()
    await second.getByLabel('Code of a ticket').fill(codes[1]!)
    await second.getByRole('button', { name: 'Check in' }).click()
    await second.getByText('2 scans wait for the network.').waitFor()
    await first.page.getByText('2 scans wait for the network.').waitFor()
    await first.type(codes[0]!)
    await second.getByText('3 scans wait for the network.').waitFor()
    await first.page.close()
    await second.close()
    await context.setOffline(false)
    const [third, fourth] = [await context.newPage(), await context.newPage()]
    await Promise.all([third, fourth].map((page) => page.goto(`${origin}/dashboard/scan`)))
    await until(
      async () =>
        (await third.locator('#sent li').count()) + (await fourth.locator('#sent li').count()) === 3,
    )
    t.equal(await here(reference), '2 of 3')
    t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 2)
    for (const page of [third, fourth]) t.equal(await page.locator('#kept').textContent(), '')
  })

  for (const [name, settings] of Object.entries({
    'a phone': phone,
    'a desktop without JavaScript': { ...desktop, javaScriptEnabled: false },
  }))
    t.test(`a guest of another day can be checked in, on ${name}`, async (t) => {
      const { page, type, answer } = await openScan(settings)
      const reference = await bookParty(3, { Date: later, Time: '10:00' })
      await type(reference)
      await answer.getByText('Wrong day').waitFor()
      await page.getByRole('button', { name: 'Check in anyway' }).click()
      await answer.getByText('How many of the 3 are here?').waitFor()
      await page.getByRole('button', { name: '2 people' }).click()
      await answer.getByText('Checked in: 2 of 3 here').waitFor()
      t.equal(await here(reference), '2 of 3')
    })

  t.test('a scan whose response is lost is sent again, and counts once', async (t) => {
    const { page, type, answer } = await openScan(phone)
    const { reference, codes } = await bookTickets(2)
    let lost = 0
    await page.route('**/dashboard/scan', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost++
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await type(codes[0]!)
    await page.getByText('1 scan waits for the network.').waitFor()
    t.equal(await here(reference), '1 of 2', 'the first scan had arrived')
    await page.evaluate('dispatchEvent(new Event("online"))')
    await answer.getByText('Checked in: 1 of 2 here').waitFor()
    t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 1)
  })

  t.test('the scan page opens without network, and stores scans until the network is back', async (t) => {
    const { page, type } = await openScan(phone)
    const { reference, codes } = await bookTickets(2)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await page.reload()
    await page.context().setOffline(true)
    await page.goto(`${origin}/dashboard/scan`)
    await page.getByText('There is no network.').waitFor()
    await type(codes[0]!)
    await page.getByText('1 scan waits for the network.').waitFor()
    await page.context().setOffline(false)
    await page.locator('#sent li').getByText('Checked in: 1 of 2 here').waitFor()
    t.equal(await here(reference), '1 of 2')
    await page.getByText('The network is back.', { exact: true }).waitFor()
    t.equal(await page.getByText('There is no network.').isVisible(), false)
    await page.getByRole('link', { name: 'Open the whole page' }).click()
    await page.locator('#scan[data-account]').waitFor()
  })

  t.test(
    'a scan after the session has ended is stored, and is sent once when the user has signed in on another page',
    async (t) => {
      const { page, type } = await openScan(desktop)
      const { reference, codes } = await bookTickets(2)
      await page.context().clearCookies()
      await type(codes[0]!)
      await page.getByText('You are signed out').waitFor()
      await page.getByText('1 scan waits').waitFor()
      t.equal(await here(reference), '0 of 2')
      t.equal(
        (await sql`select from tickets where redeemed_at is not null and uuid = ${codes[0]!}`).length,
        0,
      )
      await signInAs(await page.context().newPage(), origin, staff.email)
      await page.evaluate('dispatchEvent(new Event("online"))')
      await page.locator('#sent li').getByText('Checked in: 1 of 2 here').waitFor()
      t.equal(await page.locator('#kept').textContent(), '')
      await page.reload()
      t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 1)
    },
  )

  t.test('the page for scanning is accessible, light on a phone and dark on a desktop', async (t) => {
    await checkPages(t, staff.email, ['/dashboard/scan'])
  })
})
