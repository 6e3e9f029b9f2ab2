/**
 * The API of the TypeScript compiler, which TypeScript 7 does not have and openapi-typescript needs. This
 * package has no command `tsc`, so there is only the one of TypeScript 7.
 */
export { ts as default } from '@ts-morph/common'
