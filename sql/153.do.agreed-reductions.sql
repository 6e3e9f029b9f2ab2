-- The reduction that was agreed on at the till for an open basket, until it is paid: the fields of the form. It never outlives
-- that, also where a version ends the basket that does not know of it.
alter table baskets add column if not exists agreed_reduction jsonb;
create or replace function forget_agreed_reduction() returns trigger language plpgsql as $$
begin
  new.agreed_reduction := null;
  return new;
end $$;
create or replace trigger baskets_agreed_reduction before update on baskets for each row
  when (new.agreed_reduction is not null and new.status <> 'open') execute function forget_agreed_reduction();
