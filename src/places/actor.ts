/** Who changes a booking, as its history keeps it. */

/** `service` is the service itself, when time runs out; `payment` is the payment provider. */
export type Actor =
  | { kind: 'key'; id: number }
  | { kind: 'user'; id: number }
  | { kind: 'customer' | 'payment' | 'service'; id?: undefined }

export function keyActor({ keyId }: { keyId: number }): Actor {
  return { kind: 'key', id: keyId }
}

export const theService: Actor = { kind: 'service' }
