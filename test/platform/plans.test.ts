/** The queries of partners, catalogues, baskets, places and usage use an index. */

import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { listCallers } from '../../src/accounts/queries.ts'
import { findChanges, listDates, listTimeslots } from '../../src/catalogue/availability/queries.ts'
import { activityUuid } from '../../src/catalogue/model.ts'
import * as productChanges from '../../src/catalogue/products/change-queries.ts'
import {
  findProduct,
  findProductByName,
  findProductByTranslation,
  listProductNames,
  listProducts,
} from '../../src/catalogue/queries.ts'
import {
  listQuestionsByIds,
  listQuestionsOf,
  listQuestionsOfActivity,
} from '../../src/catalogue/question-queries.ts'
import { listOwnPriced, updateSaleFlags } from '../../src/catalogue/sale-flag-queries.ts'
import { findComing } from '../../src/catalogue/schedules/editing/coming-queries.ts'
import * as schedules from '../../src/catalogue/schedules/editing/queries.ts'
import * as steps from '../../src/catalogue/schedules/editing/step-queries.ts'
import { listDayTotals } from '../../src/catalogue/timeslots/editing/day-queries.ts'
import * as moving from '../../src/catalogue/timeslots/editing/move-queries.ts'
import * as onSale from '../../src/catalogue/timeslots/editing/on-sale-queries.ts'
import * as editing from '../../src/catalogue/timeslots/editing/queries.ts'
import { listToOffer } from '../../src/catalogue/timeslots/queries.ts'
import {
  listLanguages,
  listTranslations,
  listTranslationsOfActivities,
} from '../../src/catalogue/translation-queries.ts'
import * as units from '../../src/catalogue/units/queries.ts'
import * as pumpQueries from '../../src/events/pump/queries.ts'
import { deleteOldEvents, findBacklog } from '../../src/events/queries.ts'
import { listAlternatives } from '../../src/inventory/alternatives.ts'
import {
  listExpiredBaskets,
  listExpiredHolds,
  listOverdueBaskets,
  listSlotsWithExpiredHolds,
} from '../../src/inventory/expiry-queries.ts'
import { findNamedSlots, lockBookingsOfBasket, lockNamedSlots } from '../../src/inventory/lock-queries.ts'
import { listWaiting } from '../../src/inventory/offer-queries.ts'
import { sellFitting, type WantedBooking } from '../../src/inventory/sale-queries.ts'
import * as auditQueries from '../../src/metering/audit/queries.ts'
import * as rejectQueries from '../../src/metering/audit/reject-queries.ts'
import * as usageQueries from '../../src/metering/read/queries.ts'
import { countDailyTotals, findPeriod, sumUsage } from '../../src/metering/read/summary-queries.ts'
import * as storageQueries from '../../src/metering/store/queries.ts'
import { storeEntries } from '../../src/metering/store/storage.ts'
import * as thresholdQueries from '../../src/metering/thresholds/queries.ts'
import type { Queryable, Transaction } from '../../src/platform/postgres/database.ts'
import { findNamed } from '../../src/sales/basket/named-queries.ts'
import { listBaskets, listLines, listPayments } from '../../src/sales/basket/queries.ts'
import * as closures from '../../src/sales/closure/queries.ts'
import * as provided from '../../src/sales/ledger/provider-queries.ts'
import { countDue, findRefundRow, listDone, listDue } from '../../src/sales/ledger/refund-list-queries.ts'
import * as refunds from '../../src/sales/ledger/refund-queries.ts'
import { isReportedTwice, listLiveSecrets } from '../../src/sales/payment/queries.ts'
import { explain } from '../explain.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { entry } from '../metering/fixtures.ts'

type Query = (sql: Queryable) => Promise<unknown>

