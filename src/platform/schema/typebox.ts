/**
 * The only module that imports the package `typebox`, with which schemas are written. The build bundles the
 * package into this file, because loading its 374 files would cost each process 0.3 seconds of processor time
 * at start.
 */
export { type Static, type TProperties, type TSchema, Type } from 'typebox'
