// What was typed about the customer of a sale is kept when the page is left in another way than by its buttons.

const form = document.querySelector('form[action$="/customer"]')
let isTyped = false

if (form) {
  document.addEventListener('input', ({ target }) => {
    isTyped ||= target.form === form
  })
  form.addEventListener('submit', () => {
    isTyped = false
  })
  addEventListener('pagehide', () => {
    if (!isTyped) return
    isTyped = false
    const fields = new URLSearchParams(new FormData(form))
    // A code takes effect only by its button.
    fields.delete('Code')
    // Sent also when the page is gone by then. The server keeps nothing if the sale has changed since the page was shown.
    const keep = form.action.replace(/customer$/, 'keep')
    fetch(keep, { method: 'POST', body: fields, keepalive: true }).catch(() => {})
  })
}
