/** Clock times as people write them in one line, read into those of the wire. Pure. */

/** "9:30, 2.30 pm" as 09:30 and 14:30, each once and earliest first; what is no time stays for the check to name. */
export function readTimes(text: string): string[] {
  // Spaces are looked at once, from their first: a form may bring a great many.
  const words = text.replace(/(?<!\s)\s+(?=[ap]\.?m\b)/gi, '').split(/[\s,;]+/)
  return [...new Set(words.filter((word) => word !== '').map(readTime))].sort()
}

function readTime(word: string): string {
  const [, hours = '', minutes = '00', half] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?:([ap])\.?m\.?)?$/i.exec(word) ?? []
  if (hours === '' || (half === undefined && !/\D/.test(word))) return word
  if (half === undefined) return `${hours.padStart(2, '0')}:${minutes}`
  const hour = Number(hours)
  if (hour < 1 || hour > 12) return word
  return `${String((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`
}
