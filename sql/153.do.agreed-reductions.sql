-- The reduction that was agreed on at the till for a basket that is not paid yet: the fields of the form. Null when it is paid.
alter table baskets add column if not exists agreed_reduction jsonb;
