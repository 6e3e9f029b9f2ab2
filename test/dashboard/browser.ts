/** Opens pages in Chromium. A test fails if a page logs an unexpected error or sends a request to another server. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { listenOn } from '../helper.ts'
import { borrow } from '../shared.ts'
import { password } from './fixtures.ts'

// The headless shell starts in half the time.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const programs = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : installed
const executablePath = programs.find((program) => existsSync(program))
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The `skip` option of tests in a browser: the reason if there is no Chromium, otherwise false. */
export const withoutBrowser = executablePath ? false : `no Chromium at ${programs.join(' or ')}`

const browserArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts a server for the app. Starts a browser, or uses that of an earlier test of this process. `origin` in the
 * result is the address of the server.
 * @param more further command-line arguments for the browser, such as a video file that replaces its camera.
 */
export async function openBrowser(t: Test, app: FastifyInstance, more: readonly string[] = []) {
  const origin = await listenOn(app)
  const browser = await borrow(t, `browser ${more.join(' ')}`, async (owner) => {
    const one = await chromium.launch({ executablePath, args: [...browserArguments, ...more] })
    owner.teardown(() => one.close())
    const refresh = async () => {
      for (const context of one.contexts()) await context.close()
      return one.isConnected()
    }
    return { one, refresh }
  })
  const open = (settings: PageSettings = {}) => openPage(t, browser, origin, settings)
  const signedIn = new Map<string, Cookies>()
  /** Opens a page as a signed-in user. Signing in is slow, so a session that is still open is used. */
  const enter = async (email: string, settings: PageSettings = {}) => {
    const page = await open(settings)
    const context = page.context()
    await context.addCookies(signedIn.get(email) ?? [])
    const account = await context.request.get(`${origin}/dashboard/account`, { maxRedirects: 0 })
    if (account.status() !== 200) await signInAs(page, origin, email)
    else await page.goto(`${origin}/dashboard/account`)
    signedIn.set(email, await context.cookies())
    return page
  }
  /**
   * Checks that each page meets WCAG 2.2 AA and is no wider than its window, in light mode at 320 pixels and in dark
   * mode at 1280.
   */
  const checkPages = async (t: Test, email: string, paths: string[]) => {
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 1280],
    ] as const) {
      const page = await enter(email, { colorScheme, viewport: { width, height: 800 } })
      for (const path of paths) {
        await page.goto(origin + path)
        t.same(await accessibilityFaults(page), [], `${path} ${colorScheme}`)
        t.ok((await widthOf(page)) <= width, `nothing of ${path} is wider than ${width} pixels`)
      }
    }
  }
  return { origin, browser, open, enter, checkPages }
}

const actionTimeoutMs = 120_000

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

type PageSettings = Parameters<Browser['newContext']>[0]

/**
 * Opens a page with its own browser context. The test fails if the page logs an unexpected error or sends a request to
 * another server.
 */
async function openPage(t: Test, browser: Browser, origin: string, settings: PageSettings): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...settings })
  // These tests do not measure speed, and the machine may be overloaded.
  context.setDefaultTimeout(actionTimeoutMs)
  const page = await context.newPage()
  const pages = new Set<string>()
  const addPage = (url: string) => pages.add(url.replace(/#.*$/, ''))
  page.on('console', (message) => {
    // The browser logs an error for each page with a status above 399, such as a refused form. On an overloaded
    // machine, requests of the board of the queues may get 503; the board repeats them. The address of a form may
    // have a fragment, so fragments are removed.
    const url = message.location().url.replace(/#.*$/, '')
    const isRefusal = url.includes('/dashboard/queues/api/')
      ? /status of 503/.test(message.text())
      : pages.has(url) && /status of 4\d\d/.test(message.text())
    // Only tests that switch the network off cause this error.
    if (message.text().includes('ERR_INTERNET_DISCONNECTED')) return
    if (message.type() === 'error' && !isRefusal)
      t.fail(`the console of ${page.url()} says: ${message.text()}`)
  })
  // A script may change the address, and then load the page again from the new address.
  page.on('framenavigated', (frame) => addPage(frame.url()))
  page.on('pageerror', (error) => t.fail(`a script of ${page.url()} failed: ${error.message}`))
  page.on('request', (request) => {
    if (request.isNavigationRequest()) addPage(request.url())
    const { protocol, origin: requested } = new URL(request.url())
    if (protocol !== 'data:' && requested !== origin)
      t.fail(`${page.url()} sends a request to ${request.url()}`)
  })
  return page
}

/** Signs in by the form, as a person does. */
export async function signInAs(page: Page, origin: string, email: string): Promise<void> {
  await page.goto(`${origin}/dashboard/sign-in`)
  await page.getByLabel('Account').fill('quay')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname !== '/dashboard/sign-in')
}

/** The violations of WCAG 2.2 AA and of axe’s best practices on a page, one line for each element. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // After a click, the new page may not be complete yet.
  await page.waitForLoadState()
  // page.evaluate() uses the debugger, which the content security policy of the page does not restrict.
  await page.evaluate(await readFile(axePath, 'utf8'))
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  // Details of the elements that pass would take almost as long as the checks.
  const options = { runOnly: tags, resultTypes: ['violations'], selectors: false, elementRef: false }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

type Violation = { id: string; help: string; nodes: { html: string }[] }

/** The width of the page: more than that of its window if the page must be scrolled sideways. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth')
}
