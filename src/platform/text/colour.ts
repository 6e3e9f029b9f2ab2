/** Colours of the form `#rrggbb`, and how well text can be read on them by the rules of WCAG. Pure. */

export const colourPattern = '^#[0-9a-f]{6}$'

/** The least contrast at which running text can be read (WCAG 2.2, AA). */
const readable = 4.5

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Black or white: the one with the higher contrast to this colour. That contrast is always above 4.5. */
export function textOn(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000'
}

/**
 * Mixes the colour with black (for a light background) or white (for a dark one) until text in this colour is
 * readable on the background.
 */
export function readableOn(colour: string, background: string): string {
  const towards = textOn(background)
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share)
    if (contrast(mixed, background) >= readable) return mixed
  }
  return towards
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function mix(one: string, other: string, share: number): string {
  const ends = channels(other)
  const mixed = channels(one).map((value, index) => Math.round(value + (ends[index]! - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}
