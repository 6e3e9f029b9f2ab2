/**
 * `npm run pictures`: takes the pictures of the dashboard in docs/pictures, from a temporary demo. It needs
 * Debian’s `chromium-headless-shell` or `chromium`, or `CHROMIUM_PATH`.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { chromium, type Page } from 'playwright-core'
import { projectPath } from '../src/platform/project/paths.ts'

type Picture = { name: string; width?: number; open: (page: Page, dashboard: string) => Promise<unknown> }

const pictures: readonly Picture[] = [
  { name: 'today', open: openNextDay },
  { name: 'phone', width: 375, open: openNextDay },
  { name: 'booking', open: openBooking },
  { name: 'move', open: openMove },
  { name: 'sell', open: openSale },
  { name: 'till', open: (page, dashboard) => page.goto(`${dashboard}/till`) },
  { name: 'calendar', open: (page, dashboard) => page.goto(`${dashboard}/calendar`) },
  { name: 'closure', open: openClosure },
  { name: 'refunds', open: (page, dashboard) => page.goto(`${dashboard}/refunds`) },
  { name: 'reports', open: openReports },
  { name: 'product', open: openProduct },
  { name: 'workflow', open: openWorkflow },
]

const folder = await mkdtemp(path.join(tmpdir(), 'abs-pictures-'))
const service = spawn(process.execPath, [projectPath('dist/src/start.js')], {
  env: {
    ...process.env,
    DATA_DIR: path.join(folder, 'data'),
    PORT: '0',
    WORKER_PORT: '0',
    LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  await takePictures(await readSignIn(service))
} finally {
  const ended = service.exitCode === null ? once(service, 'exit') : null
  service.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true })
}

type SignIn = { dashboard: string; account: string; email: string; password: string }

/** Reads the address of the dashboard and the demo sign-in from the output. @throws when the process ends first. */
async function readSignIn({ stdout }: ChildProcessByStdio<null, Readable, null>): Promise<SignIn> {
  let dashboard = ''
  for await (const line of createInterface({ input: stdout })) {
    dashboard = /^The dashboard is at (\S+)$/.exec(line)?.[1] ?? dashboard
    const signIn = /^Demo sign-in, .*: account (\S+), e-mail (\S+), password (\S+)$/.exec(line)
    if (signIn) return { dashboard, account: signIn[1]!, email: signIn[2]!, password: signIn[3]! }
  }
  throw new Error('npm start ended before it printed a sign-in')
}

async function takePictures({ dashboard, account, email, password }: SignIn): Promise<void> {
  const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  const executablePath = process.env.CHROMIUM_PATH ?? programs.find((program) => existsSync(program))
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    const viewport = { width: 1100, height: 760 }
    const page = await browser.newPage({ locale: 'en-GB', colorScheme: 'light', viewport })
    await page.goto(`${dashboard}/sign-in`)
    await page.getByLabel('Account').fill(account)
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname !== '/dashboard/sign-in')
    await mkdir(projectPath('docs', 'pictures'), { recursive: true })
    for (const { name, width, open } of pictures) {
      await page.setViewportSize({ ...viewport, width: width ?? viewport.width })
      await open(page, dashboard)
      await page.screenshot({ path: projectPath('docs', 'pictures', `${name}.png`) })
      process.stdout.write(`Took docs/pictures/${name}.png.\n`)
    }
  } finally {
    await browser.close()
  }
}

/** Opens the page for sales with the timeslots of the first product. */
async function openSale(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/sell`)
  await page.getByLabel('Product').selectOption({ index: 1 })
  await page.locator('[name="Slot"]').first().waitFor()
}

/** Opens tomorrow, whose timeslots are not over yet at any time of the day. */
async function openNextDay(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/today`)
  await page.getByRole('link', { name: 'Day after' }).click()
  await page.waitForURL((url) => url.search !== '')
}

/** The reports, once the worker has counted the days of the demo. @throws after two minutes. */
async function openReports(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/reports`)
  for (let seconds = 0; await page.getByText('Incomplete').isVisible(); seconds++) {
    if (seconds === 120) throw new Error('the reports stay incomplete')
    await page.waitForTimeout(1000)
    await page.reload()
  }
}

/** The newest booking that was sold at the desk: it has payments and a history. */
async function openBooking(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/bookings?Channel=pos&Status=confirmed`)
  await page.locator('main tbody a').first().click()
  await page.waitForURL((url) => /\/bookings\/\w+$/.test(url.pathname))
}

/** Opens the form that moves the newest booking, with the timeslots that it can be moved to. */
async function openMove(page: Page, dashboard: string): Promise<void> {
  await openBooking(page, dashboard)
  await page.goto(`${page.url()}/move`)
}

/** Opens the preview of a closure of the day after tomorrow. */
async function openClosure(page: Page, dashboard: string): Promise<void> {
  const day = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString().slice(0, 10)
  await page.goto(`${dashboard}/calendar/closures?From=${day}&To=${day}`)
  await page.getByRole('button', { name: 'Show what will happen' }).click()
  await page.waitForLoadState()
}

async function openProduct(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/catalogue`)
  await page.locator('main tbody a').first().click()
  await page.waitForLoadState()
}

async function openWorkflow(page: Page, dashboard: string): Promise<void> {
  await page.goto(`${dashboard}/emails/workflows`)
  await page.locator('main tbody a').first().click()
  await page.waitForLoadState()
}
