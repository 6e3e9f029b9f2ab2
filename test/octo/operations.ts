/** Generators of random operations by a reseller or the operator, and of expiries, on a few bookings. */
import fc from 'fast-check'
import type { Unit } from './model.ts'

/** An operation on a booking of one of two resellers, named by one of three uuids. */
function operation<const Name extends string, More extends object = object>(
  name: Name,
  more: { [Field in keyof More]: fc.Arbitrary<More[Field]> } = {} as never,
) {
  const some = fc.record(more) as unknown as fc.Arbitrary<More>
  return fc
    .tuple(fc.nat(1), fc.nat(2), some)
    .map(([reseller, uuid, one]) => ({ do: name, reseller, uuid, ...one }))
}

const units = fc.array(fc.constantFrom<Unit[]>('adult', 'adult', 'adult', 'child'), {
  minLength: 1,
  maxLength: 3,
})
const addedUnits = fc.oneof(units, fc.constant<Unit[]>([]))
/** Which existing items stay, named by uuid or only by unit, and which are added. */
const items = fc.option(fc.record({ kept: fc.nat(15), byUuid: fc.boolean(), added: addedUnits }), {
  nil: null,
  freq: 1,
})
const said = fc.record(
  {
    notes: fc.constantFrom('A birthday', 'Late', ''),
    resellerReference: fc.constantFrom('OTA-1', 'OTA-2'),
    fullName: fc.constantFrom('Ada Lovelace', 'Grace Hopper'),
  },
  { requiredKeys: [] },
)
const slot = fc.nat(2)

export const operations = fc.oneof(
  { weight: 9, arbitrary: operation('reserve', { slot, units, isNamed: fc.boolean(), said }) },
  { weight: 2, arbitrary: operation('reserve again') },
  { weight: 6, arbitrary: operation('confirm', { items, said }) },
  { weight: 7, arbitrary: operation('update', { slot: fc.option(slot, { nil: null }), items, said }) },
  { weight: 1, arbitrary: operation('extend') },
  { weight: 3, arbitrary: operation('cancel') },
  { weight: 2, arbitrary: operation('run out') },
  { weight: 1, arbitrary: operation('sweep') },
  { weight: 1, arbitrary: operation('cut-off', { hasPassed: fc.boolean() }) },
  { weight: 1, arbitrary: operation('attend') },
  { weight: 2, arbitrary: operation('scan', { place: fc.nat(3) }) },
  { weight: 1, arbitrary: operation('operator cancels') },
)
export type Operation = typeof operations extends fc.Arbitrary<infer One> ? One : never
export type ItemsChoice = { kept: number; byUuid: boolean; added: Unit[] }
