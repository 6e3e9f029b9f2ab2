/**
 * TypeBox, with which schemas are written. No other module imports it. The build bundles it into this one
 * file, because loading its 374 files would cost each process 0.3 seconds of processor time at start.
 */
export { type Static, type TProperties, type TSchema, Type } from 'typebox'
