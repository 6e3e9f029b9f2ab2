/**
 * Reads a catalogue file for an account. Returns the file and the account's existing data for the products in
 * the file. If the file has errors, it throws one error that lists them all.
 */
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { type ExistingCatalogue, readExisting } from './existing.ts'
import { checkRules, type PlacedFault, placeFaults } from './model.ts'
import { checkShape, type Fault, parseJson, sketch } from './parse.ts'
import type { CatalogueFile } from './schemas.ts'

/** A catalogue file that cannot be imported, with all its errors in the order of the text. */
export class CatalogueFileError extends Error {
  readonly faults: PlacedFault[]

  constructor(text: string, faults: Fault[]) {
    super(`the catalogue file has ${faults.length === 1 ? '1 error' : `${faults.length} errors`}`)
    this.faults = placeFaults(text, faults)
  }
}

// No account has this id: live accounts have positive ids, and test accounts have negative ids.
const newAccount = 0

/**
 * Checks a catalogue file in the same way as an import. It changes and locks nothing.
 * @param accountId null to check the file for a new account, which has no products.
 * @returns how many products the file has.
 * @throws CatalogueFileError.
 */
export function checkCatalogue(sql: Sql, accountId: number | null, text: string): Promise<number> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const { file } = await readCatalogue(tx, accountId ?? newAccount, text)
    return file.Products.length
  })
}

/**
 * Parses and checks a catalogue file, and reads the existing data of its products.
 * @throws CatalogueFileError with all errors.
 */
export async function readCatalogue(
  tx: Transaction,
  accountId: number,
  text: string,
): Promise<{ file: CatalogueFile; existing: ExistingCatalogue }> {
  const parsed = parseJson(text)
  if ('faults' in parsed) throw new CatalogueFileError(text, parsed.faults)
  const { document, repeated } = parsed
  const shape = [...repeated, ...checkShape(document)]
  const rules = checkRules(sketch(document, shape))
  const existing = await readExisting(tx, accountId, sketch(document, shape.concat(rules)))
  const faults = shape.concat(rules, existing.faults)
  if (faults.length > 0) throw new CatalogueFileError(text, faults)
  return { file: document as CatalogueFile, existing }
}
