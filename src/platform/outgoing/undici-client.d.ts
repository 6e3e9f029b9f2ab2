/** The module of undici that makes its `Client`; the package describes only its whole. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
