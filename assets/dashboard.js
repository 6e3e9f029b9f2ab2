// Only what pages cannot do by themselves: everything can be read and sent without it.

// A form that cannot be undone asks once more.
document.addEventListener('submit', (event) => {
  const { question } = event.target.dataset
  if (question && !window.confirm(question)) event.preventDefault()
})
