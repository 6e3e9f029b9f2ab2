/** Pure rules of logos: a PNG, JPEG or WebP picture of limited size. The type is detected from the bytes. */

export const maxLogoBytes = 256 * 1024

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]

/** The path at which the service serves a logo. A path with an old hash redirects to the current logo. */
export function logoPath(accountId: number, hash: string): string {
  return `/logos/${accountId}/${hash}`
}

type ReadLogo = { type: LogoType; fault: null } | { type: null; fault: string }

/** Detects the type of a picture from its bytes, or returns the error. SVG is refused because it can run scripts. */
export function readLogo(image: Uint8Array): ReadLogo {
  if (image.length > maxLogoBytes) return { type: null, fault: `must have at most ${maxLogoBytes / 1024} kB` }
  const type = typeOf(image)
  return type ? { type, fault: null } : { type: null, fault: 'must be a PNG, JPEG or WebP file' }
}

function typeOf(image: Uint8Array): LogoType | null {
  const head = Buffer.from(image.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null
}
