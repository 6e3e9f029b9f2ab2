/** The tables of totals: the columns of their keys and counts, and the query of their correct values. */
import type { Fragment, Queryable } from '../../../platform/postgres/database.ts'
import type { Basis } from './mark-queries.ts'
import { paidColumns, sumPaid } from './paid-queries.ts'
import { refundColumns, sumRefunds } from './refund-queries.ts'
import * as sold from './sold-queries.ts'
import type { SoldBasis } from './source-queries.ts'

export type TotalsTable = {
  name: string
  bases: readonly Basis[]
  /** The columns of the table's key, without the account and the basis. */
  key: readonly string[]
  columns: readonly string[]
  /**
   * Makes the query of the correct values. It reads the relations `keys` and `booked` that sourcesOf()
   * defines.
   */
  sums: (sql: Queryable, subject: { accountId: number; basis: Basis }) => Fragment
}

const all: readonly TotalsTable[] = [
  {
    name: 'sales_totals',
    bases: ['sold', 'travel'],
    key: sold.keyColumns,
    columns: sold.soldColumns,
    sums: (sql) => sold.sumSold(sql),
  },
  {
    name: 'sales_refund_totals',
    bases: ['sold', 'travel'],
    key: sold.keyColumns,
    columns: refundColumns,
    sums: (sql, { accountId, basis }) => sumRefunds(sql, accountId, basis as SoldBasis),
  },
  {
    name: 'sales_unit_totals',
    bases: ['sold', 'travel'],
    key: [...sold.keyColumns, 'unit_id'],
    columns: sold.unitColumns,
    sums: (sql) => sold.sumUnits(sql),
  },
  {
    name: 'sales_place_totals',
    bases: ['travel'],
    key: ['day', 'product_id'],
    columns: sold.placeColumns,
    sums: (sql, { accountId }) => sold.sumPlaces(sql, accountId),
  },
  {
    name: 'sales_payment_totals',
    bases: ['paid'],
    key: ['day', 'method', 'currency'],
    columns: paidColumns,
    sums: (sql, { accountId }) => sumPaid(sql, accountId),
  },
]

export const bases = ['sold', 'travel', 'paid'] as const satisfies readonly Basis[]

export function tablesOf(basis: Basis): TotalsTable[] {
  return all.filter((table) => table.bases.includes(basis))
}

/** Whether the rows of a table have a column for the basis; tables with a single basis have none. */
export function hasBasis({ bases }: TotalsTable): boolean {
  return bases.length > 1
}
