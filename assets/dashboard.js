// Only what pages cannot do by themselves: everything can be read and sent without it.

// A form that cannot be undone asks once more, but for a button of it that leads elsewhere.
document.addEventListener('submit', (event) => {
  const { question } = event.target.dataset
  if (question && !event.submitter?.hasAttribute('formaction') && !window.confirm(question))
    event.preventDefault()
})

// Where the sections are one line, the one that is open is in sight.
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// Pages that are meant for paper have a button for it.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
