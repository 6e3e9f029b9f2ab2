/** Who changes a booking, as its history keeps it. */

/** `service` is the service itself, when time runs out; `payment` is the payment provider. */
export type Actor =
  | { kind: 'key'; id: number }
  | { kind: 'user'; id: number }
  | { kind: 'customer' | 'payment' | 'service'; id?: undefined }

export function keyActor({ keyId }: { keyId: number }): Actor {
  return { kind: 'key', id: keyId }
}

/** Whoever asks for something in the name of an account: a program by its key, or a user who is signed in. */
export type Asking = { accountId: number } & ({ keyId: number } | { userId: number })

export function actorOf(asking: Asking): Actor {
  return 'keyId' in asking ? keyActor(asking) : { kind: 'user', id: asking.userId }
}

export const theService: Actor = { kind: 'service' }
