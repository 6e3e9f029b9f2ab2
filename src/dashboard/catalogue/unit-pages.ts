/** Pages of a product's units: add, change, move and remove a unit. Each change is saved immediately. */
import type { FastifyRequest } from 'fastify'
import { getProduct } from '../../catalogue/reading.ts'
import { optionalUnitFields, unitFields } from '../../catalogue/sale-schemas.ts'
import type { StatedUnit } from '../../catalogue/units/schemas.ts'
import { readUnits, replaceUnits } from '../../catalogue/units/service.ts'
import { unitView } from '../../catalogue/units/views.ts'
import { byUser } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { inWords } from '../frame/fault-words.ts'
import { checkForm, type FormFaults, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { type ComparedField, showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import { readAmount } from '../parts/amounts.ts'
import { storedWords } from '../parts/stored-words.ts'
import type { CataloguePageOptions } from './paths.ts'
import { existingUnitPathSchema, idOrNull, productPath, unitPathSchema } from './paths.ts'
import { unitChoices, unitFieldNames, unitLabels, unitPage } from './unit-views.ts'

const Version = Type.String()
const unitForm = Type.Object({
  Name: unitFields.Name,
  Type: unitFields.Type,
  Price: Type.Object({ Amount: unitFields.Price.properties.Amount }),
  ...optionalUnitFields,
  AccompaniedBy: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  Version,
})
const placeForm = Type.Object({ Do: Type.Enum(['up', 'down', 'remove']), Version })
const path = '/catalogue/:ProductID/units/:UnitID'

type UnitAddress = { accountId: number; productId: number; unitId: number | null }
type UnitEdit = (units: StatedUnit[], index: number) => StatedUnit[]

export const unitPages: Routes<CataloguePageOptions> = (app, { sql }) => {
  /** Edits and saves the list, unless it has changed since the user saw it. A new unit comes last. */
  const save = (request: FastifyRequest, place: UnitAddress, seen: string, edit: UnitEdit) =>
    runOnce(sql, onceOf(request, 'units.replace'), async (tx) => {
      const { productId } = place
      const { units, index } = await readUnitsAt(tx, place)
      const change = { productId, units: edit(units, index), seen }
      const { partnersWithLoss } = await replaceUnits(tx, byUser(request.session.user), change)
      return { partnersWithLoss: partnersWithLoss.length }
    })

  app.get(path, { schema: { hide: true, params: unitPathSchema } }, async (request, reply) => {
    const place = addressOf(request)
    const { rows, units, index } = await readUnitsAt(sql, place)
    const blank = { Type: 'ADULT', People: 1, Places: 1, Default: units.length === 0 }
    const shown = { values: units[index] ?? blank, faults: null, version: versionOf(rows) }
    return send(request, reply, shown)
  })

  app.post(
    path,
    {
      schema: { hide: true, params: unitPathSchema, body: unitForm },
      attachValidation: true,
      preValidation: readTypedValues,
    },
    async (request, reply) => {
      const place = addressOf(request)
      try {
        checkForm(request)
        const { Version: seen, Price, ...given } = request.body
        const { currency } = await getProduct(sql, place.accountId, place.productId)
        const stated = { ...given, Price: { ...Price, Currency: currency } }
        const { answer } = await save(request, place, seen, (units, index) => withUnit(units, index, stated))
        return reply.redirect(donePath(place, answer), 303)
      } catch (error) {
        const { rows, units, index } = await readUnitsAt(sql, place)
        const names = units.toSpliced(index, 1, request.body as unknown as StatedUnit).map(({ Name }) => Name)
        const existing = units[index]
        const shown = await showFormAgain(inForm(error, index, names), async () => {
          if (!existing) return { given: request.body, existing, state: rows, fields: [] }
          // The form has boxes for companions only if there are other units.
          const others = units.length > 1 ? [compareCompanions(units, request.body, existing)] : []
          const t = textsFor(request)
          const shownAs = storedWords(t, unitChoices(t))
          return { given: request.body, existing, state: rows, fields: unitFieldNames, others, shownAs }
        })
        const faults = shown.faults && unitFaults(textsFor(request), shown.faults)
        return send(request, reply, { ...shown, faults })
      }
    },
  )

  app.post(
    `${path}/place`,
    { schema: { hide: true, params: existingUnitPathSchema, body: placeForm } },
    async (request, reply) => {
      const { Do, Version: seen } = request.body
      const place = addressOf(request)
      const { answer } = await save(request, place, seen, (units, index) => {
        const others = units.toSpliced(index, 1)
        if (Do === 'remove') return checkNotNeeded(units[index]!, others)
        return others.toSpliced(Math.max(0, index + (Do === 'up' ? -1 : 1)), 0, units[index]!)
      })
      return reply.redirect(donePath(place, answer), 303)
    },
  )

  type Shown = Parameters<typeof unitPage>[3] & { status?: number }

  async function send(request: FastifyRequest, reply: Parameters<typeof sendDashboard>[0], shown: Shown) {
    const place = addressOf(request)
    const { name, currency, units } = await getProduct(sql, place.accountId, place.productId)
    const others = (units ?? []).filter(({ id }) => id !== place.unitId)
    const t = textsFor(request)
    return sendDashboard(reply, request.session, {
      title: t.say(place.unitId === null ? 'unit.new-of' : 'unit.of', { product: name }),
      body: unitPage(request.session, t, { ...place, currency, others }, shown),
      status: shown.status ?? 200,
      assets: ['catalogue.css'],
    })
  }
}

/**
 * The path of the product's page, with a notice: the units are saved, and how many partners lost a net price, if
 * any.
 */
function donePath({ productId }: UnitAddress, { partnersWithLoss }: { partnersWithLoss: number }): string {
  const path = productPath(productId)
  const done = partnersWithLoss > 0 ? doneAt(path, 'unit-net-prices', partnersWithLoss) : doneAt(path, 'unit')
  return `${done}#units`
}

function addressOf({
  session,
  params,
}: {
  session: FastifyRequest['session']
  params: unknown
}): UnitAddress {
  const { ProductID, UnitID } = params as { ProductID: string; UnitID: string }
  return { accountId: session.user.accountId, productId: Number(ProductID), unitId: idOrNull(UnitID) }
}

/** The companions of a unit in the form and as they are stored, as names in the order of the list. */
function compareCompanions(
  units: readonly StatedUnit[],
  given: Pick<StatedUnit, 'AccompaniedBy'>,
  existing: Pick<StatedUnit, 'AccompaniedBy'>,
): ComparedField {
  const namesOf = ({ AccompaniedBy: ids = [] }: typeof given) =>
    units.flatMap(({ UnitID, Name }) => (ids.some((id) => Number(id) === UnitID) ? [Name] : [])).join(', ')
  return { field: 'AccompaniedBy', given: namesOf(given), existing: namesOf(existing) }
}

/**
 * The units of a product, and the position of the unit in the path. A new unit has the position after the
 * last unit.
 * @throws Problem not-found if the product does not have this unit.
 */
async function readUnitsAt(sql: Queryable, { accountId, productId, unitId }: UnitAddress) {
  const rows = await readUnits(sql, accountId, productId)
  const units = rows.map((row): StatedUnit => {
    const { MinAge, MaxAge, MinQuantity, MaxQuantity, ...view } = unitView(row)
    const limits = Object.entries({ MinAge, MaxAge, MinQuantity, MaxQuantity })
    return { ...view, ...Object.fromEntries(limits.filter(([, value]) => value !== null)) }
  })
  const index = unitId === null ? units.length : units.findIndex(({ UnitID }) => UnitID === unitId)
  if (index < 0) throw problems.notFound()
  return { rows, units, index }
}

/**
 * The units with the given unit at this position. If the given unit is the default unit, the other units are
 * no longer default units.
 */
function withUnit(units: StatedUnit[], index: number, given: StatedUnit): StatedUnit[] {
  const UnitID = units[index]?.UnitID
  const others = given.Default ? units.map((unit) => ({ ...unit, Default: false })) : units
  return others.toSpliced(index, 1, { ...given, ...(UnitID !== undefined && { UnitID }) })
}

/**
 * Returns the other units, if none of them names the removed unit in `AccompaniedBy`.
 * @throws Problem validation if one of them does.
 */
function checkNotNeeded({ UnitID, Name }: StatedUnit, others: StatedUnit[]): StatedUnit[] {
  const needing = others.filter(({ AccompaniedBy = [] }) => UnitID && AccompaniedBy.includes(UnitID))
  if (needing.length === 0) return others
  const names = needing.map((unit) => unit.Name).join(', ')
  const message = `cannot be removed while it accompanies ${names}: change that first`
  throw problems.validation([{ field: Name, message }])
}

/**
 * Returns the error with its fields named as in the form, which has only one unit. A fault of another unit is
 * named by the name of that unit.
 */
function inForm(error: unknown, index: number, names: readonly (string | undefined)[]): unknown {
  return renameFaults(error, (field) =>
    field
      .replace(`Units[${index}].`, '')
      .replace(/^Units$/, 'Default')
      .replace(/^Units\[(\d+)\]\..*$/, (_, other) => names[Number(other)] ?? 'Name')
      .replace(/^AccompaniedBy\[\d+\]$/, 'AccompaniedBy'),
  )
}

function unitFaults(t: Texts, faults: NonNullable<FormFaults>): FormFaults {
  const fields = new Map(faults.fields)
  if (/of Units/.test(fields.get('Name') ?? ''))
    fields.set('Name', 'is already used by another unit (upper and lower case count as the same)')
  if (/one unit with Default true/.test(fields.get('Default') ?? ''))
    fields.set('Default', 'cannot be cleared here: make another unit the default unit')
  return inWords({ ...faults, fields }, unitLabels(t))
}

async function readTypedValues(request: FastifyRequest): Promise<void> {
  const { Price } = request.body as { Price?: { Amount?: string } }
  if (Price?.Amount) Price.Amount = readAmount(Price.Amount, textsFor(request).locale)
}
