/** What the nightly audits of an account found last: kept by those who audit, read by those who look after it. */
export { type Audit, type AuditKind, listAudits, sumAudits, upsertAudit as keepAudit } from './queries.ts'
