/** Exports a catalogue as a file. */
import { groupBy } from '../../platform/collections/group-by.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { toAmount, toMoney } from '../../platform/text/money.ts'
import { fromRow, toActivityId, type Unit } from '../model.ts'
import { openingView } from '../opening-hours.ts'
import { listProducts } from '../products/service.ts'
import { fromSteps } from '../refund-steps.ts'
import { listSchedules } from '../schedules/editing/applying.ts'
import { fromPattern } from '../schedules/model.ts'
import { listOwnTimeslots } from '../timeslots/service.ts'
import { type Translation, wordsOf } from '../translation.ts'
import { listTranslationsOf } from '../translation-queries.ts'
import type { OwnPrice } from '../units/own-prices.ts'
import * as queries from './queries.ts'
import { defaultUnitName, type ExportedProduct, type FileUnit, type FileUnitPrice } from './schemas.ts'

/**
 * Exports all products of the account, as of one instant, as a file for importCatalogue(). It leaves out
 * closed timeslots, and timeslots that belong to a schedule and that nobody edited.
 */
export function exportCatalogue(sql: Sql, accountId: number): Promise<{ Products: ExportedProduct[] }> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    return { Products: await exportProducts(tx, accountId) }
  })
}

/**
 * The products of exportCatalogue(), in the order of their ids. The transaction must be `repeatable read`,
 * or the only one that can change the account.
 */
export async function exportProducts(tx: Transaction, accountId: number): Promise<ExportedProduct[]> {
  const products = await listProducts(tx, accountId, {})
  const questions = groupBy(await queries.listQuestions(tx, accountId), 'productId')
  const timeslots = groupBy(await listOwnTimeslots(tx, accountId), 'productId')
  const schedules = groupBy(await listSchedules(tx, accountId), 'productId')
  const translations = groupBy(await listTranslationsOf(tx, accountId), 'productId')
  return products.map(({ id, activityId, units, ...row }) => {
    const names = new Map((units ?? []).map((unit) => [unit.id, unit.name]))
    return {
      ...fromRow(row),
      ActivityID: toActivityId(activityId),
      RefundTerms: fromSteps(row.refundTerms),
      Units: (units ?? []).map((unit) => exportUnit(unit, names)),
      Questions: (questions.get(id) ?? []).map(({ productId, position, Options, ...question }) => {
        return Options.length > 0 ? { ...question, Options } : question
      }),
      Translations: exportTranslations(
        wordsOf(
          units,
          (questions.get(id) ?? []).map(({ Label, Options }) => ({ label: Label, options: Options })),
        ),
        translations.get(id) ?? [],
      ),
      Timeslots: (timeslots.get(id) ?? []).map(({ date, time, capacity, openingHours, unitPrices }) => ({
        ...{ Date: date, Time: time, Capacity: capacity },
        ...(openingHours && { OpeningHours: openingView(openingHours).OpeningHours }),
        UnitPrices: exportPrices(unitPrices, names),
      })),
      Schedules: (schedules.get(id) ?? []).map(({ capacity, closedDates, unitPrices, ...pattern }) => ({
        ...exportPattern(pattern),
        Capacity: capacity,
        ClosedDates: closedDates,
        UnitPrices: exportPrices(unitPrices, names),
      })),
    }
  })
}

function exportPattern(pattern: Parameters<typeof fromPattern>[0]) {
  const { Times, AllDay, OpeningHours, ...fields } = fromPattern(pattern)
  return { ...fields, ...(AllDay ? { AllDay, OpeningHours } : { Times }) }
}

/**
 * The translations as in a file. It leaves out translations of unit and question texts that the product no
 * longer has.
 */
function exportTranslations(texts: readonly string[], translations: readonly Translation[]) {
  return translations.map(({ language, name, description, words }) => ({
    Language: language,
    ...(name && { Name: name }),
    ...(description && { Description: description }),
    Texts: texts
      .filter((text) => Object.hasOwn(words, text))
      .map((text) => ({ Text: text, Translation: words[text]! })),
  }))
}

type UnitNames = ReadonlyMap<number, string>

function exportUnit(unit: Unit, names: UnitNames): FileUnit {
  const { minAge, maxAge, minQuantity, maxQuantity } = unit
  return {
    Name: unit.name,
    Type: unit.type as FileUnit['Type'],
    Price: toMoney(unit.priceMinor, unit.currency),
    Places: unit.places,
    People: unit.people,
    ...(minAge !== null && { MinAge: minAge }),
    ...(maxAge !== null && { MaxAge: maxAge }),
    ...(minQuantity !== null && { MinQuantity: minQuantity }),
    ...(maxQuantity !== null && { MaxQuantity: maxQuantity }),
    AccompaniedBy: unit.accompaniedBy.map((id) => names.get(id)!),
    Default: unit.isDefault,
  }
}

function exportPrices(prices: readonly OwnPrice[], names: UnitNames): FileUnitPrice[] {
  return prices.map(({ unitId, priceMinor, currency }) => {
    return { Name: names.get(unitId) ?? defaultUnitName, Amount: toAmount(priceMinor, currency) }
  })
}
