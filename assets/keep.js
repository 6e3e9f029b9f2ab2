// Saves the typed customer fields of a sale when the user leaves the page without using its buttons.

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
    // A promotion code is used only when the user presses its button.
    fields.delete('Code')
    // `keepalive`: sent even if the page has closed. The server saves nothing if the sale has changed since the page
    // was shown.
    const keep = form.action.replace(/customer$/, 'keep')
    fetch(keep, { method: 'POST', body: fields, keepalive: true }).catch(() => {})
  })
}
