// Updates the parts of a page that are marked `data-live` (each with an id) when the server reports a change.

const quietMilliseconds = 300
const againMilliseconds = 15_000
const minuteMilliseconds = 60_000
/**
 * The latest HTML of each part from the server, to find changed parts. It omits the keys of forms, which always differ.
 */
const shown = new Map(parts(document).map((part) => [part.id, sourceOf(part)]))
const note = document.createElement('p')
/** The first part of the path: `/dashboard`, or `/dashboard/test` in test mode. */
const [root] = /^\/dashboard(\/test(?=\/))?/.exec(location.pathname)
let events = null
let timer = null
let fetching = false
let awaited = false

// The response to a form does not change if dashboard.js has given it the address of another page.
if (shown.size > 0 && document.body.dataset.staysAsSent === undefined) {
  note.setAttribute('role', 'status')
  note.className = 'hint no-print'
  document.querySelector('main').append(note)
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()))
  // Now replace the parts that were not replaced while the user was typing in them.
  document.addEventListener('focusout', () => awaited && refreshSoon())
  // “Now and next” changes with time, without an event.
  if (document.querySelector('[data-minutely]'))
    setInterval(() => document.hidden || refreshSoon(), minuteMilliseconds)
  if (!document.hidden) open()
}

function open() {
  if (events) return
  events = new EventSource(`${root}/live`)
  events.addEventListener('changed', refreshSoon)
  events.addEventListener('signed-out', signedOut)
  // The browser reopens a connection that broke, but not a connection that was refused.
  events.addEventListener('error', () => {
    if (events?.readyState !== EventSource.CLOSED) return
    close()
    setTimeout(async () => {
      if (!document.hidden && (await refresh())) open()
    }, againMilliseconds)
  })
}

// A hidden page closes its connection, because a browser has only a few.
function close() {
  events?.close()
  events = null
}

function refreshSoon() {
  clearTimeout(timer)
  timer = setTimeout(refresh, quietMilliseconds)
}

/** Loads the page and replaces its changed parts. Returns false if the page cannot be updated any more. */
async function refresh() {
  if (fetching) {
    refreshSoon()
    return true
  }
  fetching = true
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
    const { pathname } = new URL(answer.url)
    if (pathname !== location.pathname) {
      // The server redirects: what the page showed now has another address.
      if (pathname === '/dashboard/sign-in') signedOut()
      else close()
      return false
    }
    if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), 'text/html'))
  } catch {
    // The next event, or the next connection, loads the page again.
  } finally {
    fetching = false
  }
  return true
}

function signedOut() {
  close()
  note.textContent = document.body.dataset.signedOut
}

function replace(next) {
  awaited = false
  let changed = false
  for (const part of parts(document)) {
    const now = next.getElementById(part.id)
    if (!now || sourceOf(now) === shown.get(part.id)) continue
    if (isTypedIn(part)) {
      awaited = true
      continue
    }
    shown.set(part.id, sourceOf(now))
    swap(part, now)
    changed = true
  }
  if (changed)
    note.textContent = document.body.dataset.updated.replace('{time}', new Date().toLocaleTimeString())
}

function swap(part, now) {
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : null
  const scrolled = [...part.querySelectorAll('.scroller')].map(({ scrollLeft }) => scrollLeft)
  const opened = [...part.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const ticked = [...part.querySelectorAll('[type="checkbox"][id]')].filter(isChanged).map(({ id }) => id)
  const fresh = document.importNode(now, true)
  part.replaceWith(fresh)
  for (const box of ticked.flatMap((id) => fresh.querySelector(`#${CSS.escape(id)}`) ?? []))
    box.checked = !box.defaultChecked
  for (const [index, scroller] of fresh.querySelectorAll('.scroller').entries())
    scroller.scrollLeft = scrolled[index] ?? 0
  for (const id of opened) fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
  if (focused === null) return
  const same = [...fresh.querySelectorAll('a, button, summary, [tabindex]')].find(
    (element) => nameOf(element) === focused,
  )
  same?.focus({ preventScroll: true })
}

function isChanged(box) {
  return box.checked !== box.defaultChecked
}

function parts(root) {
  return [...root.querySelectorAll('[data-live][id]')]
}

function sourceOf(part) {
  return part.outerHTML.replaceAll(/name="_once" value="[^"]*"/g, '')
}

function isTypedIn(part) {
  const { activeElement } = document
  return part.contains(activeElement) && activeElement.matches('input, select, textarea')
}

/** Identifies an element, to find it again in the new version of its part. */
function nameOf(element) {
  const action = element.closest('form')?.getAttribute('action')
  return [element.id, element.tagName, element.getAttribute('href'), action, element.textContent].join('\n')
}