t.test('no query of partners, catalogues, baskets or places reads a whole table', async (t) => {
  const { sql, url } = await createDatabase(t)
  const accounts = await Promise.all(['one', 'two', 'three'].map((slug) => makeCaller(sql, { slug })))
  for (const { accountId } of accounts) {
    for (let number = 1; number <= 40; number++) {
      const { id } = await makeProduct(sql, accountId, { name: `Tour ${number}` })
      await sql`
        insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
        select ${accountId}, ${id}, n, 'Question', 'text', false, '{}', 'booking' from generate_series(1, 10) as n`
      if (number > 5) continue
      await sql`
        insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
        select ${accountId}, ${id}, day, make_time(hour, 0, 0), day + make_time(hour, 0, 0), 10
        from generate_series('2030-01-01'::timestamp, '2030-12-31', '1 day') as day, generate_series(1, 20) as hour`
    }
  }
  await sql`vacuum analyze`

  const accountId = accounts[1]!.accountId
  const [product] = await sql<{ id: number; activity: string }[]>`
    select id, activity_id as activity from products where account_id = ${accountId} order by id limit 1`
  const { id, activity } = product!
  const slot = { accountId, activity: activityUuid(`s_${activity}`), date: '2030-06-15', time: '10:00' }
  const ownActivities = await sql<{ activity: string }[]>`
    select activity_id as activity from products where account_id = ${accountId}`
  const many = [...ownActivities, ...Array.from({ length: 60 }, () => ({ activity: randomUUID() }))].map(
    ({ activity }) => ({ accountId, activity, from: '2030-06-01', to: '2030-07-01' }),
  )
  const week = Array.from({ length: 7 }, (_, day) => ({ accountId, activity, date: `2030-06-1${day}` }))
  const [existing] = await sql<{ id: number }[]>`
    select id from timeslots where account_id = ${accountId} order by id limit 1`
  const timeslotId = existing!.id
  const everything = { from: null, to: null, productId: null, status: null, after: null, limit: 100 }
  const pattern = {
    ...{ from: '2030-01-01', to: '2030-12-31', weekdays: [1, 2], times: ['01:00', '23:00'] },
    ...{ capacity: 5, openingHours: null, closedDates: ['2030-06-15'] },
  }
  const draft = { id: Number.MAX_SAFE_INTEGER, productId: id, pattern }
  const everyBasket = { status: undefined, refundDue: false, before: undefined, limit: 100 }
  const paid = {
    id: 'evt_1',
    bodyHash: Buffer.alloc(32),
    basketId: 1,
    type: 'succeeded' as const,
    amount: '1',
    currency: 'EUR',
    reference: 'ch_1',
  }
  const keyed = { operation: 'booking.create', answerOf: () => ({}) }
  const wanted: WantedBooking = {
    ...{
      ...slot,
      id: 1,
      basketId: 1,
      partnerId: null,
      channel: 'partner' as const,
      status: 'confirmed' as const,
    },
    ...{
      actor: { kind: 'partner' as const, id: null },
      reference: 'R1',
      participants: 1,
      paymentReference: null,
    },
    ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: null, answers: '[]' },
    claim: { accountId, apiKeyId: 1, key: 'k1', bodyHash: Buffer.alloc(32) },
  }
  const adult = {
    ...{ productId: id, id: 7, position: 0, name: 'Adult', type: 'ADULT', price: null, places: 1, people: 1 },
    ...{ minAge: null, maxAge: null, minQuantity: null, maxQuantity: null, accompaniedBy: [] },
  }
  const languages = ['pt', 'de']
  await usesIndexes(t, url, {
    'list of products': (sql) => listProducts(sql, accountId, { inShopfront: true, limit: 10 }),
    'products that changed': (sql) =>
      productChanges.listChanged(sql, accountId, { after: 7, limit: 10, languages }),
    'products without an event in the log': (sql) =>
      productChanges.listUnlogged(sql, accountId, { after: 7, limit: 10, languages }),
    'first change since an instant': (sql) => productChanges.findFirstSince(sql, accountId, 0),
    'product by ID': (sql) => findProduct(sql, accountId, id),
    'names of products': (sql) => listProductNames(sql, accountId),
    'product by name': (sql) => findProductByName(sql, accountId, 'Tour 7'),
    'product by a translated name': (sql) => findProductByTranslation(sql, accountId, 'Tour 7', languages),
    'products by a name in other languages': (sql) =>
      listProducts(sql, accountId, { name: 'tour', languages }),
    'translations of a product': (sql) => listTranslations(sql, accountId, id),
    'translations of booked products': (sql) =>
      listTranslationsOfActivities(sql, accountId, { activities: [activity], language: 'pt' }),
    'languages of an account': (sql) => listLanguages(sql, accountId),
    questions: (sql) => listQuestionsOfActivity(sql, accountId, activity, languages),
    'questions of products': (sql) => listQuestionsOf(sql, accountId, [1, 2]),
    'questions by their ids': (sql) => listQuestionsByIds(sql, accountId, [1, 2]),
    'dates of a month': (sql) =>
      listDates(sql, [{ accountId, activity, from: '2030-06-01', to: '2030-06-30' }]),
    'dates of a month of many products': (sql) => listDates(sql, many),
    timeslots: (sql) => listTimeslots(sql, [{ accountId, activity, date: '2030-06-15' }]),
    'timeslots of a week': (sql) => listTimeslots(sql, week),
    'changes of days': (sql) =>
      findChanges(
        sql,
        [{ accountId, activity, from: '2030-06-01', to: '2030-06-30' }],
        new Map([[accountId, { number: 7 }]]),
      ),
    'changes of days of many products': (sql) =>
      findChanges(sql, many, new Map([[accountId, { number: 7 }]])),
    alternatives: (sql) => listAlternatives(sql, [{ ...slot, places: 2, whole: false }], true),
    lock: (sql) => lockNamedSlots(sql as Transaction, [slot], { wait: false }),
    sale: (sql) => sellFitting(sql, [wanted], keyed, false),
    'sale of products with many prices': (sql) => sellFitting(sql, [wanted], keyed, true),
    'named timeslots without a lock': (sql) => findNamedSlots(sql, [slot]),
    'timeslots that basket lines name': (sql) => findNamed(sql, accountId, [slot], true),
    'alternatives outside the shopfront': (sql) =>
      listAlternatives(sql, [{ ...slot, places: 2, whole: false }], false),
    baskets: (sql) => listBaskets(sql, accountId, { ...everyBasket, before: 9 }),
    'baskets by status': (sql) => listBaskets(sql, accountId, { ...everyBasket, status: 'open' }),
    'baskets to pay back': (sql) => listBaskets(sql, accountId, { ...everyBasket, refundDue: true }),
    'lines of baskets': (sql) => listLines(sql, accountId, [1]),
    'payments of baskets': (sql) => listPayments(sql, accountId, [1]),
    'refund terms of bookings': (sql) => refunds.listRefundTerms(sql, accountId, [1]),
    'refunds that are due': (sql) => listDue(sql, accountId, { after: [1, 'decision', '1'], limit: 100 }),
    'refunds that are done': (sql) => listDone(sql, accountId, { after: [1, 'decision', '1'], limit: 100 }),
    'refund decisions of a sale that no event has confirmed': (sql) =>
      refunds.listRefundableDecisions(sql, accountId, 1),
    'confirmed amounts of refund decisions about a sale': (sql) =>
      provided.findConfirmed(sql, accountId, { basketId: 1, currency: 'EUR' }),
    'events of a provider about a sale': (sql) => provided.listEvents(sql, accountId, 1),
    'unsettled refunds of sales': (sql) => provided.listUnsettled(sql, accountId, [1, 2]),
    'sales with an unsettled refund': (sql) =>
      provided.listUnsettledSales(sql, accountId, { after: 1, limit: 100 }),
    'a refund': (sql) => findRefundRow(sql, accountId, 1),
    'how many refunds are due': (sql) => countDue(sql, accountId, 100),
    'bookings of a basket': (sql) => lockBookingsOfBasket(sql as Transaction, accountId, 1),
    'expired baskets': (sql) => listExpiredBaskets(sql, 100),
    'waitlisted baskets of past timeslots': (sql) => listOverdueBaskets(sql, 100),
    'timeslots with expired holds': (sql) => listSlotsWithExpiredHolds(sql, [{ accountId, id: 1 }]),
    'expired holds': (sql) => listExpiredHolds(sql as Transaction, [{ accountId, id: 1 }], []),
    'parties on the waitlist': (sql) => listWaiting(sql as Transaction, [{ accountId, id: 1 }]),
    secrets: (sql) => listLiveSecrets(sql, 'two'),
    'payment that is reported twice': (sql) => isReportedTwice(sql, accountId, paid),
    'timeslots of all products': (sql) => editing.listTimeslots(sql, accountId, everything),
    'timeslots of a product': (sql) =>
      editing.listTimeslots(sql, accountId, { ...everything, productId: id }),
    'next page of timeslots': (sql) =>
      editing.listTimeslots(sql, accountId, {
        ...everything,
        from: '2030-03-01',
        after: { date: '2030-06-15', time: '10:00', id: timeslotId },
      }),
    'timeslots on sale from a day on': (sql) =>
      onSale.listOnSale(sql, accountId, { productId: id, from: '2030-06-15', limit: 12 }),
    'timeslots on sale': (sql) => onSale.listOnSale(sql, accountId, { productId: id, from: null, limit: 60 }),
    'timeslots on sale next to a timeslot': (sql) =>
      onSale.listNearestOnSale(sql, accountId, { id: timeslotId, limit: 60 }),
    'next timeslots on sale of all products': (sql) =>
      onSale.listNextOnSale(sql, accountId, { from: '2030-06-15', limit: 12 }),
    'flags of products for sales': (sql) => updateSaleFlags(sql as Transaction, accountId, [id], [id]),
    'products with own prices': (sql) => listOwnPriced(sql, accountId, [id]),
    'units of products': (sql) => units.writeUnits(sql as Transaction, accountId, [id], [adult]),
    'keys of net prices': (sql) =>
      units.rekeyNetPrices(sql as Transaction, accountId, { productIds: [id], keys: [] }),
    'own prices of timeslots': (sql) => units.lockPriced(sql as Transaction, accountId, id),
    'keys of own prices': (sql) =>
      units.rekeyPrices(sql as Transaction, accountId, 'timeslots', { productIds: [id], keys: [] }),
    'one timeslot': (sql) => editing.findTimeslot(sql, accountId, timeslotId),
    'timeslot at a time': (sql) =>
      editing.findTimeslotAt(sql, accountId, { productId: id, date: '2030-06-15', time: '10:00' }),
    'days of timeslots': (sql) =>
      listDayTotals(sql, accountId, { from: '2030-05-27', to: '2030-06-30', productId: null }),
    'days of timeslots of a product': (sql) =>
      listDayTotals(sql, accountId, { from: '2030-05-27', to: '2030-06-30', productId: id }),
    'copy of a timeslot into another': (sql) =>
      moving.copyTimeslotInto(sql as Transaction, accountId, { id: timeslotId, targetId: timeslotId }),
    'deletion of an unused timeslot': (sql) => moving.deleteUnused(sql as Transaction, accountId, 0),
    'existing timeslots of a draft of a schedule': (sql) =>
      schedules.listExistingTimeslots(sql, accountId, draft),
    'the timeslots of the next weeks': (sql) =>
      findComing(sql, accountId, { productId: id, from: '2030-02-01', days: 28 }),
    'timeslots that a schedule may change': (sql) => schedules.listTouchableIds(sql, accountId, draft),
    'missing timeslots of a schedule': (sql) =>
      schedules.listMissing(sql, accountId, draft, { horizonDays: 4000, named: 100 }),
    'where a step of a schedule ends': (sql) =>
      steps.findStepEnd(sql, accountId, { ...draft, from: '2030-01-01' }, { size: 500, horizonDays: 4000 }),
    'timeslots of a schedule that ends': (sql) =>
      steps.detachTimeslots(sql as Transaction, accountId, draft.id, 500),
    'schedules with steps left': (sql) => steps.listUnfollowed(sql),
    'a schedule of the same pattern': (sql) =>
      schedules.findSamePattern(sql, accountId, { id: null, productId: id, pattern }),
    'timeslots to close': (sql) =>
      closures.listTimeslotIds(
        sql,
        accountId,
        { from: '2030-06-15', to: '2030-06-16', productIds: null },
        1001,
      ),
    'timeslots with the numbers of their bookings': (sql) =>
      closures.listSituations(sql, accountId, [timeslotId]),
    'bookings that a closure affects': (sql) => closures.listAffected(sql, accountId, [timeslotId], 501),
    'bookings to close': (sql) => closures.listUnended(sql as Transaction, accountId, timeslotId),
    'timeslots with a waitlist': (sql) => listToOffer(sql as Transaction, accountId, [timeslotId]),
    keys: (sql) => listCallers(sql, [{ accountId, hash: '00'.repeat(32) }]),
  })
})

