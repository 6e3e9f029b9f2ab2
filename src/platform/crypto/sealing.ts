/** Encrypts secrets at rest: AES-256-GCM with keys derived (HKDF) from SECRET_KEY, one for each purpose. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

export type Seal = {
  /** Encrypts `text`. @param owner what the text belongs to. open() needs the same owner. */
  seal(text: string, owner: string): Buffer
  /** Decrypts `sealed`. Null if it was sealed with another key, purpose or owner, or was changed since. */
  open(sealed: Buffer, owner: string): string | null
}

/** @param secretKeys one key, or several: the first one seals, and any of them opens. */
export function createSeal(secretKeys: string | readonly string[], purpose: string): Seal {
  const seals = [secretKeys].flat().map((secretKey) => sealUnder(secretKey, purpose))
  return {
    seal: seals[0]!.seal,
    open(sealed, owner) {
      for (const { open } of seals) {
        const text = open(sealed, owner)
        if (text !== null) return text
      }
      return null
    },
  }
}

function sealUnder(secretKey: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
  return {
    seal(text, owner) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, owner) {
      try {
        const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength), {
          authTagLength: tagLength,
        })
        decipher.setAAD(Buffer.from(owner))
        decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength))
        const text = decipher.update(sealed.subarray(nonceLength + tagLength))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
