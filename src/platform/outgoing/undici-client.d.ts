/** The types of undici's module with its `Client`. The package has types only for its main module. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
