/** The rows of a live account that its test account copies, as data. */

/** A table whose rows a test account copies, with the same ids. */
export type FollowedTable = {
  table: string
  /** The key of a row, besides the account. */
  key: readonly string[]
  /** Columns that each account writes for itself. */
  own?: readonly string[]
  /** A column that is unique in an account and can change: two rows may swap their values. */
  unique?: string
}

/** Each table comes after those that its rows refer to. Timeslots come after all of them. */
export const followedTables: readonly FollowedTable[] = [
  { table: 'partners', key: ['id'], unique: 'name' },
  { table: 'products', key: ['id'], unique: 'name' },
  { table: 'units', key: ['id'] },
  { table: 'refund_terms', key: ['product_id', 'since'] },
  { table: 'questions', key: ['id'] },
  { table: 'product_translations', key: ['product_id', 'language'] },
  { table: 'schedules', key: ['id'], own: ['follow_from', 'followed_at', 'ending'] },
  { table: 'partner_terms', key: ['id'] },
  { table: 'promotions', key: ['id'] },
  { table: 'workflows', key: ['id'], own: ['armed_at', 'swept_until', 'swept_number'], unique: 'name' },
]

export const followedTimeslots: FollowedTable = {
  table: 'timeslots',
  key: ['id'],
  own: ['booked', 'held', 'customers_erased_at'],
}
