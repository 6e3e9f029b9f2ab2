-- Corrects the stored amounts in the currencies whose decimals have changed: docs/operations.md, "Currencies whose decimals
-- changed", says when. Run it once, while no process of the service runs, before the new version starts:
--   psql "$DATABASE_URL" -f ops/currency-decimals.sql
-- It is one transaction. A second run is refused. The currencies are those that Node 20.20, 22.23 and 24.21 give no decimals:
-- correct the list if your version of Node gave some of them decimals.
begin;

do $$ begin
  if col_description('payments'::regclass, 1) = 'currency decimals corrected' then
    raise exception 'the amounts have been corrected before';
  end if;
end $$;
comment on column payments.account_id is 'currency decimals corrected';

-- The factor is 10 for each decimal that was added: two, and three for IQD.
create temporary table changed_currencies on commit drop as
  select unnest('{AFN,ALL,COP,HUF,IDR,IRR,KPW,LAK,LBP,MGA,MMK,PKR,SLL,SOS,SYP,YER}'::text[]) as currency, 100::bigint as factor
  union all select 'IQD', 1000;

-- The catalogue of a test account can be written only with this setting.
set local app.following = 'on';

-- The prices by unit of timeslots, schedules and partners.
create function pg_temp.prices_times(prices jsonb, factor bigint) returns jsonb language sql as $$
  select jsonb_object_agg(key, value::bigint * factor) from jsonb_each_text(prices)
$$;

update products set price_minor = price_minor * factor
  from changed_currencies as changed where changed.currency = products.currency;
update units set price_minor = units.price_minor * factor
  from products join changed_currencies as changed on changed.currency = products.currency
  where products.account_id = units.account_id and products.id = units.product_id and units.price_minor is not null;
update schedules set unit_prices = pg_temp.prices_times(unit_prices, factor)
  from products join changed_currencies as changed on changed.currency = products.currency
  where products.account_id = schedules.account_id and products.id = schedules.product_id and unit_prices <> '{}';
update timeslots set unit_prices = pg_temp.prices_times(unit_prices, factor)
  from products join changed_currencies as changed on changed.currency = products.currency
  where products.account_id = timeslots.account_id and products.id = timeslots.product_id and unit_prices <> '{}';
update partner_terms set net_prices = pg_temp.prices_times(net_prices, factor)
  from products join changed_currencies as changed on changed.currency = products.currency
  where products.account_id = partner_terms.account_id and products.id = partner_terms.product_id and net_prices <> '{}';
update promotions set amount_minor = amount_minor * factor
  from changed_currencies as changed where changed.currency = promotions.currency;

update bookings set unit_price_minor = unit_price_minor * factor, discount_minor = discount_minor * factor,
    reduction_minor = reduction_minor * factor, refund_minor = refund_minor * factor, net_minor = net_minor * factor,
    units = (
      select jsonb_agg(
        unit || jsonb_build_object('priceMinor', (unit ->> 'priceMinor')::bigint * factor)
          || case when unit ->> 'netMinor' is null then '{}'
            else jsonb_build_object('netMinor', (unit ->> 'netMinor')::bigint * factor) end
        order by place
      )
      from jsonb_array_elements(units) with ordinality as sold (unit, place)
    )
  from changed_currencies as changed where changed.currency = bookings.currency;
-- A stored response to a booking contains its price in minor units.
update idempotency_keys
  set response = jsonb_set(response, '{Sold,priceMinor}', to_jsonb((response #>> '{Sold,priceMinor}')::bigint * factor))
  from changed_currencies as changed where changed.currency = response #>> '{Sold,currency}';
update payments set amount_minor = amount_minor * factor, told_minor = told_minor * factor
  from changed_currencies as changed where changed.currency = payments.currency;
-- The amount of an event is the text of the provider, and stays as it is.
update payment_events set unsettled_minor = unsettled_minor * factor, refunded_minor = refunded_minor * factor
  from changed_currencies as changed where changed.currency = payment_events.currency;
update refunds set by_terms_minor = by_terms_minor * factor, amount_minor = amount_minor * factor,
    kept_minor = kept_minor * factor, set_off_minor = set_off_minor * factor
  from changed_currencies as changed where changed.currency = refunds.currency;
update tills set float_minor = float_minor * factor, counted_minor = counted_minor * factor,
    expected_minor = expected_minor * factor
  from changed_currencies as changed where changed.currency = tills.currency;

update sales_totals set sold_minor = sold_minor * factor, cancelled_minor = cancelled_minor * factor,
    owed_minor = owed_minor * factor, under_terms_minor = under_terms_minor * factor
  from changed_currencies as changed where changed.currency = sales_totals.currency;
update sales_unit_totals set sold_minor = sold_minor * factor, cancelled_minor = cancelled_minor * factor
  from changed_currencies as changed where changed.currency = sales_unit_totals.currency;
update sales_refund_totals set decided_minor = decided_minor * factor, paid_back_minor = paid_back_minor * factor,
    kept_minor = kept_minor * factor
  from changed_currencies as changed where changed.currency = sales_refund_totals.currency;
update sales_payment_totals set paid_minor = paid_minor * factor, refunded_minor = refunded_minor * factor
  from changed_currencies as changed where changed.currency = sales_payment_totals.currency;

commit;
