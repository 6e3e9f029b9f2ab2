// Only what pages cannot do by themselves: everything can be read and sent without it.

// A form that cannot be undone asks once more, but for a button of it that leads elsewhere.
document.addEventListener('submit', (event) => {
  const { question } = event.target.dataset
  if (question && !event.submitter?.hasAttribute('formaction') && !window.confirm(question))
    event.preventDefault()
})

// Where the menu is longer than the window, the section that is open is in sight.
const menu = document.querySelector('#menu')
const current = menu?.querySelector('[aria-current]')
if (current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2

// Pages that are meant for paper have a button for it.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
