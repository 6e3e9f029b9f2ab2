/**
 * Writes dist/assets/calendar-places.css, the rules that place timeslots in the calendar. Pages use a class for each position,
 * because their content security policy allows no inline styles.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { mostHours, mostLanes } from '../src/dashboard/calendar/placing.ts'
import { projectPath } from '../src/platform/project/paths.ts'

/**
 * The names of the classes, with the lowest and the highest number. Each class sets the variable of the same
 * name, which assets/time-grid.css reads.
 */
const places: readonly [name: string, least: number, most: number][] = [
  ['from-h', 0, mostHours],
  ['from-m', 0, 59],
  ['to-h', 0, mostHours],
  ['to-m', 0, 59],
  ['first-h', 0, mostHours],
  ['last-h', 1, mostHours],
  ['lane', 0, mostLanes - 1],
  ['span', 1, mostLanes],
  ['lanes', 1, mostLanes],
  ['most-lanes', 1, mostLanes],
]

export async function makePlaces(): Promise<void> {
  const folder = projectPath('dist', 'assets')
  await mkdir(folder, { recursive: true })
  const rules = places.flatMap(([name, least, most]) =>
    Array.from(
      { length: most - least + 1 },
      (_, index) => `.${name}${least + index}{--${name}:${least + index}}`,
    ),
  )
  await writeFile(`${folder}/calendar-places.css`, `${rules.join('\n')}\n`)
}
