/**
 * The API of the TypeScript compiler, which openapi-typescript needs and TypeScript 7 does not have. The
 * package `@ts-morph/common` has it, but no command `tsc`, so `tsc` is always that of TypeScript 7.
 */
export { ts as default } from '@ts-morph/common'
