/** Why a request to an address that a user chose got no complete response, in words for people. */

export type OutgoingReason =
  | 'address'
  | 'name'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'cut'
  | 'too-large'
  /** Nothing was sent: all sockets were in use for too long, or the sender is closing. */
  | 'busy'

/**
 * The message is for people. It never contains data of the response, nor an address that a name resolved to.
 */
export class OutgoingFailure extends Error {
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The failure for an unknown name, and for a name that leads to a private network. The two have the same message,
 * so that users cannot find out which names exist in the network of this service.
 */
export function nameFailure(): OutgoingFailure {
  return new OutgoingFailure(
    'name',
    'The host name has no address that may be called: it is unknown, or leads to a network that is not public.',
  )
}

export function addressFailure(): OutgoingFailure {
  return new OutgoingFailure('address', 'The URL must lead to a public address.')
}

const connectMessages: Record<string, string> = {
  ECONNREFUSED: 'The receiver refuses connections.',
  ECONNRESET: 'The receiver ended the connection before it was open.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
}

export function connectFailure(code: string | undefined): OutgoingFailure {
  return new OutgoingFailure('connect', connectMessages[code ?? ''] ?? 'No connection could be opened.')
}

const tlsMessages: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The receiver’s certificate has expired.',
  CERT_NOT_YET_VALID: 'The receiver’s certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The receiver’s certificate is signed by itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The receiver’s certificate comes from an authority that is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT: 'The receiver does not send its intermediate certificates.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The receiver’s certificate comes from an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The receiver does not send its intermediate certificates.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The receiver’s certificate is for another host name.',
}

export function tlsFailure(code: string | undefined): OutgoingFailure {
  return new OutgoingFailure('tls', tlsMessages[code ?? ''] ?? 'No secure connection (TLS) could be opened.')
}

/** @param what completes “The receiver … within 15 seconds.”, such as “did not answer”. */
export function timeoutFailure(what: string, timeoutMs: number): OutgoingFailure {
  return new OutgoingFailure('timeout', `The receiver ${what} within ${timeoutMs / 1000} seconds.`)
}

export function tooLargeFailure(): OutgoingFailure {
  return new OutgoingFailure('too-large', 'The headers of the response are too large.')
}
