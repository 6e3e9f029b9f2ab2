/**
 * Every SQL statement without an account as parameter, with the reason why test mode leaks nothing through
 * it. A new statement without an account fails here until it is listed.
 */
import t from 'tap'
import { namesAccount, readStatements } from './statements.ts'

const listed = {
  // A fragment, or a value under another name, binds one account.
  bound: [
    'src/catalogue/availability/queries.ts findChanges',
    'src/catalogue/file/copy-queries.ts copyProducts listTimeslotDifferences',
    'src/catalogue/schedules/timeslot-queries.ts earliest',
    'src/inventory/waiting-copies.ts copyWaiting',
    'src/messaging/emails/lease-queries.ts markSent markEnded reschedule postpone',
    'src/messaging/webhooks/deliveries/advance-queries.ts changedDays',
    'src/messaging/webhooks/endpoints/queries.ts lockEndpoint select',
    'src/messaging/workflows/sweep-queries.ts due',
    'src/metering/read/summary-queries.ts sums',
    'src/octo/bookings/queries.ts selectReservations',
    'src/sales/booking/desk/queries.ts selectBookings',
    'src/sales/calendar-feed/queries.ts feeds',
    'src/sales/booking/partner/queries.ts selectOwn listChanged findFirstSince',
    'src/sales/promotion/use-queries.ts readPromotionWithUses',
    'src/reports/sales/report/queries.ts sumGroups sumPeriods dailyTotals',
    'src/reports/sales/statement/queries.ts listStatementRows sumStatement',
    'src/reports/sales/totals/mark-queries.ts markDaysOfUnreadEvents',
    'src/reports/sales/totals/recount-queries.ts replaceTotals',
    'src/reports/sales/totals/sold-queries.ts sumSold sumUnits',
    'src/reports/sales/totals/audit-queries.ts listSalesDifferences',
    'src/sales/ticket/queries.ts selectTickets',
    'src/sales/waitlist/queries.ts entries',
    'src/test-mode/queries.ts hasDifferences',
  ],
  // Each row is selected by its account and its id or key, so that no row of another mode matches.
  keyed: [
    'src/catalogue/translation-queries.ts copyProductLanguage',
    'src/events/pump/queries.ts insertCounters lockCounters numberEvents',
    'src/events/watching/queries.ts readLastNumbers',
    'src/inventory/expiry-queries.ts listExpiredHolds listSlotsWithExpiredHolds',
    'src/inventory/hold-queries.ts deleteHoldingBaskets',
    'src/inventory/lock-queries.ts lockSlots lockNamedSlots findNamedSlots lockBaskets lockBookings lockWholeBookings',
    'src/inventory/offer-queries.ts listWaiting endEntries',
    'src/inventory/same-person.ts personAfter',
    'src/inventory/ticket-queries.ts listAllTickets voidTicketsOf clearRedemptions',
    'src/platform/postgres/idempotency.ts claimFreeKeys insertClaims',
    'src/messaging/webhooks/deliveries/mark-queries.ts storeTries',
    'src/reports/sales/totals/mark-queries.ts daysOfEvents daysOfDecisions',
    'src/sales/booking/desk/queries.ts listBookingsByKeys',
    'src/sales/booking/partner/queries.ts listByKeys',
    'src/sales/booking/queries.ts listMade',
    'src/sales/booking/search/queries.ts listSearchable',
  ],
  // No row of an account: ids, clocks, time zones, partitions, the server itself.
  noAccount: [
    'src/catalogue/timeslots/local-time-queries.ts listInstants',
    'src/catalogue/units/queries.ts drawUnitIds',
    'src/events/pump/queries.ts readLastId listWriters limitLockWaits readEpoch server insertEpoch',
    'src/messaging/emails/facts.ts findNow',
    'src/messaging/emails/queries.ts findSecondsUntilMidnight',
    'src/metering/audit/queries.ts listPartitions isOlderThan',
    'src/metering/audit/reject-queries.ts readClock',
    'src/metering/store/queries.ts drawIdBlocks makePartitions makePartitionsAhead',
    'src/reports/store-gauges.ts readDatabase',
    'src/reports/sales/totals/booking-queries.ts totalOfBooking',
    'src/sales/booking/queries.ts drawIdBlocks',
    'src/surfaces/health.ts isPostgresUp',
    'src/sales/booking/search/candidate-queries.ts preferIndexOfWords',
    'src/test-mode/queries.ts listFollowedColumns',
    'workers/health.ts watchProgress',
  ],
  // Rows of all accounts, each handled by itself: due work of test mode is done like that of live mode.
  everyAccount: [
    'src/accounts/queries.ts listAccountIds revokeKey',
    'src/accounts/users/sign-in-queries.ts sweepSignIns',
    'src/customers/retention-queries.ts deleteEndedEmails deleteOrphanRuns',
    'src/events/pump/queries.ts listWaitingAccounts',
    'src/inventory/expiry-queries.ts listExpiredBaskets listOverdueBaskets',
    'src/messaging/emails/lease-queries.ts claimEmail claimAfter',
    'src/messaging/emails/list-queries.ts sumOverdue',
    'src/messaging/webhooks/deliveries/queries.ts deleteOldDeliveries listNeeded',
    'src/messaging/workflows/sweep-queries.ts listActiveWorkflows',
    'src/metering/audit/queries.ts blockPrunes dropPartition',
    'src/metering/thresholds/queries.ts listWatchedAccounts',
    'src/platform/postgres/idempotency.ts sweepIdempotencyKeys',
    'src/reports/sales/totals/mark-queries.ts findOldestMark',
    'src/reports/sales/totals/recount-queries.ts listToCount',
    'src/sales/booking/desk/owing-queries.ts listToCheck',
    'src/sales/ledger/provider-queries.ts listUnsettledAccounts',
    'src/reports/scorecards/queries.ts deleteTallies',
  ],
  // Only live accounts, no row, or an account by its slug: `lagos.test` is the slug of a test account only.
  oneMode: [
    'src/accounts/audits/queries.ts sumAudits',
    'src/accounts/queries.ts insertAccount listAccounts findAccount lockAccountsTable',
    'src/catalogue/schedules/editing/step-queries.ts listUnfollowed',
    'src/catalogue/schedules/queries.ts listScheduledProducts',
    'src/inventory/expiry-queries.ts findHoldTotals',
    'src/messaging/webhooks/deliveries/gauge-queries.ts sumWebhooks',
    'src/metering/audit/reject-queries.ts countRejects',
    'src/sales/ledger/refund-list-queries.ts findOldestDue',
    'src/sales/payment/queries.ts listLiveSecrets',
    'src/start/queries.ts findBookableSlot',
  ],
  // Only test accounts.
  testOnly: ['src/accounts/queries.ts findTestLag'],
}

