/**
 * Writes dist/assets/calendar-places.css, the rules that place timeslots in the calendar. Pages use a class for each
 * position, because their content security policy allows no inline styles.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { maxHours, maxLanes } from '../src/dashboard/calendar/placing.ts'
import { projectPath } from '../src/platform/project/paths.ts'

/**
 * The names of the classes, with the lowest and the highest number. Each class sets the variable of the same
 * name, which assets/time-grid.css reads.
 */
const places: readonly [name: string, least: number, most: number][] = [
  ['from-h', 0, maxHours],
  ['from-m', 0, 59],
  ['to-h', 0, maxHours],
  ['to-m', 0, 59],
  ['first-h', 0, maxHours],
  ['last-h', 1, maxHours],
  ['lane', 0, maxLanes - 1],
  ['span', 1, maxLanes],
  ['lanes', 1, maxLanes],
  ['most-lanes', 1, maxLanes],
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
