// A booking that keeps its price pays nothing back, so the choice of that is not sent with it. The stylesheet hides it.

const refund = document.querySelector('.at-current fieldset')
const prices = document.querySelectorAll('[name="Price"]')

function follow() {
  refund.disabled = [...prices].some(({ checked, value }) => checked && value === 'kept')
}

if (refund) {
  for (const price of prices) price.addEventListener('change', follow)
  // Also where the browser comes back to the page, and to what was chosen on it.
  addEventListener('pageshow', follow)
}