t.test('every statement without an account is listed with a reason', async (t) => {
  const statements = readStatements(['src', 'workers'])
  t.ok(statements.length > 400, `${statements.length} statements`)
  const found = statements
    .filter((statement) => !namesAccount(statement))
    .map(({ at }) => at)
    // The other files of src/platform/postgres/ are about the server, its schema and its settings, and not
    // about rows of accounts.
    .filter((at) => !at.startsWith('src/platform/postgres/') || at.includes('/idempotency.ts'))
  const names = Object.values(listed)
    .flat()
    .flatMap((line) => {
      const [file, ...functions] = line.split(' ')
      return functions.map((name) => `${file} ${name}`)
    })
  t.same([...new Set(found)].sort(), names.sort())
})

t.test(
  'six statements for only live or only test accounts filter by the sign of the account id',
  async (t) => {
    const statements = readStatements(['src', 'workers'])
    const textOf = (at: string) =>
      statements
        .filter((one) => one.at === at)
        .map(({ text }) => text)
        .join()
    for (const at of [
      'src/accounts/audits/queries.ts sumAudits',
      'src/accounts/queries.ts listAccounts',
      'src/catalogue/schedules/queries.ts listScheduledProducts',
      'src/start/queries.ts findBookableSlot',
    ])
      t.match(textOf(at), /account_id > 0/, at)
    for (const at of ['listOld', 'listOnTimeslots'])
      t.match(textOf(`src/test-mode/purge-queries.ts ${at}`), /account_id < 0/, at)
  },
)
