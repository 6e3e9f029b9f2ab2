/** Reads clock times that people write in one line. Pure. */

/**
 * Reads "9:30, 2.30 pm" as 09:30 and 14:30. The times are sorted and without duplicates. Words that are not
 * times stay in the result unchanged, and impossible times such as 25:00 stay too, so that the fault can
 * quote them.
 */
export function readTimes(text: string): string[] {
  // With the lookbehind, the expression takes linear time. Without it, many spaces would take quadratic time.
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
