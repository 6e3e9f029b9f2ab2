/** All SQL of logos. */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { LogoType } from './logo-model.ts'

export type Logo = {
  /** The start of the SHA-256 of the picture, in hexadecimal. */
  hash: string
  type: LogoType
  image: Buffer
}

export async function findLogo(sql: Queryable, accountId: number): Promise<Logo | null> {
  const [logo] = await sql<Logo[]>`select hash, type, image from logos where account_id = ${accountId}`
  return logo ?? null
}

/** The hash, type and size of an account's logo, without the picture; null if there is no logo. */
export async function describeLogo(sql: Queryable, accountId: number) {
  const [logo] = await sql<{ hash: string; type: LogoType; bytes: number }[]>`
    select hash, type, length(image) as bytes from logos where account_id = ${accountId}`
  return logo ?? null
}

export async function upsertLogo(
  tx: Transaction,
  accountId: number,
  { hash, type, image }: Logo,
): Promise<void> {
  await tx`
    insert into logos (account_id, hash, type, image) values (${accountId}, ${hash}, ${type}, ${image})
    on conflict (account_id) do update set
      hash = excluded.hash, type = excluded.type, image = excluded.image, changed_at = app_now()`
}

export async function deleteLogo(tx: Transaction, accountId: number): Promise<void> {
  await tx`delete from logos where account_id = ${accountId}`
}
