// Shows the timeslots of another product or day as soon as the user chooses it, and keeps the typed party.

const form = document.querySelector('#timeslots')?.closest('form')
const note = document.createElement('p')
let latest = null

if (form) {
  note.setAttribute('role', 'status')
  note.className = 'unseen'
  form.append(note)
  form.addEventListener('change', ({ target }) => {
    if (target.name === 'ProductID' || (target.name === 'From' && target.value !== '')) show()
  })
}

async function show() {
  const address = new URL(location.pathname, location.origin)
  for (const name of ['ProductID', 'From'])
    if (form.elements[name].value !== '') address.searchParams.set(name, form.elements[name].value)
  // The key of the form identifies the page when the browser goes back to it.
  const key = new URL(location).searchParams.get('Key')
  if (key) address.searchParams.set('Key', key)
  for (const [name, value] of new FormData(form))
    if (value !== '' && /^(Participants|Unit-\d+)$/.test(name)) address.searchParams.set(name, value)
  latest?.abort()
  const ours = new AbortController()
  latest = ours
  try {
    const answer = await fetch(address, {
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: ours.signal,
    })
    // The form already holds places, so the server redirected to the page that changes them. Submit the form to open
    // that page.
    if (new URL(answer.url).pathname !== location.pathname) throw new Error(`the answer is of ${answer.url}`)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const next = page.querySelector('#timeslots')
    if (!answer.ok || !next) throw new Error(`no timeslots in an answer of ${answer.status}`)
    const fresh = document.importNode(next, true)
    // The field that the user changed keeps the focus.
    for (const element of fresh.querySelectorAll('[autofocus]')) element.removeAttribute('autofocus')
    document.querySelector('#timeslots').replaceWith(fresh)
    // The key of the form may be new, because the sale with the old key is over.
    form.elements._once.value = next.closest('form').elements._once.value
    form.setAttribute('action', next.closest('form').getAttribute('action'))
    history.replaceState(null, '', answer.url)
    note.textContent = next.dataset.shown ?? ''
  } catch {
    // If the timeslots cannot be shown here, submit the form, so that the browser shows the page or the error of the
    // server.
    if (!ours.signal.aborted) form.requestSubmit(form.querySelector('[name="Do"][value="show"]'))
  }
}

// On a phone, the panel with the button may cover the chosen timeslot.
document.addEventListener('change', ({ target }) => {
  if (target.name === 'Slot') target.scrollIntoView({ block: 'nearest' })
})
