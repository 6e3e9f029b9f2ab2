// The page Scan: reads codes with the camera and sends each once. Without network, it stores them and sends them later.

const page = document.querySelector('#scan')
const camera = page.querySelector('#camera')
const video = camera.querySelector('video')
const startButton = camera.querySelector('button')
const kept = page.querySelector('#kept')
const sent = page.querySelector('#sent')
/** The path of the page, which contains the mode (live or test). */
const address = location.pathname
const storageKey = `scan of ${address}`
const accountKey = `account of ${address}`
const againMilliseconds = 15_000
/** A code that stays before the camera is one scan. */
const sameCodeMilliseconds = 4000
const framesMilliseconds = 200
const mostSent = 20
/** Identifies this page: several pages of a browser may scan. */
const pageKey = crypto.randomUUID()
let lastRead = { code: '', at: 0 }
let sending = false
const textsKey = 'texts of scan'
const ownTexts = page.dataset.texts
// scan-offline.html uses the texts of the last page that was loaded with network.
if (ownTexts) localStorage.setItem(textsKey, ownTexts)
/** The texts in the language of the last page that was loaded with network; in English if there was none. */
const texts = {
  kept: '{code} is stored, and will be sent when the network is back',
  keptOnly: '{code} is stored on this device',
  notSent: 'There is no network, and nothing was sent. Press the button again later.',
  notTaken: 'Not accepted',
  signedOut: 'You are signed out: sign in again on another page, and the stored scans are sent.',
  waitsOne: '1 scan waits for the network.',
  waitsMany: '{count} scans wait for the network.',
  others: '{count} scans of another account are sent when a user of that account signs in here.',
  noCamera: 'The camera cannot be used: allow it for this site, or type the code.',
  title: 'Scan',
  offlineTitle: 'Scan (no network)',
  ...JSON.parse(ownTexts ?? localStorage.getItem(textsKey) ?? '{}'),
}
if (!ownTexts) speak()
/** A message that is shown after the number of waiting scans. */
let note = ''

// scan-offline.html does not contain the account, so the account of the last page with network is stored.
if (page.dataset.account) localStorage.setItem(accountKey, page.dataset.account)
else page.dataset.account = localStorage.getItem(accountKey) ?? ''
navigator.serviceWorker?.register('/dashboard/assets/scan-worker.js', { scope: address }).catch(() => {})
page.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return
  event.preventDefault()
  const fields = Object.fromEntries(new FormData(event.target))
  // An answer to “how many have come” or “check in anyway” is valid only at this moment: send it now or not at all.
  if (fields.People || fields.Anyway) sendNow(fields)
  else if (fields.Code.trim()) add(fields.Code.trim(), fields.TimeslotID)
  event.target.querySelector('input[name="Code"]:not([type="hidden"])')?.select()
})
startButton.addEventListener('click', startCamera)
window.addEventListener('online', send)
window.addEventListener('online', () => showNetwork(true))
window.addEventListener('offline', () => showNetwork(false))
// Another page of this browser has changed the stored scans.
window.addEventListener('storage', showKept)
document.addEventListener('visibilitychange', () => document.hidden || send())
setInterval(send, againMilliseconds)
camera.hidden = !navigator.mediaDevices?.getUserMedia
showKept()
send()

/** Stores a scan with a key, by which the server recognizes a repeated request, and sends it after the earlier ones. */
function add(code, timeslotId) {
  const scan = { key: crypto.randomUUID(), code, timeslotId, at: new Date().toISOString() }
  store({ ...scan, account: page.dataset.account, by: pageKey })
  showKept()
  // Removes the buttons of the previous guest.
  answerWith('warn', `${code} …`)
  send()
}

/**
 * The scans that have no response yet, in the order of their times. They contain codes and times, and no data of
 * guests.
 */
function stored() {
  return Object.entries(localStorage)
    .filter(([name]) => name.startsWith(`${storageKey} `))
    .map(([, text]) => JSON.parse(text))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
}

/**
 * Each scan has its own entry in the storage, so that several pages of a browser do not overwrite each other’s scans.
 */
function store(scan) {
  localStorage.setItem(nameOf(scan), JSON.stringify(scan))
}

function nameOf({ key }) {
  return `${storageKey} ${key}`
}

/**
 * Sends the stored scans one after another, and stops when a request fails. A lock prevents two pages from sending at
 * once.
 */
async function send() {
  if (sending) return
  sending = true
  await (navigator.locks?.request(storageKey, sendAll) ?? sendAll())
}

async function sendAll() {
  try {
    await sendEach()
  } finally {
    // Set before the lock is released, so that a scan that is stored at that moment starts another run.
    sending = false
  }
}

async function sendEach() {
  for (let scan = next(); scan; scan = next()) {
    const fields = { Code: scan.code, ScannedAt: scan.at, _once: scan.key }
    if (scan.timeslotId) fields.TimeslotID = scan.timeslotId
    // It is too late to ask how many have come: check in the whole party.
    if (isLate(scan)) fields.All = 'true'
    const answer = await post(fields)
    if (!answer) {
      const newest = stored().findLast((one) => one.by === pageKey && !isLate(one))
      for (const one of stored()) store({ ...one, isLate: true })
      showKept()
      const words = note ? texts.keptOnly : texts.kept
      if (newest)
        answerWith(
          'warn',
          words.replace('{code}', () => newest.code),
        )
      return
    }
    localStorage.removeItem(nameOf(scan))
    show(answer, scan)
  }
}

/**
 * The next scan to send. Scans that a user of another account stored in this browser are not sent. Scans of other open
 * pages are sent only if they are late, because each page sends its own.
 */
function next() {
  const mine = stored().filter(({ account }) => account === page.dataset.account)
  return mine.find((scan) => scan.by === pageKey || isLate(scan))
}

