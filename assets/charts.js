// Shows the figures of one column of a chart: of the column under the pointer, or of the one chosen by arrow keys.

const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

for (const plot of document.querySelectorAll('.plot')) prepare(plot)

function prepare(plot) {
  const chart = plot.querySelector('svg')
  const columns = [...chart.querySelectorAll('.column')]
  const tip = document.createElement('p')
  tip.className = 'tip'
  tip.setAttribute('role', 'status')
  tip.hidden = true
  plot.append(tip)
  chart.setAttribute('tabindex', '0')
  const labels = columns.map((column) => {
    const title = column.querySelector('title')
    // Removed, because the browser would show the title as a second tooltip.
    title.remove()
    return title.textContent
  })
  let chosen = -1

  function choose(index) {
    columns[chosen]?.classList.remove('chosen')
    chosen = index
    columns[chosen]?.classList.add('chosen')
    tip.hidden = chosen < 0
    if (tip.hidden) return
    tip.textContent = labels[chosen]
    const middle = ((chosen + 0.5) / columns.length) * plot.clientWidth
    const most = Math.max(0, plot.clientWidth - tip.offsetWidth)
    tip.style.left = `${Math.min(Math.max(middle - tip.offsetWidth / 2, 0), most)}px`
  }

  chart.addEventListener('pointermove', ({ target }) => {
    const index = columns.indexOf(target.closest('.column'))
    if (index !== chosen && index >= 0) choose(index)
  })
  chart.addEventListener('pointerleave', () => choose(-1))
  chart.addEventListener('blur', () => choose(-1))
  chart.addEventListener('focus', () => chart.matches(':focus-visible') && choose(columns.length - 1))
  chart.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') choose(-1)
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    choose(Math.min(Math.max(chosen + step, 0), columns.length - 1))
  })
}
