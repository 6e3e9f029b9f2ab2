-- Refunds that a provider tells of in parts or in one sum with others, and refunds that are set off against what a sale owes.

-- Of an event that a provider paid something back: how much of it no decision accounts for yet. Null of an event that no
-- decision was matched with, and of those before.
alter table payment_events add column unsettled_minor bigint;
-- Of what was paid back online by hand: how much of it events have told of while they have not told of all.
alter table payments add column told_minor bigint;
-- Of what was decided to be paid back: how much was set off against what the sale owed again, and is not part of the amount.
alter table refunds add column set_off_minor bigint;
