-- The language and country in which an operator writes to customers: of texts, dates, numbers and money.

-- Null for en-GB.
alter table business_details add column if not exists locale text;
-- Safe: NOT VALID, so that no row is read.
alter table business_details add constraint business_details_locale_check check (locale ~ '^[a-z]{2,3}-[A-Z]{2}$') not valid;
