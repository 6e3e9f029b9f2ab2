/**
 * The compiler’s API, which TypeScript 7 does not have. openapi-typescript prints with it. This package has no command
 * `tsc`, so that the one of TypeScript 7 stays the only one.
 */
export { ts as default } from '@ts-morph/common'
