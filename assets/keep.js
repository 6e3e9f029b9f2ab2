// What was typed about the customer of a sale is kept when the page is left in another way than by its buttons.

const form = document.querySelector('form[action$="/customer"]')
let isTyped = false
let isSent = false

if (form) {
  document.addEventListener('input', ({ target }) => {
    if (target.form !== form) return
    isTyped = true
    isSent = false
  })
  form.addEventListener('submit', () => {
    isTyped = false
    isSent = true
  })
  addEventListener('pagehide', () => {
    if (!isTyped || isSent) return
    isTyped = false
    const fields = new URLSearchParams(new FormData(form))
    // A code takes effect only by its button.
    fields.delete('Code')
    // Sent also when the page is gone by then; the server keeps nothing if the sale has changed since the page was shown.
    const sent = fetch(form.action.replace(/customer$/, 'keep'), {
      method: 'POST',
      body: fields,
      keepalive: true,
    })
    sent.catch(() => {})
  })
}
