/** What every column that could hold words says of a customer. A new one has to find its place here. */

/** `table.column` of what is of a customer: erased, or with the reason why it stays. */
export const ofCustomers = {
  erased: [
    'bookings.first_name',
    'bookings.last_name',
    'bookings.email',
    'bookings.phone',
    'bookings.answers',
    'bookings.cancel_note',
    'bookings.reduction_reason',
    'promotion_uses.customer_hash',
    'emails.details',
    'emails.reason',
    'idempotency_keys.response',
  ],
  // An objection has to be remembered to be kept; and what was paid is the operator's accounts.
  kept: [
    'email_optouts.address_hash',
    'bookings.reference',
    'bookings.payment_reference',
    'baskets.payment_reference',
    'payment_events.event_id',
    'payment_events.reference',
  ],
} as const

/** The operator's own people, and those who try to be them. */
const ofUsers = [
  'users.email',
  'users.role',
  'users.password_hash',
  'sessions.hash',
  'sign_in_guesses.about',
  'sign_in_origins.about',
  'sign_in_origins.kind',
]

/** Whoever meters puts in it what they like; the operator and the partner agree on that. */
const ofPartners = [
  'meter_entries.meter',
  'meter_entries.extra_info',
  'meter_entries.void_reason',
  'meter_daily.meter',
  'meter_monthly.meter',
  'usage_rejects.entry',
  'usage_rejects.reason',
  'idempotency_keys.key',
  'partners.name',
  'api_keys.hash',
  'api_keys.scopes',
]

/** The operator's catalogue, settings and words for everybody; states and codes; hashes of nobody's words. */
const ofNobody = [
  'accounts.name',
  'accounts.slug',
  'accounts.time_zone',
  'audits.kind',
  'baskets.channel',
  'bookings.units',
  'baskets.payment_method',
  'baskets.refund_reason',
  'baskets.status',
  'bookings.attendance',
  'bookings.cancel_reason',
  'bookings.channel',
  'bookings.currency',
  'bookings.status',
  'emails.kind',
  'emails.status',
  'erasures.cause',
  'events.actor',
  'events.details',
  'events.type',
  'idempotency_keys.body_hash',
  'idempotency_keys.operation',
  'partner_calls.operation',
  'partner_calls.outcome',
  'payment_events.amount',
  'payment_events.basket_status',
  'payment_events.body_hash',
  'payment_events.currency',
  'payment_events.outcome',
  'payment_events.refund_reason',
  'payment_events.type',
  'payment_secrets.sealed',
  'products.currency',
  'products.description',
  'products.name',
  'products.time_zone',
  'promotions.code',
  'promotions.currency',
  'questions.applies_to',
  'questions.label',
  'questions.options',
  'questions.type',
  'schema_migrations.md5',
  'schema_migrations.name',
  'timeslots.status',
  'timeslots.unit_prices',
  'schedules.unit_prices',
  'units.name',
  'units.type',
  'waitlist_entries.status',
  'workflows.body',
  'workflows.name',
  'workflows.subject',
  'workflows.trigger',
]

export const classified: readonly string[] = [
  ...ofCustomers.erased,
  ...ofCustomers.kept,
  ...ofUsers,
  ...ofPartners,
  ...ofNobody,
]
