/** The module of undici that makes its `Client`. The package has types only for the whole. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
