// Lets users drag a timeslot to another time or day: the drop opens the page that asks whether to move the timeslot
// there. The page of a timeslot that can be moved also links to that page. Arrow keys move the focus to the next
// timeslot in their direction. Every minute, the line of the current time moves too.

const stepMinutes = 15
const minuteMilliseconds = 60_000
const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }
/** The dragged timeslot: the URL of its move page, its duration, and how far below its start the pointer took it. */
let dragged = null

document.addEventListener('dragstart', (event) => {
  const slot = event.target.closest?.('.slot[data-move]')
  if (!slot || event.target.closest('.sell')) return
  const { top, left, height } = slot.getBoundingClientRect()
  const grid = slot.closest('.timed[data-first]')
  dragged = {
    page: slot.dataset.move,
    isAllDay: !grid || slot.dataset.allDay !== undefined,
    belowStart: event.clientY - top,
    minutes: grid ? Math.round(height / minuteHeight(grid)) : 0,
  }
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setDragImage(slot, event.clientX - left, event.clientY - top)
})

document.addEventListener('dragover', (event) => {
  const place = dragged && placeAt(event)
  clear()
  if (!place) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'move'
  show(place)
})

document.addEventListener('drop', (event) => {
  const place = dragged && placeAt(event)
  if (!place) return
  event.preventDefault()
  const query = new URLSearchParams({
    Date: place.day,
    ...(place.minute !== null && { Time: clock(place.minute) }),
  })
  const { page } = dragged
  end()
  location.assign(`${page}?${query}`)
})

document.addEventListener('dragend', end)

document.addEventListener('keydown', (event) => {
  const arrow = arrows[event.key]
  const slot = document.activeElement?.closest?.('.time-grid .slot')
  if (!arrow || !slot || document.activeElement.matches('.sell')) return
  const next = arrow[0] === 0 ? besideInDay(slot, arrow[1]) : besideInWeek(slot, arrow[0])
  if (!next) return
  event.preventDefault()
  next.querySelector('a').focus()
})

// If the week is wider than the window, scroll to the chosen day.
const week = document.querySelector('.time-grid')
const first = week?.querySelector('.day.chosen')
if (first) week.scrollLeft = first.offsetLeft - (week.querySelector('.clock')?.offsetWidth ?? 0)

const ahead = readAhead()
if (ahead !== null) setInterval(moveNow, minuteMilliseconds)

/**
 * The day under the pointer, and the minute at which the dragged timeslot would start; null for an all-day timeslot.
 */
function placeAt({ target, clientY }) {
  const column = target.closest?.('.time-grid .day')
  if (!column) return null
  if (dragged.isAllDay) return { column, day: column.dataset.day, minute: null }
  const grid = target.closest('.timed[data-first]')
  if (!grid) return null
  const first = Number(grid.dataset.first) * 60
  const below = (clientY - grid.getBoundingClientRect().top - dragged.belowStart) / minuteHeight(grid)
  const minute = Math.round((first + below) / stepMinutes) * stepMinutes
  return { grid, day: column.dataset.day, minute: Math.min(Math.max(minute, first), 24 * 60 - stepMinutes) }
}

function minuteHeight(grid) {
  const { first, last } = grid.dataset
  return grid.getBoundingClientRect().height / ((Number(last) - Number(first)) * 60)
}

function show({ column, grid, minute }) {
  if (minute === null) {
    column.querySelector('.all-day').classList.add('drop-here')
    return
  }
  const drop = document.createElement('p')
  drop.className = `drop ${classes('from', minute)} ${classes('to', minute + dragged.minutes)}`
  drop.textContent = clock(minute)
  grid.append(drop)
}

function clear() {
  for (const drop of document.querySelectorAll('.timed > .drop')) drop.remove()
  for (const row of document.querySelectorAll('.drop-here')) row.classList.remove('drop-here')
}

function end() {
  clear()
  dragged = null
}

function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function classes(edge, minute) {
  return `${edge}-h${Math.floor(minute / 60)} ${edge}-m${minute % 60}`
}

function besideInDay(slot, step) {
  const slots = shownSlots(slot.closest('.day'))
  return slots[slots.indexOf(slot) + step]
}

/** On the next day with timeslots, finds the timeslot whose top is nearest to the top of this one. */
function besideInWeek(slot, step) {
  const { top } = slot.getBoundingClientRect()
  const far = (other) => Math.abs(other.getBoundingClientRect().top - top)
  const days = [...document.querySelectorAll('.time-grid .day')]
  let at = days.indexOf(slot.closest('.day')) + step
  while (days[at] && shownSlots(days[at]).length === 0) at += step
  return (days[at] ? shownSlots(days[at]) : []).sort((one, other) => far(one) - far(other))[0]
}

/** Timeslots without room in the week view are hidden, and do not get the focus. */
function shownSlots(day) {
  return [...day.querySelectorAll('.slot')].filter((slot) => slot.checkVisibility())
}

/** Moves the line of the current time. The time of the account is the time of the browser plus `ahead`. */
function moveNow() {
  for (const line of document.querySelectorAll('.timed > .now')) {
    const minute = minuteNow() + ahead
    line.hidden = minute >= Number(line.parentElement.dataset.last) * 60
    if (!line.hidden) line.className = `now ${classes('from', minute)}`
  }
}

function minuteNow() {
  return Math.floor(Date.now() / minuteMilliseconds)
}

/** The minute of the account’s day that the line shows, minus minuteNow(); null without a line. */
function readAhead() {
  const place = /from-h(\d+) from-m(\d+)/.exec(document.querySelector('.timed > .now')?.className ?? '')
  return place && Number(place[1]) * 60 + Number(place[2]) - minuteNow()
}
