// What was typed about the customer of a sale is kept when the page is left in another way than by its buttons.

const form = document.querySelector('form[action$="/customer"]')
let isTyped = false
let isSent = false

if (form) {
  document.addEventListener('input', ({ target }) => {
    isTyped ||= target.form === form
  })
  form.addEventListener('submit', () => {
    isSent = true
  })
  addEventListener('pagehide', () => {
    if (!isTyped || isSent) return
    const fields = new URLSearchParams(new FormData(form))
    fields.set('Next', 'add')
    // A code takes effect only by its button.
    fields.delete('Code')
    // Sent also when the page is gone by then. The answer leads to a page that nobody needs.
    fetch(form.action, { method: 'POST', body: fields, keepalive: true, redirect: 'manual' })
    isTyped = false
  })
  // The browser may come back to the page as it was.
  addEventListener('pageshow', () => {
    isSent = false
  })
}
