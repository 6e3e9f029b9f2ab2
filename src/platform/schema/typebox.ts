/**
 * TypeBox, in which schemas are written; nothing else imports it. The build puts it into this one file: to load its 374
 * files would cost each process 0.3 seconds of processor time at its start.
 */
export { type Static, type TProperties, type TSchema, Type } from 'typebox'
