// Only what HTML cannot do by itself. Without this script, users can still read every page and send every form.

// The response to a form gets the address of the form's page, so Back and a reload load that page and do not resend the
// form. After Back or a reload, the page shows the saved data and not what the user had typed. If it showed the typed
// data, the user could send it again and overwrite, without noticing, what another user has saved meanwhile.
const { formPage } = document.body.dataset
if (formPage !== undefined) {
  // If the path differs, the new address belongs to another page than this response. live.js loads the page at the
  // address, so it must not replace parts of this response.
  if (new URL(formPage, location.origin).pathname !== location.pathname)
    document.body.dataset.staysAsSent = ''
  history.replaceState(history.state, '', formPage + location.hash)
}

// The notice of an action is shown once: Back and a reload show the page without it.
const address = new URL(location.href)
if (address.searchParams.has('done')) {
  for (const name of ['done', 'count']) address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
  const notice = document.querySelector('#content > .done')
  addEventListener('pageshow', ({ persisted }) => persisted && notice?.remove())
}

// Without network, a form would lead to an error page of the browser, and what the user typed would be lost.
document.addEventListener('submit', (event) => {
  const method = event.submitter?.getAttribute('formmethod') ?? event.target.method
  if (event.defaultPrevented || navigator.onLine || method !== 'post') return
  event.preventDefault()
  event.stopImmediatePropagation()
  const said = document.querySelector('#no-network') ?? document.createElement('p')
  said.id = 'no-network'
  said.className = 'fault'
  said.setAttribute('role', 'alert')
  said.textContent = document.body.dataset.noNetwork
  document.querySelector('#content').prepend(said)
  said.scrollIntoView({ block: 'center' })
})

// Asks for confirmation of an action that cannot be undone, so that the server does not show a page that asks.
document.addEventListener('submit', (event) => {
  const question = event.target.elements.namedItem('_question')
  // Pages that an earlier version of the service made have the question in `data-question`.
  const words = question?.value ?? event.target.dataset.question
  if (words === undefined || (!question && event.submitter?.hasAttribute('formaction'))) return
  if (!window.confirm(words)) return event.preventDefault()
  if (!question) return
  // A disabled field is not sent. If the form comes without its question, the server does not ask it again. The field
  // is enabled again for users who come back to this page.
  question.disabled = true
  setTimeout(() => {
    question.disabled = false
  })
})

// Typing an amount or a percentage of a refund also selects that choice.
const refundChoices = { 'Refund.Amount': 'amount', 'Refund.Percent': 'percent' }
document.addEventListener('input', ({ target }) => {
  const value = refundChoices[target.name]
  if (value === undefined || target.value === '') return
  target.closest('fieldset').querySelector(`[name="Refund.Choice"][value="${value}"]`).checked = true
})

// The buttons − and + beside the field for a number of people. The user can also type the number into the field.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-step]')
  if (!button) return
  const field = button.parentElement.querySelector('input')
  if (button.dataset.step === '1') field.stepUp()
  else field.stepDown()
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
})

// If the menu is longer than the window, scroll it to the current section.
const menu = document.querySelector('#menu')
const current = menu?.querySelector('[aria-current]')
if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2

// The box “Show what I type” shows the password.
for (const choice of document.querySelectorAll('[data-shows]')) {
  choice.hidden = false
  choice.addEventListener('change', ({ target }) => {
    target.form.elements.namedItem(choice.dataset.shows).type = target.checked ? 'text' : 'password'
  })
}

// Pages that are meant for paper have a button that prints them.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}

// A secret that is shown once can be copied where the browser allows it: on a secure connection.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = button.dataset.copied
  })
}
