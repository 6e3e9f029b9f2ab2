// The page that scans: reads codes with the camera, sends each once, and keeps those for which there is no network.

const page = document.querySelector('#scan')
const camera = page.querySelector('#camera')
const video = camera.querySelector('video')
const startButton = camera.querySelector('button')
const kept = page.querySelector('#kept')
const sent = page.querySelector('#sent')
/** Of the mode of this page. */
const address = location.pathname
const storageKey = `scan of ${address}`
const accountKey = `account of ${address}`
const againMilliseconds = 15_000
/** A code that stays before the camera is one scan. */
const sameCodeMilliseconds = 4000
const framesMilliseconds = 200
const mostSent = 20
/** Of this page, among those of the browser that scan. */
const pageKey = crypto.randomUUID()
let lastRead = { code: '', at: 0 }
let sending = false
const textsKey = 'texts of scan'
const ownTexts = page.dataset.texts
// The page that stands in without network speaks as the last page with network did.
if (ownTexts) localStorage.setItem(textsKey, ownTexts)
/** In the language of the page; English until there was one. */
const texts = {
  kept: '{code} is kept and sent once the network is back',
  keptOnly: '{code} is kept',
  notSent: 'That was not sent: there is no network. Please press it again.',
  notTaken: 'Not taken',
  signedOut: 'You are signed out: sign in again on another page, and they are sent.',
  waitsOne: '1 scan waits for the network.',
  waitsMany: '{count} scans wait for the network.',
  others: '{count} of another account are sent once it signs in.',
  noCamera: 'The camera cannot be used: allow it for this site, or type the code.',
  title: 'Scan',
  offlineTitle: 'Scan (no network)',
  ...JSON.parse(ownTexts ?? localStorage.getItem(textsKey) ?? '{}'),
}
if (!ownTexts) speak()
/** What else is to be said beside the scans that wait. */
let note = ''

// The page that stands in without network does not know whose it is.
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
// Another page of this browser has sent some, or kept one.
window.addEventListener('storage', showKept)
document.addEventListener('visibilitychange', () => document.hidden || send())
setInterval(send, againMilliseconds)
camera.hidden = !navigator.mediaDevices?.getUserMedia
showKept()
send()

/** Keeps a scan, with the key by which the server knows it again, and sends it in its turn. */
function add(code, timeslotId) {
  const scan = { key: crypto.randomUUID(), code, timeslotId, at: new Date().toISOString() }
  store({ ...scan, account: page.dataset.account, by: pageKey })
  showKept()
  // Removes the buttons of the previous guest.
  answerWith('warn', `${code} …`)
  send()
}

/** All scans that the server has not answered, in their order. Nothing of guests is kept: a code and its time. */
function stored() {
  return Object.entries(localStorage)
    .filter(([name]) => name.startsWith(`${storageKey} `))
    .map(([, text]) => JSON.parse(text))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
}

/** Each by itself: pages of this browser that scan at once do not write over each other. */
function store(scan) {
  localStorage.setItem(nameOf(scan), JSON.stringify(scan))
}

function nameOf({ key }) {
  return `${storageKey} ${key}`
}

/** Sends what is kept, one after the other, until one does not arrive. No two pages send at once. */
async function send() {
  if (sending) return
  sending = true
  await (navigator.locks?.request(storageKey, sendAll) ?? sendAll())
}

async function sendAll() {
  try {
    await sendEach()
  } finally {
    // Before the lock is released: a scan that is stored at that moment starts its own run.
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

/** Of this account: another user of the browser may have kept some as well. Another page that scans sends its own first. */
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

/** What the server says of a scan; null when it could not be asked, or could not answer. */
async function post(fields) {
  for (const token of [tokenOf(document), null]) {
    const known = token ?? (await freshToken())
    if (!known) return null
    const body = new URLSearchParams({ ...fields, _csrf: known })
    const signal = AbortSignal.timeout?.(againMilliseconds)
    const answer = await fetch(address, { method: 'POST', body, signal }).catch(() => null)
    showNetwork(answer !== null)
    if (!answer || answer.status >= 500 || answer.status === 429) return null
    // A form of a session that has ended: once more with a token of the new one.
    if (answer.status === 401 || answer.status === 403) continue
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return next.querySelector('#answer') ?? refused(next)
  }
  return null
}

/** Puts the remembered texts on the page that stands in without network. */
function speak() {
  if (texts.language) document.documentElement.lang = texts.language
  document.title = texts.offlineTitle
  for (const place of document.querySelectorAll('[data-text]'))
    place.textContent = texts[place.dataset.text] ?? place.textContent
  for (const place of document.querySelectorAll('[data-label]'))
    place.ariaLabel = texts[place.dataset.label] ?? place.ariaLabel
}

/** On the page that stands in without network: whether it is still away. */
function showNetwork(isBack) {
  const words = document.querySelector('#offline')
  if (!words) return
  words.hidden = isBack
  document.querySelector('#online').hidden = !isBack
  document.title = isBack ? texts.title : texts.offlineTitle
}

/** A scan that the server refuses as a whole. */
function refused(next) {
  const answer = makeAnswer('bad', next.querySelector('h1')?.textContent ?? texts.notTaken)
  answer.append(...next.querySelectorAll('[role="alert"]'))
  return answer
}

/** What this page itself says in place of an answer. */
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

/** The token of the session that this browser has now; null without one, or without network. */
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
  // Beside a scan that came late: the next answer takes the place of this one.
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
  // The first has not failed yet where it is just being sent.
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

/** The browser's own, or else the one of a package, which is loaded only then. */
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