function isLate(scan) {
  return scan.isLate || Date.now() - Date.parse(scan.at) > againMilliseconds
}

async function sendNow(fields) {
  const answer = await post(fields)
  if (answer) show(answer, null)
  else say(texts.notSent)
}

/** The server’s answer to a scan; null if the scan was not processed, for example without network. */
async function post(fields) {
  for (const token of [tokenOf(document), null]) {
    const known = token ?? (await freshToken())
    if (!known) return null
    const body = new URLSearchParams({ ...fields, _csrf: known })
    const signal = AbortSignal.timeout?.(againMilliseconds)
    const answer = await fetch(address, { method: 'POST', body, signal }).catch(() => null)
    showNetwork(answer !== null)
    if (!answer || answer.status >= 500 || answer.status === 429) return null
    // The session of the form has ended: try again with a token of the current session.
    if (answer.status === 401 || answer.status === 403) continue
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return next.querySelector('#answer') ?? refused(next)
  }
  return null
}

/** Puts the stored texts on scan-offline.html. */
function speak() {
  if (texts.language) document.documentElement.lang = texts.language
  document.title = texts.offlineTitle
  for (const place of document.querySelectorAll('[data-text]'))
    place.textContent = texts[place.dataset.text] ?? place.textContent
  for (const place of document.querySelectorAll('[data-label]'))
    place.ariaLabel = texts[place.dataset.label] ?? place.ariaLabel
}

/** On scan-offline.html: shows whether the network is back. */
function showNetwork(isBack) {
  const words = document.querySelector('#offline')
  if (!words) return
  words.hidden = isBack
  document.querySelector('#online').hidden = !isBack
  document.title = isBack ? texts.title : texts.offlineTitle
}

/** The message for a request that the server refused, made from its error page. */
function refused(next) {
  const answer = makeAnswer('bad', next.querySelector('h1')?.textContent ?? texts.notTaken)
  answer.append(...next.querySelectorAll('[role="alert"]'))
  return answer
}

/** Shows a message of this page in place of a response of the server. */
function answerWith(kind, text) {
  page.querySelector('#answer').replaceWith(makeAnswer(kind, text))
}

function makeAnswer(kind, text) {
  const answer = document.createElement('section')
  answer.id = 'answer'
  answer.className = `answer ${kind}`
  answer.setAttribute('role', 'status')
  const title = document.createElement('h2')
  title.textContent = text
  answer.append(title)
  return answer
}

function tokenOf(root) {
  return root.querySelector('input[name="_csrf"]')?.value ?? null
}

/** The token of this browser’s current session; null without network, or without a session of this account. */
async function freshToken() {
  const signal = AbortSignal.timeout?.(againMilliseconds)
  const answer = await fetch(address, { cache: 'no-store', signal }).catch(() => null)
  if (!answer?.ok) return null
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const account = next.querySelector('#scan')?.dataset.account
  if (!account) say(texts.signedOut)
  if (account !== page.dataset.account) return null
  const token = tokenOf(next.querySelector('#scan'))
  for (const input of document.querySelectorAll('input[name="_csrf"]')) input.value = token
  return token
}

function show(answer, scan) {
  say('')
  const fresh = document.importNode(answer, true)
  page.querySelector('#answer').replaceWith(fresh)
  navigator.vibrate?.(fresh.classList.contains('good') ? 100 : [100, 100, 300])
  const line = document.createElement('li')
  const at = scan ? new Date(scan.at).toLocaleTimeString() : new Date().toLocaleTimeString()
  const who = fresh.querySelector('strong')?.textContent ?? scan?.code ?? ''
  line.textContent = `${at} ${who}: ${fresh.querySelector('h2')?.textContent ?? ''} `
  // The link is copied to the list, because the next response replaces this one.
  const open = fresh.querySelector('p:last-child a')
  if (open) line.append(open.cloneNode(true))
  sent.prepend(line)
  while (sent.children.length > mostSent) sent.lastElementChild.remove()
}

function say(text) {
  note = text
  showKept()
}

function showKept() {
  const mine = stored().filter(({ account }) => account === page.dataset.account)
  // Scans count as waiting only after a request has failed. Before that, the first one may just be on its way.
  const own = mine.some((scan) => scan.isLate) ? mine.length : 0
  const others = stored().length - mine.length
  const parts = [
    own > 1 ? texts.waitsMany.replace('{count}', own) : own === 1 ? texts.waitsOne : '',
    others > 0 ? texts.others.replace('{count}', others) : '',
    note,
  ]
  kept.textContent = parts.filter(Boolean).join(' ')
}

async function startCamera() {
  startButton.disabled = true
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: 'environment' },
      audio: false,
    })
    await video.play()
  } catch {
    startButton.disabled = false
    say(texts.noCamera)
    return
  }
  startButton.hidden = true
  camera.classList.add('on')
  const detector = await makeDetector()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, framesMilliseconds))
    if (document.hidden || video.readyState < 2) continue
    const [found] = await detector.detect(video).catch(() => [])
    if (found) read(found.rawValue.trim())
  }
}

/** The browser's own detector of QR codes. If there is none, loads a package. */
async function makeDetector() {
  const formats = (await window.BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  const { BarcodeDetector } = formats.includes('qr_code')
    ? window
    : await import('/dashboard/assets/qr/decode.js')
  return new BarcodeDetector({ formats: ['qr_code'] })
}

function read(code) {
  const now = Date.now()
  const isSame = code === lastRead.code && now - lastRead.at < sameCodeMilliseconds
  lastRead = { code, at: now }
  if (code && !isSame) add(code, page.querySelector('form[method="post"] input[name="TimeslotID"]')?.value)
}