t.test('no query of metered usage reads a whole table', async (t) => {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { accountId: other } = await makeCaller(sql, { slug: 'other' })
  // From two months ago to two months ahead: every existing partition has entries.
  const today = new Date()
  const months = [-2, -1, 0, 1, 2].map((ahead) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, 15),
  )
  for (const [index, account] of [accountId, other].entries()) {
    const entries = Array.from({ length: 9000 }, (_, id) =>
      entry(account, index * 10_000 + id + 1, {
        acceptedAt: months[id % 5]! + id,
        meter: `m${id % 30}`,
        occurredAt: 1_760_000_000 + (id % 365) * 86_400,
      }),
    )
    await storeEntries(sql, entries)
    await sql`
      insert into usage_rejects (account_id, id, entry, reason)
      select ${account}, n, '{}', 'refused' from generate_series(1, 200) as n`
    await sql`
      insert into events (account_id, number, occurred_at, type, basket_id, actor, details)
      select ${account}, case when n <= 4980 then n end, now() - (5000 - n) * interval '1 minute',
        'basket.completed', n, 'user', '{}'
      from generate_series(1, 5000) as n`
    await sql`
      insert into event_counters (account_id, last_number, lowest_id)
      select ${account}, 4980, max(id) from events where account_id = ${account} and number is not null`
  }
  for (const account of [accountId, other])
    await sql`
      insert into usage_thresholds (account_id, meter, period, amount, reached)
      select ${account}, 'm' || n, 'total', 1e12, 0 from generate_series(1, 2000) as n`
  await sql`
    insert into usage_crossings (account_id, threshold_id, period_start, total)
    select account_id, id, date '2025-01-01' + n, 1 from usage_thresholds, generate_series(1, 5) as n`
  await sql`vacuum analyze`

  const range = { from: '2025-11-15', to: '2026-03-20' }
  const summary = { ...range, accountId, timeZone: 'Europe/Lisbon', pendingIds: [1, 2, 99_999] }
  const page = { ...range, accountId, limit: 100 }
  const after = { day: '2025-12-01', meter: 'm7', id: 500 }
  const keys = [{ meter: 'm1', day: '2025-12-01' }]
  const inTransaction = (query: (tx: Transaction) => Promise<unknown>) => (sql: Queryable) =>
    query(sql as Transaction)
  await usesIndexes(t, url, {
    'storing of new entries': (sql) =>
      storageQueries.insertEntries(sql, [entry(accountId, 80_000)], { skipStored: false }),
    'storing where some are stored': (sql) =>
      storageQueries.insertEntries(sql, [entry(accountId, 1), entry(other, 70_000)], { skipStored: true }),
    'storing of a rejected entry': (sql) => storageQueries.insertReject(sql, entry(accountId, 1), 'refused'),
    'period of a summary': (sql) => findPeriod(sql, { ...summary, meters: null, shape: 'meters' }),
    summary: (sql) => sumUsage(sql, { ...summary, meters: null, shape: 'meters' }),
    'summary of meters': (sql) => sumUsage(sql, { ...summary, meters: ['m1'], shape: 'meters' }),
    'summary by day': (sql) => sumUsage(sql, { ...summary, meters: null, shape: 'meters-with-days' }),
    'count of daily totals': (sql) => countDailyTotals(sql, { ...summary, meters: null, shape: 'days' }, 100),
    'count of the daily totals of meters': (sql) =>
      countDailyTotals(sql, { ...summary, meters: ['m1'], shape: 'days' }, 100),
    'days of a file': (sql) => sumUsage(sql, { ...summary, meters: null, shape: 'days' }),
    'days of meters': (sql) => sumUsage(sql, { ...summary, meters: ['m1'], shape: 'days' }),
    'first page of entries': (sql) => usageQueries.listEntries(sql, { ...page, meters: null, after: null }),
    'next page of entries': (sql) => usageQueries.listEntries(sql, { ...page, meters: null, after }),
    'entries of meters': (sql) => usageQueries.listEntries(sql, { ...page, meters: ['m1', 'm7'], after }),
    entry: (sql) => usageQueries.findEntry(sql, accountId, 7),
    'whether an entry is rejected': (sql) => usageQueries.isRejected(sql, accountId, 7),
    void: (sql) => usageQueries.voidEntry(sql, { accountId, id: 7, reason: 'wrong' }),
    'thresholds of an account': (sql) => thresholdQueries.listThresholds(sql, accountId),
    threshold: (sql) => thresholdQueries.findThreshold(sql, accountId, 7),
    'count of thresholds': (sql) => thresholdQueries.countThresholds(sql, accountId),
    'removal of a threshold': (sql) => thresholdQueries.deleteThreshold(sql, accountId, 7),
    'accounts with thresholds': thresholdQueries.listWatchedAccounts,
    'locks of thresholds': inTransaction((tx) => thresholdQueries.lockOverall(tx, accountId)),
    'sum of thresholds': inTransaction((tx) => thresholdQueries.recountOverall(tx, accountId)),
    'check of thresholds': inTransaction((tx) => thresholdQueries.insertMissingCrossings(tx, accountId)),
    'accounts with events to number': pumpQueries.listWaitingAccounts,
    'counters to lock': inTransaction((tx) => pumpQueries.lockCounters(tx, [accountId, other])),
    'numbers of events': inTransaction((tx) =>
      pumpQueries.numberEvents(tx, [accountId, other], { epoch: 1, decidedId: 0, limit: 500 }),
    ),
    'backlog of the log': (sql) => findBacklog(sql, null),
    'backlog of an account': (sql) => findBacklog(sql, accountId),
    'sweep of events': (sql) => deleteOldEvents(sql, 3, []),
    audit: (sql) => auditQueries.listTotalDifferences(sql, accountId, range),
    'locks of days': inTransaction((tx) => auditQueries.lockDailyTotals(tx, accountId, keys)),
    'count of days': inTransaction((tx) => auditQueries.recountDays(tx, accountId, keys)),
    'locks of months': inTransaction((tx) => auditQueries.lockMonthlyTotals(tx, accountId, keys)),
    'sum of months': inTransaction((tx) => auditQueries.recountMonths(tx, accountId, keys)),
    'one reject': inTransaction((tx) => rejectQueries.lockReject(tx, accountId, 7)),
    'reject that is stored': inTransaction((tx) => rejectQueries.deleteReject(tx, accountId, 7)),
    'some rejects': (sql) =>
      rejectQueries.listRejectsAfter(sql, { after: { accountId, id: 7 }, until: 'infinity', limit: 10 }),
  })
  // This query reads whole months of recently accepted entries, but no other months.
  const nodes = await explain(url, (sql) => auditQueries.listTouchedDays(sql, 1, Date.now()), withoutScans)
  const read = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))
  const [all] = await sql<{ partitions: number }[]>`
    select count(*) as partitions from pg_partition_tree('meter_entries') where isleaf`
  t.ok(read.size > 0 && read.size < all!.partitions)
})

// PostgreSQL reads a small table as a whole. This test checks that there is an index.
const withoutScans = { before: 'set enable_seqscan = off' }

async function usesIndexes(t: Test, url: string, queries: Record<string, Query>): Promise<void> {
  for (const [name, query] of Object.entries(queries)) {
    const nodes = await explain(url, query, withoutScans)
    t.ok(nodes.length > 0, name)
    for (const node of nodes) {
      const whole = node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined
      // Reading every entry of an account is as bad as reading a whole table.
      const ofAccount =
        node['Index Name']?.startsWith('meter_entries') && !node['Index Cond']?.includes(' AND ')
      t.notOk(
        whole || ofAccount,
        `${name}: ${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '–'}`,
      )
    }
  }
}
