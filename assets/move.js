// If the booking keeps its price, nothing is paid back. Then the choice of a refund is disabled, so that it is not
// sent. The stylesheet hides it.

const refund = document.querySelector('.at-current fieldset')
const prices = document.querySelectorAll('[name="Price"]')

function follow() {
  refund.disabled = [...prices].some(({ checked, value }) => checked && value === 'kept')
}

if (refund) {
  for (const price of prices) price.addEventListener('change', follow)
  // Also when the user comes back to the page, because the browser then restores the chosen price.
  addEventListener('pageshow', follow)
}
