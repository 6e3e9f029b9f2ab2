/**
 * The latest results of the nightly audits of an account: audits write them; operators and metrics read them.
 */
export { type Audit, type AuditKind, listAudits, sumAudits, upsertAudit } from './queries.ts'
