/** The data of a run: an account with its keys, one product with its timeslots, and an endpoint for webhooks. */
import { createKey } from '../../src/accounts/service.ts'
import { createEndpoint } from '../../src/messaging/webhooks/endpoints/service.ts'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { makeCaller, makeProduct } from '../helper.ts'

export type World = {
  account: string
  activityId: string
  /** Headers of callers by what they may do. */
  partner: Record<string, string>
  operator: Record<string, string>
  usage: Record<string, string>
  /** The secret that signs payment events. */
  secret: string
  capacities: Record<string, number>
}

export const account = 'faults'
export const days = ['2030-06-15', '2030-06-16', '2030-06-17'] as const
const times = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']
const coldCapacity = 40

/** Timeslots with high demand, which are nearly always full. */
export const hot = { slots: [`${days[0]} 09:00`, `${days[0]} 10:00`], capacity: 12 }
/** A timeslot that only the task `waitForPlaces` uses. */
export const waited = { slot: `${days[0]} 11:00`, capacity: 6 }
export const cold = days
  .flatMap((day) => times.map((time) => `${day} ${time}`))
  .filter((slot) => !hot.slots.includes(slot) && slot !== waited.slot)

export async function makeWorld(databaseUrl: string, secretKey: string, receiverUrl: string): Promise<World> {
  const sql = openDatabase(databaseUrl, { poolSize: 2, applicationName: 'abs-faults' })
  try {
    const scopes = ['operator', 'usage:read', 'usage:write', 'ota'] as const
    const { accountId, headers } = await makeCaller(sql, {
      slug: account,
      partner: 'Faults',
      scopes: ['ota'],
    })
    const wide = await createKey(sql, { accountId, partner: null, scopes, expiresInDays: null })
    const capacities = Object.fromEntries([
      ...cold.map((slot) => [slot, coldCapacity]),
      ...hot.slots.map((slot) => [slot, hot.capacity]),
      [waited.slot, waited.capacity],
    ]) as Record<string, number>
    const { activityId } = await makeProduct(sql, accountId, { slots: capacities })
    const secret = await createSecret(sql, secretKey, accountId)
    const fields = {
      url: receiverUrl,
      eventTypes: ['booking.*'],
      description: '',
      body: 'thin' as const,
      email: null,
    }
    const settings = { urlFault: () => null, secretKeys: secretKey }
    await sql.begin((tx) => createEndpoint(tx, { accountId, partnerId: null }, { fields, settings }))
    const own = { authorization: `Bearer ${wide}` }
    return { account, activityId, partner: headers, operator: own, usage: own, secret, capacities }
  } finally {
    await sql.end()
  }
}
