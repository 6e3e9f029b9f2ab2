/** What of its live account's rows a test account has copies of, as data. */

/** A table whose rows a test account has copies of, by the same ids. */
export type FollowedTable = {
  table: string
  /** With the account, what names a row. */
  key: readonly string[]
  /** Columns that each account writes for itself. */
  own?: readonly string[]
  /** Text that no two rows of an account share, and that may change: rows can have swapped it. */
  unique?: string
}

/** In an order in which each row comes after those it refers to. Timeslots come after them. */
export const followedTables: readonly FollowedTable[] = [
  { table: 'partners', key: ['id'], unique: 'name' },
  { table: 'products', key: ['id'], unique: 'name' },
  { table: 'units', key: ['id'] },
  { table: 'refund_terms', key: ['product_id', 'since'] },
  { table: 'questions', key: ['id'] },
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
