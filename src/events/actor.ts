/** Actors: the recorded cause of a change. */

/**
 * `partner` is the partner whose API key sent the request (id null: a key without a partner), `key` an API key of
 * the operator, `user` a user of the dashboard, `customer` the customer of a booking, `payment` the payment
 * provider, and `service` a command or this service itself, for example when a hold expires.
 */
export type Actor =
  | { kind: 'partner'; id: number | null }
  | { kind: 'key' | 'user'; id: number }
  | { kind: 'customer' | 'payment' | 'service'; id?: undefined }

export const actorKinds = [
  'partner',
  'key',
  'user',
  'customer',
  'payment',
  'service',
] as const satisfies Actor['kind'][]

export function keyActor({ keyId }: { keyId: number }): Actor {
  return { kind: 'key', id: keyId }
}

export function userActor({ userId }: { userId: number }): Actor {
  return { kind: 'user', id: userId }
}

export const theService: Actor = { kind: 'service' }
export const thePaymentProvider: Actor = { kind: 'payment' }

/** The account and the actor of a change. */
export type Authorship = { accountId: number; actor: Actor }

/** A caller as the actor of the changes in its request. */
export function byKey(caller: { accountId: number; keyId: number }): Authorship {
  return { accountId: caller.accountId, actor: keyActor(caller) }
}

/** A signed-in user as the actor of the changes in its request. */
export function byUser(user: { accountId: number; userId: number }): Authorship {
  return { accountId: user.accountId, actor: userActor(user) }
}
