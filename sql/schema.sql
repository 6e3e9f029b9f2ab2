-- The schema that the migrations in this folder make, for reading. It is no migration, and nothing executes it.
-- `npm run --silent cli -- schema` writes it; test/platform/postgres/schema.test.ts compares it with the migrations.

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select now() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '0')::interval
$function$;

CREATE OR REPLACE FUNCTION public.follow_owing_basket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform mark_owing_sale(new.account_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_owing_booking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  values (new.account_id, new.id, new.basket_id, new.created_at)
  on conflict (account_id, booking_id) do update set checked = false;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_owing_sale()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform mark_owing_sale(new.account_id, new.basket_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_agreed_reduction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.agreed_reduction := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.last_closing(day date, hours jsonb, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
AS $function$
  select (day + (hours -> -1 ->> 'closes')::time
    + case when (hours -> -1 ->> 'closes')::time <= (hours -> -1 ->> 'opens')::time then interval '1 day' else '0' end
  ) at time zone zone
$function$;

CREATE OR REPLACE FUNCTION public.limit_people_absent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.people_absent := case when new.attendance = 'checked-in' then least(
    new.people_absent,
    coalesce(new.people, new.participants) - least(new.people_here, coalesce(new.people, new.participants))
  ) else 0 end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.local_instant(wall timestamp without time zone, zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
AS $function$
  select min(candidate)
  from (
    select wall at time zone zone as candidate
    union all
    -- the same wall time under the UTC offset that was in force a day before it
    select (wall - ((eve at time zone zone) - (eve at time zone 'UTC'))) at time zone 'UTC'
    from (select (wall at time zone zone) - interval '1 day' as eve) as before_change
  ) as candidates
  where candidate at time zone zone = wall
$function$;

CREATE OR REPLACE FUNCTION public.make_meter_partition(month date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  name text := to_char(month, '"meter_entries_"YYYY"_"MM');
begin
  perform pg_advisory_xact_lock(7241106);
  if exists (select from meter_prunings where meter_prunings.month >= make_meter_partition.month) then
    return false;
  end if;
  if to_regclass(format('%I', name)) is null then
    execute format('create table %I (like meter_entries including defaults including constraints)', name);
    execute format('alter table meter_entries attach partition %I for values from (%L) to (%L)',
      name, month::text || ' 00:00+00', (month + interval '1 month')::date::text || ' 00:00+00');
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION public.mark_owing_sale(account bigint, basket bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  update owing_bookings set checked = false
  where account_id = account and basket_id = basket and (checked or xmin <> pg_current_xact_id()::xid);
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  select account_id, id, basket_id, created_at from bookings
  where account_id = account and basket_id = basket and status = 'confirmed'
  order by id
  on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION public.redeemed_people(account bigint, booking bigint, sold jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return (
    select sum(coalesce((
      select (unit ->> 'people')::integer from jsonb_array_elements(sold) as unit
      where (unit ->> 'id')::bigint = tickets.unit_id limit 1
    ), 1))
    from tickets
    where tickets.account_id = account and tickets.booking_id = booking and redeemed_at is not null and voided_at is null
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_unless_following()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('app.following', true) is distinct from 'on' then
    raise exception 'the catalogue of a test account is that of its live account' using errcode = 'ABT01';
  end if;
  return coalesce(new, old);
end
$function$;

CREATE SEQUENCE basket_ids INCREMENT BY 1000;

CREATE SEQUENCE booking_ids INCREMENT BY 1000;

CREATE SEQUENCE meter_entry_ids INCREMENT BY 100000;

CREATE TABLE accounts (
  account_id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  slug text NOT NULL,
  name text NOT NULL,
  time_zone text NOT NULL,
  hold_minutes integer NOT NULL DEFAULT 15,
  hold_limit_minutes integer NOT NULL DEFAULT 60,
  offer_minutes integer NOT NULL DEFAULT 120,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  country text,
  product_language text,
  CONSTRAINT accounts_pkey PRIMARY KEY (account_id),
  CONSTRAINT accounts_slug_key UNIQUE (slug),
  CONSTRAINT accounts_country_check CHECK (country ~ '^[A-Z]{2}$'::text) NOT VALID,
  CONSTRAINT accounts_hold_limit_minutes_check CHECK (hold_limit_minutes >= 1 AND hold_limit_minutes <= 10080),
  CONSTRAINT accounts_hold_minutes_check CHECK (hold_minutes >= 1 AND hold_minutes <= 1440),
  CONSTRAINT accounts_name_check CHECK (name <> ''::text),
  CONSTRAINT accounts_offer_minutes_check CHECK (offer_minutes >= 1 AND offer_minutes <= 10080),
  CONSTRAINT accounts_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*(\.test)?$'::text AND length(slug) <= 68 AND (account_id < 0) = (slug ~~ '%.test'::text) AND (length(slug) - 5 * (account_id < 0)::integer) <= 63)
);
CREATE TRIGGER accounts_follow_delete BEFORE DELETE ON accounts FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER accounts_follow_insert BEFORE INSERT ON accounts FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER accounts_follow_update BEFORE UPDATE ON accounts FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE api_keys (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  partner_id bigint,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  successor_id bigint,
  CONSTRAINT api_keys_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT api_keys_account_id_hash_key UNIQUE (account_id, hash),
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT api_keys_account_id_partner_id_fkey FOREIGN KEY (account_id, partner_id) REFERENCES partners(account_id, id),
  CONSTRAINT api_keys_hash_check CHECK (length(hash) = 32),
  CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['ota'::text, 'usage:read'::text, 'usage:write'::text, 'operator'::text])
);
CREATE INDEX api_keys_by_id ON api_keys USING btree (id);

CREATE TABLE audits (
  account_id bigint NOT NULL,
  kind text NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  differences bigint NOT NULL,
  CONSTRAINT audits_pkey PRIMARY KEY (account_id, kind),
  CONSTRAINT audits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT audits_differences_check CHECK (differences >= 0),
  CONSTRAINT audits_kind_check CHECK (kind = ANY (ARRAY['usage-totals'::text, 'booked-places'::text, 'sales-totals'::text])) NOT VALID,
  CONSTRAINT audits_live CHECK (account_id > 0) NOT VALID
);

CREATE TABLE baskets (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  status text NOT NULL,
  channel text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  hold_limit_at timestamp with time zone,
  completed_at timestamp with time zone,
  payment_method text,
  payment_reference text,
  refund_reason text,
  promotion_id bigint,
  agreed_reduction jsonb,
  CONSTRAINT baskets_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT baskets_channel_check CHECK (channel = ANY (ARRAY['partner'::text, 'online'::text, 'pos'::text])) NOT VALID,
  CONSTRAINT baskets_check CHECK ((status = 'completed'::text) = (completed_at IS NOT NULL)),
  CONSTRAINT baskets_open_expire CHECK (status <> 'open'::text OR expires_at IS NOT NULL),
  CONSTRAINT baskets_payment_method_check CHECK (payment_method = ANY (ARRAY['online'::text, 'cash'::text, 'card'::text])),
  CONSTRAINT baskets_refunds_have_reasons CHECK ((status = ANY (ARRAY['refund-due'::text, 'refunded'::text])) = (refund_reason IS NOT NULL)),
  CONSTRAINT baskets_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'open'::text, 'completed'::text, 'cancelled'::text, 'expired'::text, 'refund-due'::text, 'refunded'::text]))
);
CREATE INDEX baskets_by_expiry ON baskets USING btree (expires_at) WHERE status = 'open'::text;
CREATE INDEX baskets_by_payment_reference ON baskets USING btree (account_id, lower(payment_reference)) WHERE payment_reference IS NOT NULL;
CREATE INDEX baskets_by_status ON baskets USING btree (account_id, status, id);
CREATE TRIGGER baskets_agreed_reduction BEFORE UPDATE ON baskets FOR EACH ROW WHEN (new.agreed_reduction IS NOT NULL AND new.status <> 'open'::text) EXECUTE FUNCTION forget_agreed_reduction();
CREATE TRIGGER baskets_owing_change AFTER UPDATE ON baskets FOR EACH ROW WHEN (new.channel <> 'partner'::text AND old.status = 'completed'::text AND (old.status IS DISTINCT FROM new.status OR old.payment_method IS DISTINCT FROM new.payment_method)) EXECUTE FUNCTION follow_owing_basket();

CREATE TABLE booking_notes (
  account_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  note text NOT NULL,
  actor text NOT NULL,
  actor_id bigint,
  written_at timestamp with time zone NOT NULL DEFAULT app_now(),
  CONSTRAINT booking_notes_pkey PRIMARY KEY (account_id, booking_id),
  CONSTRAINT booking_notes_account_id_booking_id_fkey FOREIGN KEY (account_id, booking_id) REFERENCES bookings(account_id, id) ON DELETE CASCADE,
  CONSTRAINT booking_notes_note_check CHECK (note <> ''::text)
);

CREATE TABLE booking_words (
  account_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  words tsvector NOT NULL,
  CONSTRAINT booking_words_pkey PRIMARY KEY (account_id, booking_id)
);
CREATE INDEX booking_words_by_word ON booking_words USING gin (words);
CREATE INDEX booking_words_unfolded ON booking_words USING btree (account_id, booking_id) WHERE octet_length(words::text) <> length(words::text) AND words::text ~ '[øæœßłđðþı]'::text;

CREATE TABLE bookings (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  basket_id bigint NOT NULL,
  timeslot_id bigint NOT NULL,
  partner_id bigint,
  reference text NOT NULL,
  channel text NOT NULL,
  status text NOT NULL,
  participants integer NOT NULL,
  unit_price_minor bigint NOT NULL,
  currency text NOT NULL,
  payment_reference text,
  first_name text,
  last_name text,
  email text,
  phone text,
  answers jsonb NOT NULL,
  attendance text,
  created_at timestamp with time zone NOT NULL DEFAULT app_now(),
  confirmed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  cancel_note text,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  erasure_id bigint,
  takes_timeslot boolean NOT NULL DEFAULT false,
  people integer,
  units jsonb,
  priced_per_booking boolean NOT NULL DEFAULT false,
  discount_minor bigint,
  reduction_minor bigint,
  reduction_reason text,
  refund_minor bigint,
  commission_bp integer,
  net_minor bigint,
  has_tickets boolean NOT NULL DEFAULT false,
  people_here integer,
  people_absent integer NOT NULL DEFAULT 0,
  CONSTRAINT bookings_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT bookings_account_id_reference_key UNIQUE (account_id, reference),
  CONSTRAINT bookings_account_id_timeslot_id_fkey FOREIGN KEY (account_id, timeslot_id) REFERENCES timeslots(account_id, id),
  CONSTRAINT bookings_attendance_check CHECK (attendance = ANY (ARRAY['checked-in'::text, 'no-show'::text])),
  CONSTRAINT bookings_cancel_reason_check CHECK (cancel_reason = ANY (ARRAY['operator'::text, 'partner'::text, 'customer'::text, 'closure'::text])),
  CONSTRAINT bookings_cancelled_with_reason CHECK ((status = 'cancelled'::text) = (cancelled_at IS NOT NULL) AND (cancelled_at IS NULL) = (cancel_reason IS NULL)),
  CONSTRAINT bookings_channel_check CHECK (channel = ANY (ARRAY['partner'::text, 'online'::text, 'pos'::text])),
  CONSTRAINT bookings_commission CHECK (commission_bp >= 0 AND commission_bp <= 10000) NOT VALID,
  CONSTRAINT bookings_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT bookings_discount CHECK (discount_minor > 0) NOT VALID,
  CONSTRAINT bookings_net CHECK (net_minor >= 0) NOT VALID,
  CONSTRAINT bookings_participants_check CHECK (participants >= 1 AND participants <= 1000000) NOT VALID,
  CONSTRAINT bookings_people CHECK (people >= 1 AND people <= 98901) NOT VALID,
  CONSTRAINT bookings_people_here CHECK (people_here >= 1) NOT VALID,
  CONSTRAINT bookings_reduction CHECK (reduction_minor > 0) NOT VALID,
  CONSTRAINT bookings_refund CHECK (refund_minor >= 0) NOT VALID,
  CONSTRAINT bookings_status_check CHECK (status = ANY (ARRAY['held'::text, 'waitlisted'::text, 'confirmed'::text, 'cancelled'::text, 'expired'::text])),
  CONSTRAINT bookings_unit_price_minor_check CHECK (unit_price_minor >= 0)
);
CREATE INDEX bookings_by_basket ON bookings USING btree (account_id, basket_id);
CREATE INDEX bookings_by_cancellation ON bookings USING btree (account_id, cancelled_at) WHERE cancelled_at IS NOT NULL;
CREATE INDEX bookings_by_channel ON bookings USING btree (account_id, channel, created_at, id) WHERE channel <> 'partner'::text;
CREATE INDEX bookings_by_confirmation ON bookings USING btree (account_id, confirmed_at) WHERE confirmed_at IS NOT NULL;
CREATE INDEX bookings_by_creation ON bookings USING btree (account_id, created_at, id);
CREATE INDEX bookings_by_email ON bookings USING btree (account_id, lower(email)) WHERE email IS NOT NULL;
CREATE INDEX bookings_by_erasure ON bookings USING btree (account_id, erasure_id, id) WHERE erasure_id IS NOT NULL;
CREATE INDEX bookings_by_partner ON bookings USING btree (account_id, partner_id, created_at, id) WHERE partner_id IS NOT NULL;
CREATE INDEX bookings_by_payment_reference ON bookings USING btree (account_id, payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX bookings_by_status ON bookings USING btree (account_id, status, created_at, id) WHERE status <> 'confirmed'::text;
CREATE INDEX bookings_by_timeslot ON bookings USING btree (account_id, timeslot_id);
CREATE INDEX bookings_held ON bookings USING btree (account_id, timeslot_id, id) WHERE status = 'held'::text;
CREATE INDEX bookings_of_whole_timeslots ON bookings USING btree (account_id, timeslot_id) WHERE takes_timeslot;
CREATE TRIGGER bookings_owing_change AFTER UPDATE ON bookings FOR EACH ROW WHEN (new.channel <> 'partner'::text AND old.status = 'confirmed'::text AND (old.status IS DISTINCT FROM new.status OR old.participants IS DISTINCT FROM new.participants OR old.people IS DISTINCT FROM new.people OR old.units IS DISTINCT FROM new.units OR old.unit_price_minor IS DISTINCT FROM new.unit_price_minor OR old.priced_per_booking IS DISTINCT FROM new.priced_per_booking OR old.discount_minor IS DISTINCT FROM new.discount_minor OR old.currency IS DISTINCT FROM new.currency)) EXECUTE FUNCTION follow_owing_sale();
CREATE TRIGGER bookings_owing_confirm AFTER UPDATE ON bookings FOR EACH ROW WHEN (new.channel <> 'partner'::text AND new.status = 'confirmed'::text AND old.status <> 'confirmed'::text) EXECUTE FUNCTION follow_owing_booking();
CREATE TRIGGER bookings_owing_insert AFTER INSERT ON bookings FOR EACH ROW WHEN (new.channel <> 'partner'::text AND new.status = 'confirmed'::text) EXECUTE FUNCTION follow_owing_booking();
CREATE TRIGGER bookings_people_absent BEFORE UPDATE ON bookings FOR EACH ROW WHEN (new.people_absent > 0) EXECUTE FUNCTION limit_people_absent();

CREATE TABLE business_details (
  account_id bigint NOT NULL,
  legal_name text,
  address_lines text[] NOT NULL DEFAULT '{}'::text[],
  tax_number text,
  phone text,
  email text,
  changed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  locale text,
  colour text,
  CONSTRAINT business_details_pkey PRIMARY KEY (account_id),
  CONSTRAINT business_details_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT business_details_address_lines_check CHECK (cardinality(address_lines) <= 6),
  CONSTRAINT business_details_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$'::text) NOT VALID,
  CONSTRAINT business_details_email_check CHECK (length(email) >= 1 AND length(email) <= 254),
  CONSTRAINT business_details_legal_name_check CHECK (length(legal_name) >= 1 AND length(legal_name) <= 200),
  CONSTRAINT business_details_locale_check CHECK (locale ~ '^[a-z]{2,3}-[A-Z]{2}$'::text) NOT VALID,
  CONSTRAINT business_details_phone_check CHECK (length(phone) >= 1 AND length(phone) <= 50),
  CONSTRAINT business_details_tax_number_check CHECK (length(tax_number) >= 1 AND length(tax_number) <= 50)
);

CREATE TABLE calendar_feeds (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  user_id bigint NOT NULL,
  product_id bigint,
  shows_names boolean NOT NULL DEFAULT false,
  hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT app_now(),
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT calendar_feeds_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT calendar_feeds_account_id_hash_key UNIQUE (account_id, hash),
  CONSTRAINT calendar_feeds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT calendar_feeds_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id) ON DELETE CASCADE,
  CONSTRAINT calendar_feeds_hash_check CHECK (length(hash) = 32)
);
CREATE INDEX calendar_feeds_by_product ON calendar_feeds USING btree (account_id, product_id) WHERE product_id IS NOT NULL;
CREATE INDEX calendar_feeds_by_user ON calendar_feeds USING btree (account_id, user_id, id);

CREATE TABLE closure_calls (
  account_id bigint NOT NULL,
  timeslot_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  became text NOT NULL,
  closed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  done_at timestamp with time zone,
  done_by bigint,
  CONSTRAINT closure_calls_pkey PRIMARY KEY (account_id, timeslot_id, booking_id),
  CONSTRAINT closure_calls_account_id_booking_id_fkey FOREIGN KEY (account_id, booking_id) REFERENCES bookings(account_id, id) ON DELETE CASCADE,
  CONSTRAINT closure_calls_became CHECK (became = ANY (ARRAY['cancelled'::text, 'moved'::text, 'released'::text])),
  CONSTRAINT closure_calls_done CHECK (done_at IS NOT NULL OR done_by IS NULL)
);
CREATE INDEX closure_calls_by_booking ON closure_calls USING btree (account_id, booking_id);
CREATE INDEX closure_calls_by_time ON closure_calls USING btree (account_id, closed_at);

CREATE TABLE email_optouts (
  account_id bigint NOT NULL,
  address_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT email_optouts_pkey PRIMARY KEY (account_id, address_hash),
  CONSTRAINT email_optouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

CREATE TABLE emails (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  kind text NOT NULL,
  workflow_id bigint,
  booking_id bigint,
  waitlist_entry_id bigint,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  message_id uuid NOT NULL DEFAULT gen_random_uuid(),
  status text NOT NULL DEFAULT 'queued'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamp with time zone NOT NULL DEFAULT app_now(),
  lease uuid,
  leased_until timestamp with time zone,
  reason text,
  created_at timestamp with time zone NOT NULL DEFAULT app_now(),
  sent_at timestamp with time zone,
  test_message jsonb,
  trace_context text,
  CONSTRAINT emails_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT emails_check CHECK ((status = 'sent'::text) = (sent_at IS NOT NULL)),
  CONSTRAINT emails_kind_check CHECK (kind = ANY (ARRAY['workflow'::text, 'waitlist-offer'::text, 'closure'::text, 'confirmation'::text, 'test'::text, 'webhook-paused'::text, 'receipt'::text, 'message'::text, 'offer-unpaid'::text])) NOT VALID,
  CONSTRAINT emails_status_check CHECK (status = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])),
  CONSTRAINT emails_test_message CHECK (test_message IS NULL OR account_id < 0) NOT VALID
);
CREATE INDEX emails_by_booking ON emails USING btree (account_id, booking_id);
CREATE INDEX emails_by_kind ON emails USING btree (account_id, kind, id);
CREATE INDEX emails_by_lease ON emails USING btree (account_id, leased_until) WHERE lease IS NOT NULL;
CREATE INDEX emails_by_status ON emails USING btree (account_id, status, id);
CREATE INDEX emails_by_turn ON emails USING btree (account_id, next_try_at) WHERE status = 'queued'::text;
CREATE INDEX emails_due ON emails USING btree (next_try_at) WHERE status = 'queued'::text;
CREATE INDEX emails_ended ON emails USING btree (created_at) WHERE status <> 'queued'::text;

CREATE TABLE erasures (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  cause text NOT NULL,
  user_id bigint,
  begun_at timestamp with time zone NOT NULL DEFAULT app_now(),
  finished_at timestamp with time zone,
  bookings integer NOT NULL DEFAULT 0,
  emails integer NOT NULL DEFAULT 0,
  answers integer NOT NULL DEFAULT 0,
  tickets integer NOT NULL DEFAULT 0,
  CONSTRAINT erasures_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT erasures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT erasures_cause_check CHECK (cause = ANY (ARRAY['command'::text, 'dashboard'::text, 'retention'::text]))
);
CREATE INDEX erasures_unfinished ON erasures USING btree (account_id, id) WHERE finished_at IS NULL;

CREATE TABLE event_counters (
  account_id bigint NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,
  lowest_id bigint NOT NULL DEFAULT 0,
  epoch bigint,
  CONSTRAINT event_counters_pkey PRIMARY KEY (account_id)
) WITH (fillfactor=50);

CREATE TABLE event_epoch_starts (
  account_id bigint NOT NULL,
  epoch bigint NOT NULL,
  first_number bigint NOT NULL,
  CONSTRAINT event_epoch_starts_pkey PRIMARY KEY (account_id, epoch)
);

CREATE TABLE event_epochs (
  id bigint NOT NULL,
  place bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  system_identifier bigint NOT NULL,
  timeline bigint NOT NULL,
  began_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT event_epochs_pkey PRIMARY KEY (id),
  CONSTRAINT event_epochs_place_key UNIQUE (place)
);

CREATE TABLE events (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  number bigint,
  occurred_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  type text NOT NULL,
  product_id bigint,
  timeslot_id bigint,
  basket_id bigint,
  booking_id bigint,
  waitlist_entry_id bigint,
  email_id bigint,
  partner_id bigint,
  actor text NOT NULL,
  actor_id bigint,
  details jsonb NOT NULL,
  trace_context text,
  CONSTRAINT events_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT events_actor_check CHECK (actor = ANY (ARRAY['partner'::text, 'key'::text, 'user'::text, 'customer'::text, 'payment'::text, 'service'::text])),
  CONSTRAINT events_number_check CHECK (number > 0)
);
CREATE INDEX events_by_age ON events USING btree (occurred_at) WHERE booking_id IS NULL AND number IS NOT NULL;
CREATE INDEX events_by_booking ON events USING btree (account_id, booking_id, id) WHERE booking_id IS NOT NULL;
CREATE UNIQUE INDEX events_by_number ON events USING btree (account_id, number) WHERE number IS NOT NULL;
CREATE INDEX events_by_partner ON events USING btree (account_id, partner_id, number) INCLUDE (occurred_at) WHERE partner_id IS NOT NULL AND number IS NOT NULL AND type <> 'booking.customer-erased'::text;
CREATE INDEX events_by_product ON events USING btree (account_id, product_id, number) WHERE number IS NOT NULL AND (type = ANY (ARRAY['product.made'::text, 'product.changed'::text]));
CREATE INDEX events_of_products ON events USING btree (account_id, number) INCLUDE (occurred_at) WHERE number IS NOT NULL AND (type = ANY (ARRAY['product.made'::text, 'product.changed'::text]));

CREATE TABLE idempotency_keys (
  account_id bigint NOT NULL,
  api_key_id bigint NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  response jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, api_key_id, operation, key),
  CONSTRAINT idempotency_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 255)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE TABLE logos (
  account_id bigint NOT NULL,
  hash text NOT NULL,
  type text NOT NULL,
  image bytea NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  CONSTRAINT logos_pkey PRIMARY KEY (account_id),
  CONSTRAINT logos_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT logos_hash_check CHECK (hash ~ '^[0-9a-f]{32}$'::text),
  CONSTRAINT logos_image_check CHECK (length(image) >= 1 AND length(image) <= 262144),
  CONSTRAINT logos_type_check CHECK (type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))
);

CREATE TABLE meter_daily (
  account_id bigint NOT NULL,
  meter text NOT NULL,
  day date NOT NULL,
  total numeric NOT NULL,
  events bigint NOT NULL,
  pruned_total numeric NOT NULL DEFAULT 0,
  pruned_events bigint NOT NULL DEFAULT 0,
  CONSTRAINT meter_daily_pkey PRIMARY KEY (account_id, meter, day),
  CONSTRAINT meter_daily_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT meter_daily_events_check CHECK (events >= 0),
  CONSTRAINT meter_daily_pruned_events_check CHECK (pruned_events >= 0),
  CONSTRAINT meter_daily_pruned_total_check CHECK (pruned_total >= 0::numeric),
  CONSTRAINT meter_daily_total_check CHECK (total >= 0::numeric)
) WITH (fillfactor=70);
CREATE INDEX meter_daily_by_day ON meter_daily USING btree (account_id, day);

CREATE TABLE meter_entries (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  accepted_at timestamp with time zone NOT NULL,
  meter text NOT NULL,
  usage numeric NOT NULL,
  extra_info text,
  occurred_at timestamp with time zone NOT NULL,
  day date NOT NULL,
  voided_at timestamp with time zone,
  void_reason text,
  CONSTRAINT meter_entries_pkey PRIMARY KEY (account_id, id, accepted_at),
  CONSTRAINT meter_entries_extra_info_check CHECK (octet_length(extra_info) <= 8192),
  CONSTRAINT meter_entries_meter_check CHECK (length(meter) >= 1 AND length(meter) <= 255),
  CONSTRAINT meter_entries_usage_check CHECK (usage > 0::numeric AND usage < '1000000000000000'::numeric AND scale(usage) <= 20),
  CONSTRAINT meter_entries_voided_with_reason CHECK ((voided_at IS NULL) = (void_reason IS NULL))
) PARTITION BY RANGE (accepted_at);
CREATE INDEX meter_entries_by_day ON ONLY meter_entries USING btree (account_id, day, meter, id);

CREATE TABLE meter_monthly (
  account_id bigint NOT NULL,
  meter text NOT NULL,
  month date NOT NULL,
  total numeric NOT NULL,
  events bigint NOT NULL,
  CONSTRAINT meter_monthly_pkey PRIMARY KEY (account_id, meter, month),
  CONSTRAINT meter_monthly_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT meter_monthly_events_check CHECK (events >= 0),
  CONSTRAINT meter_monthly_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  CONSTRAINT meter_monthly_total_check CHECK (total >= 0::numeric)
) WITH (fillfactor=70);

CREATE TABLE meter_prunings (
  month date NOT NULL,
  entries bigint NOT NULL,
  pruned_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT meter_prunings_pkey PRIMARY KEY (month)
);

CREATE TABLE owing_bookings (
  account_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  basket_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  checked boolean NOT NULL DEFAULT false,
  CONSTRAINT owing_bookings_pkey PRIMARY KEY (account_id, booking_id)
);
CREATE INDEX owing_bookings_by_basket ON owing_bookings USING btree (account_id, basket_id);
CREATE INDEX owing_bookings_by_creation ON owing_bookings USING btree (account_id, created_at, booking_id);
CREATE INDEX owing_bookings_unchecked ON owing_bookings USING btree (account_id, booking_id) WHERE NOT checked;

CREATE TABLE owing_states (
  account_id bigint NOT NULL,
  filled_to bigint NOT NULL DEFAULT 0,
  filled_at timestamp with time zone,
  CONSTRAINT owing_states_pkey PRIMARY KEY (account_id),
  CONSTRAINT owing_states_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

CREATE TABLE partner_calls (
  account_id bigint NOT NULL,
  partner_id bigint NOT NULL,
  day date NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL,
  within_ms integer NOT NULL,
  calls bigint NOT NULL,
  CONSTRAINT partner_calls_pkey PRIMARY KEY (account_id, day, partner_id, operation, outcome, within_ms),
  CONSTRAINT partner_calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT partner_calls_calls_check CHECK (calls > 0)
);
CREATE INDEX partner_calls_by_day ON partner_calls USING btree (day);

CREATE TABLE partner_terms (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  partner_id bigint NOT NULL,
  product_id bigint,
  commission_bp integer,
  net_prices jsonb,
  CONSTRAINT partner_terms_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT partner_terms_account_id_partner_id_fkey FOREIGN KEY (account_id, partner_id) REFERENCES partners(account_id, id),
  CONSTRAINT partner_terms_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT partner_terms_commission_bp_check CHECK (commission_bp >= 0 AND commission_bp <= 10000),
  CONSTRAINT partner_terms_net_of_product CHECK (net_prices IS NULL OR product_id IS NOT NULL),
  CONSTRAINT partner_terms_one_kind CHECK ((commission_bp IS NULL) <> (net_prices IS NULL))
);
CREATE UNIQUE INDEX partner_terms_by_partner ON partner_terms USING btree (account_id, partner_id, COALESCE(product_id, 0::bigint));
CREATE TRIGGER partner_terms_follow_delete BEFORE DELETE ON partner_terms FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER partner_terms_follow_insert BEFORE INSERT ON partner_terms FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER partner_terms_follow_update BEFORE UPDATE ON partner_terms FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE partners (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT partners_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT partners_account_id_name_key UNIQUE (account_id, name),
  CONSTRAINT partners_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT partners_name_check CHECK (name <> ''::text)
);
CREATE TRIGGER partners_follow_delete BEFORE DELETE ON partners FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER partners_follow_insert BEFORE INSERT ON partners FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER partners_follow_update BEFORE UPDATE ON partners FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE payment_events (
  account_id bigint NOT NULL,
  event_id text NOT NULL,
  body_hash bytea NOT NULL,
  basket_id bigint NOT NULL,
  type text NOT NULL,
  amount text NOT NULL,
  currency text NOT NULL,
  reference text,
  outcome text NOT NULL,
  basket_status text NOT NULL,
  refund_reason text,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  refunded_at timestamp with time zone,
  unsettled_minor bigint,
  refunded_minor bigint,
  refund_method text,
  refund_reference text,
  refund_actor text,
  refund_actor_id bigint,
  CONSTRAINT payment_events_pkey PRIMARY KEY (account_id, event_id),
  CONSTRAINT payment_events_check CHECK ((outcome = 'refund-due'::text) = (refund_reason IS NOT NULL)),
  CONSTRAINT payment_events_check1 CHECK (refunded_at IS NULL OR outcome = 'refund-due'::text),
  CONSTRAINT payment_events_event_id_check CHECK (length(event_id) >= 1 AND length(event_id) <= 255),
  CONSTRAINT payment_events_outcome_check CHECK (outcome = ANY (ARRAY['completed'::text, 'refund-due'::text, 'released'::text, 'refunded'::text, 'ignored'::text])) NOT VALID,
  CONSTRAINT payment_events_type_check CHECK (type = ANY (ARRAY['succeeded'::text, 'failed'::text, 'refunded'::text])) NOT VALID
);
CREATE INDEX payment_events_by_basket ON payment_events USING btree (account_id, basket_id);
CREATE INDEX payment_events_by_reference ON payment_events USING btree (account_id, lower(reference) COLLATE "C") WHERE reference IS NOT NULL;
CREATE INDEX payment_events_by_refund_reference ON payment_events USING btree (account_id, lower(refund_reference) COLLATE "C") WHERE refund_reference IS NOT NULL;
CREATE INDEX payment_events_due ON payment_events USING btree (account_id, received_at, event_id) WHERE outcome = 'refund-due'::text AND refunded_at IS NULL;
CREATE INDEX payment_events_paid_back ON payment_events USING btree (account_id, refunded_at) WHERE refunded_at IS NOT NULL;
CREATE INDEX payment_events_refund_due ON payment_events USING btree (account_id, basket_id) WHERE outcome = 'refund-due'::text AND refunded_at IS NULL;
CREATE INDEX payment_events_unsettled ON payment_events USING btree (account_id, basket_id) WHERE type = 'refunded'::text AND (outcome = 'ignored'::text OR unsettled_minor > 0);

CREATE TABLE payment_secrets (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  CONSTRAINT payment_secrets_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT payment_secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

CREATE TABLE payment_settings (
  account_id bigint NOT NULL,
  payment_page text,
  contact text,
  changed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  CONSTRAINT payment_settings_pkey PRIMARY KEY (account_id),
  CONSTRAINT payment_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT payment_settings_contact_check CHECK (length(contact) >= 1 AND length(contact) <= 200),
  CONSTRAINT payment_settings_payment_page_check CHECK (payment_page ~~ 'https://%'::text AND length(payment_page) <= 2000)
);

CREATE TABLE payments (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  basket_id bigint NOT NULL,
  kind text NOT NULL,
  method text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  reference text,
  made_at timestamp with time zone NOT NULL DEFAULT app_now(),
  actor text NOT NULL,
  actor_id bigint,
  till_id bigint,
  event_id text,
  refund_id bigint,
  told_minor bigint,
  undoes_id bigint,
  CONSTRAINT payments_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT payments_account_id_refund_id_fkey FOREIGN KEY (account_id, refund_id) REFERENCES refunds(account_id, id),
  CONSTRAINT payments_account_id_till_id_fkey FOREIGN KEY (account_id, till_id) REFERENCES tills(account_id, id),
  CONSTRAINT payments_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payments_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT payments_kind CHECK (kind = ANY (ARRAY['payment'::text, 'refund'::text])),
  CONSTRAINT payments_method CHECK (method = ANY (ARRAY['online'::text, 'cash'::text, 'card'::text, 'transfer'::text])),
  CONSTRAINT payments_refund CHECK ((kind = 'refund'::text) = (refund_id IS NOT NULL))
);
CREATE INDEX payments_by_basket ON payments USING btree (account_id, basket_id, id);
CREATE UNIQUE INDEX payments_by_event ON payments USING btree (account_id, event_id) WHERE event_id IS NOT NULL AND kind = 'payment'::text;
CREATE INDEX payments_by_reference ON payments USING btree (account_id, lower(reference) COLLATE "C") WHERE reference IS NOT NULL;
CREATE INDEX payments_by_refund ON payments USING btree (account_id, refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX payments_by_till ON payments USING btree (account_id, till_id) WHERE till_id IS NOT NULL;
CREATE INDEX payments_by_time ON payments USING btree (account_id, made_at, id);
CREATE INDEX payments_outside_tills ON payments USING btree (account_id, made_at, id) WHERE method = 'cash'::text AND till_id IS NULL;
CREATE UNIQUE INDEX payments_undoing ON payments USING btree (account_id, undoes_id) WHERE undoes_id IS NOT NULL;
CREATE TRIGGER payments_owing AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION follow_owing_sale();

CREATE TABLE product_translations (
  account_id bigint NOT NULL,
  product_id bigint NOT NULL,
  language text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  words jsonb NOT NULL,
  CONSTRAINT product_translations_pkey PRIMARY KEY (account_id, product_id, language),
  CONSTRAINT product_translations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT product_translations_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id) ON DELETE CASCADE,
  CONSTRAINT product_translations_description_check CHECK (length(description) <= 10000),
  CONSTRAINT product_translations_language_check CHECK (language ~ '^[a-z]{2}$'::text),
  CONSTRAINT product_translations_name_check CHECK (length(name) <= 255),
  CONSTRAINT product_translations_words_check CHECK (jsonb_typeof(words) = 'object'::text)
);
CREATE INDEX product_translations_name ON product_translations USING btree (account_id, lower(name));
CREATE TRIGGER product_translations_follow_delete BEFORE DELETE ON product_translations FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER product_translations_follow_insert BEFORE INSERT ON product_translations FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER product_translations_follow_update BEFORE UPDATE ON product_translations FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE products (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  activity_id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  description text NOT NULL,
  duration_minutes integer NOT NULL,
  price_minor bigint NOT NULL,
  currency text NOT NULL,
  time_zone text NOT NULL,
  in_shopfront boolean NOT NULL,
  cancel_cutoff_minutes integer NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  default_unit_id bigint,
  min_places integer NOT NULL DEFAULT 1,
  max_places integer NOT NULL DEFAULT 999,
  priced_per_booking boolean NOT NULL DEFAULT false,
  takes_timeslot boolean NOT NULL DEFAULT false,
  has_own_prices boolean NOT NULL DEFAULT false,
  sells_plainly boolean NOT NULL DEFAULT true,
  has_partner_terms boolean NOT NULL DEFAULT false,
  booking_cutoff_minutes integer NOT NULL DEFAULT 0,
  CONSTRAINT products_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT products_account_id_activity_id_key UNIQUE (account_id, activity_id),
  CONSTRAINT products_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT products_booking_cutoff_minutes_check CHECK (booking_cutoff_minutes >= 0 AND booking_cutoff_minutes <= 525600),
  CONSTRAINT products_cancel_cutoff_minutes_check CHECK (cancel_cutoff_minutes >= 0 AND cancel_cutoff_minutes <= 525600),
  CONSTRAINT products_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT products_duration_minutes_check CHECK (duration_minutes > 0),
  CONSTRAINT products_name_check CHECK (name <> ''::text),
  CONSTRAINT products_places CHECK (min_places >= 1 AND min_places <= max_places AND max_places <= 999),
  CONSTRAINT products_price_minor_check CHECK (price_minor >= 0),
  CONSTRAINT products_whole_timeslot CHECK (priced_per_booking OR NOT takes_timeslot)
);
CREATE UNIQUE INDEX products_by_name ON products USING btree (account_id, lower(name));
CREATE INDEX products_in_shopfront ON products USING btree (account_id, id) WHERE in_shopfront;
CREATE TRIGGER products_follow_delete BEFORE DELETE ON products FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER products_follow_insert BEFORE INSERT ON products FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER products_follow_update BEFORE UPDATE ON products FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE promotion_uses (
  account_id bigint NOT NULL,
  basket_id bigint NOT NULL,
  promotion_id bigint NOT NULL,
  customer_hash bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT promotion_uses_pkey PRIMARY KEY (account_id, basket_id),
  CONSTRAINT promotion_uses_account_id_promotion_id_fkey FOREIGN KEY (account_id, promotion_id) REFERENCES promotions(account_id, id)
);
CREATE INDEX promotion_uses_by_customer ON promotion_uses USING btree (account_id, customer_hash) WHERE customer_hash IS NOT NULL;
CREATE INDEX promotion_uses_by_promotion ON promotion_uses USING btree (account_id, promotion_id, customer_hash);

CREATE TABLE promotions (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  code text NOT NULL,
  basis_points integer,
  amount_minor bigint,
  currency text,
  product_ids bigint[],
  sale_from date,
  sale_to date,
  travel_from date,
  travel_to date,
  max_uses integer,
  max_uses_per_customer integer,
  active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT promotions_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT promotions_code UNIQUE (account_id, code),
  CONSTRAINT promotions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT promotions_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT promotions_basis_points_check CHECK (basis_points >= 1 AND basis_points <= 10000),
  CONSTRAINT promotions_check CHECK ((basis_points IS NULL) = (amount_minor IS NOT NULL)),
  CONSTRAINT promotions_check1 CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  CONSTRAINT promotions_check2 CHECK (sale_from <= sale_to),
  CONSTRAINT promotions_check3 CHECK (travel_from <= travel_to),
  CONSTRAINT promotions_code_check CHECK (code ~ '^[A-Z0-9-]{3,40}$'::text),
  CONSTRAINT promotions_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT promotions_max_uses_check CHECK (max_uses > 0),
  CONSTRAINT promotions_max_uses_per_customer_check CHECK (max_uses_per_customer > 0)
);
CREATE TRIGGER promotions_follow_delete BEFORE DELETE ON promotions FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER promotions_follow_insert BEFORE INSERT ON promotions FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER promotions_follow_update BEFORE UPDATE ON promotions FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE questions (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  product_id bigint NOT NULL,
  "position" integer NOT NULL,
  label text NOT NULL,
  type text NOT NULL,
  required boolean NOT NULL,
  options text[] NOT NULL,
  applies_to text NOT NULL,
  CONSTRAINT questions_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT questions_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT questions_applies_to_check CHECK (applies_to = ANY (ARRAY['booking'::text, 'participant'::text])),
  CONSTRAINT questions_label_check CHECK (label <> ''::text),
  CONSTRAINT questions_type_check CHECK (type = ANY (ARRAY['text'::text, 'textarea'::text, 'select'::text, 'checkbox'::text, 'date'::text, 'email'::text, 'phone'::text, 'signature'::text, 'file'::text]))
);
CREATE INDEX questions_by_product ON questions USING btree (account_id, product_id, "position");
CREATE TRIGGER questions_follow_delete BEFORE DELETE ON questions FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER questions_follow_insert BEFORE INSERT ON questions FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER questions_follow_update BEFORE UPDATE ON questions FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE refund_terms (
  account_id bigint NOT NULL,
  product_id bigint NOT NULL,
  since timestamp with time zone NOT NULL,
  steps jsonb NOT NULL,
  CONSTRAINT refund_terms_pkey PRIMARY KEY (account_id, product_id, since),
  CONSTRAINT refund_terms_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id)
);
CREATE TRIGGER refund_terms_follow_delete BEFORE DELETE ON refund_terms FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER refund_terms_follow_insert BEFORE INSERT ON refund_terms FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER refund_terms_follow_update BEFORE UPDATE ON refund_terms FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE refunds (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  basket_id bigint NOT NULL,
  booking_id bigint,
  cause text NOT NULL,
  by_terms_minor bigint,
  amount_minor bigint NOT NULL,
  kept_minor bigint NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  actor text NOT NULL,
  actor_id bigint,
  decided_at timestamp with time zone NOT NULL DEFAULT app_now(),
  done_at timestamp with time zone,
  set_off_minor bigint,
  CONSTRAINT refunds_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT refunds_amount_minor_check CHECK (amount_minor >= 0),
  CONSTRAINT refunds_by_terms_minor_check CHECK (by_terms_minor >= 0),
  CONSTRAINT refunds_cause CHECK (cause = ANY (ARRAY['cancelled'::text, 'amended'::text, 'moved'::text, 'closed'::text, 'overpaid'::text, 'provider'::text])) NOT VALID,
  CONSTRAINT refunds_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT refunds_done CHECK ((status = 'done'::text) = (done_at IS NOT NULL)),
  CONSTRAINT refunds_kept_minor_check CHECK (kept_minor >= 0),
  CONSTRAINT refunds_of_nothing CHECK ((status = 'none'::text) = (amount_minor = 0)),
  CONSTRAINT refunds_status CHECK (status = ANY (ARRAY['due'::text, 'done'::text, 'none'::text]))
);
CREATE INDEX refunds_by_basket ON refunds USING btree (account_id, basket_id);
CREATE INDEX refunds_by_status ON refunds USING btree (account_id, status, id);
CREATE INDEX refunds_due ON refunds USING btree (account_id, decided_at, id) WHERE status = 'due'::text;
CREATE INDEX refunds_of_sales ON refunds USING btree (account_id, decided_at) WHERE booking_id IS NULL;
CREATE INDEX refunds_paid_back ON refunds USING btree (account_id, done_at) WHERE status = 'done'::text;
CREATE TRIGGER refunds_owing AFTER INSERT OR UPDATE OF status, amount_minor, kept_minor ON refunds FOR EACH ROW EXECUTE FUNCTION follow_owing_sale();

CREATE TABLE reservations (
  account_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  reseller_id bigint NOT NULL,
  uuid uuid NOT NULL,
  body_hash bytea NOT NULL,
  email_receipt boolean NOT NULL DEFAULT false,
  notes text,
  contact jsonb,
  CONSTRAINT reservations_pkey PRIMARY KEY (account_id, booking_id),
  CONSTRAINT reservations_account_id_reseller_id_uuid_key UNIQUE (account_id, reseller_id, uuid),
  CONSTRAINT reservations_account_id_booking_id_fkey FOREIGN KEY (account_id, booking_id) REFERENCES bookings(account_id, id) ON DELETE CASCADE,
  CONSTRAINT reservations_reseller_id_check CHECK (reseller_id >= 0)
);

CREATE TABLE sales_marks (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  basis text NOT NULL,
  day date NOT NULL,
  product_id bigint NOT NULL,
  marked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT sales_marks_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT sales_marks_basis CHECK (basis = ANY (ARRAY['sold'::text, 'travel'::text, 'paid'::text]))
);

CREATE TABLE sales_payment_totals (
  account_id bigint NOT NULL,
  day date NOT NULL,
  method text NOT NULL,
  currency text NOT NULL,
  payments bigint NOT NULL,
  paid_minor numeric NOT NULL,
  refunds bigint NOT NULL,
  refunded_minor numeric NOT NULL,
  CONSTRAINT sales_payment_totals_pkey PRIMARY KEY (account_id, day, method, currency)
);

CREATE TABLE sales_place_totals (
  account_id bigint NOT NULL,
  day date NOT NULL,
  product_id bigint NOT NULL,
  timeslots bigint NOT NULL,
  capacity bigint NOT NULL,
  booked bigint NOT NULL,
  CONSTRAINT sales_place_totals_pkey PRIMARY KEY (account_id, day, product_id)
);

CREATE TABLE sales_refund_totals (
  account_id bigint NOT NULL,
  basis text NOT NULL,
  day date NOT NULL,
  product_id bigint NOT NULL,
  channel text NOT NULL,
  partner_id bigint NOT NULL,
  currency text NOT NULL,
  decisions bigint NOT NULL,
  decided_minor numeric NOT NULL,
  paid_back_minor numeric NOT NULL,
  kept_minor numeric NOT NULL,
  CONSTRAINT sales_refund_totals_pkey PRIMARY KEY (account_id, basis, day, product_id, channel, partner_id, currency),
  CONSTRAINT sales_refund_totals_basis CHECK (basis = ANY (ARRAY['sold'::text, 'travel'::text]))
);

CREATE TABLE sales_states (
  account_id bigint NOT NULL,
  last_number bigint NOT NULL,
  filled_from date NOT NULL,
  filled_at timestamp with time zone,
  rest_until timestamp with time zone,
  CONSTRAINT sales_states_pkey PRIMARY KEY (account_id),
  CONSTRAINT sales_states_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

CREATE TABLE sales_totals (
  account_id bigint NOT NULL,
  basis text NOT NULL,
  day date NOT NULL,
  product_id bigint NOT NULL,
  channel text NOT NULL,
  partner_id bigint NOT NULL,
  currency text NOT NULL,
  bookings bigint NOT NULL,
  guests bigint NOT NULL,
  places bigint NOT NULL,
  sold_minor numeric NOT NULL,
  cancelled_bookings bigint NOT NULL,
  cancelled_guests bigint NOT NULL,
  cancelled_minor numeric NOT NULL,
  no_show_guests bigint NOT NULL,
  checked_in_guests bigint NOT NULL,
  owed_minor numeric NOT NULL,
  under_terms_minor numeric NOT NULL,
  CONSTRAINT sales_totals_pkey PRIMARY KEY (account_id, basis, day, product_id, channel, partner_id, currency),
  CONSTRAINT sales_totals_basis CHECK (basis = ANY (ARRAY['sold'::text, 'travel'::text]))
);

CREATE TABLE sales_unit_totals (
  account_id bigint NOT NULL,
  basis text NOT NULL,
  day date NOT NULL,
  product_id bigint NOT NULL,
  channel text NOT NULL,
  partner_id bigint NOT NULL,
  currency text NOT NULL,
  unit_id bigint NOT NULL,
  quantity bigint NOT NULL,
  guests bigint NOT NULL,
  sold_minor numeric NOT NULL,
  cancelled_quantity bigint NOT NULL,
  cancelled_guests bigint NOT NULL,
  cancelled_minor numeric NOT NULL,
  CONSTRAINT sales_unit_totals_pkey PRIMARY KEY (account_id, basis, day, product_id, channel, partner_id, currency, unit_id),
  CONSTRAINT sales_unit_totals_basis CHECK (basis = ANY (ARRAY['sold'::text, 'travel'::text]))
);

CREATE TABLE schedules (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  product_id bigint NOT NULL,
  from_date date NOT NULL,
  to_date date NOT NULL,
  weekdays smallint[] NOT NULL,
  times time without time zone[] NOT NULL,
  capacity integer NOT NULL,
  closed_dates date[] NOT NULL DEFAULT '{}'::date[],
  follow_from date,
  followed_at timestamp with time zone,
  ending boolean NOT NULL DEFAULT false,
  unit_prices jsonb,
  opening_hours jsonb,
  CONSTRAINT schedules_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT schedules_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT schedules_capacity_check CHECK (capacity >= 0 AND capacity <= 1000000),
  CONSTRAINT schedules_check CHECK (to_date >= from_date),
  CONSTRAINT schedules_times_check CHECK (cardinality(times) > 0),
  CONSTRAINT schedules_weekdays_check CHECK (cardinality(weekdays) > 0)
);
CREATE INDEX schedules_by_end ON schedules USING btree (to_date);
CREATE INDEX schedules_by_product ON schedules USING btree (account_id, product_id);
CREATE INDEX schedules_to_follow ON schedules USING btree (account_id, id) WHERE follow_from IS NOT NULL OR ending;
CREATE TRIGGER schedules_follow_delete BEFORE DELETE ON schedules FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER schedules_follow_insert BEFORE INSERT ON schedules FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER schedules_follow_update BEFORE UPDATE ON schedules FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE sessions (
  account_id bigint NOT NULL,
  hash bytea NOT NULL,
  user_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (account_id, hash),
  CONSTRAINT sessions_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id),
  CONSTRAINT sessions_hash_check CHECK (length(hash) = 32)
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_user ON sessions USING btree (account_id, user_id);

CREATE TABLE sign_in_guesses (
  account_id bigint NOT NULL,
  about bytea NOT NULL,
  guesses integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  closed_until timestamp with time zone NOT NULL,
  denied boolean NOT NULL,
  CONSTRAINT sign_in_guesses_pkey PRIMARY KEY (account_id, about)
);
CREATE INDEX sign_in_guesses_by_age ON sign_in_guesses USING btree (last_at);

CREATE TABLE sign_in_origins (
  account_id bigint NOT NULL,
  user_id bigint NOT NULL,
  about bytea NOT NULL,
  kind text NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_origins_pkey PRIMARY KEY (account_id, user_id, about),
  CONSTRAINT sign_in_origins_about_check CHECK (length(about) = 32),
  CONSTRAINT sign_in_origins_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id),
  CONSTRAINT sign_in_origins_kind_check CHECK (kind = ANY (ARRAY['browser'::text, 'address'::text]))
);
CREATE INDEX sign_in_origins_by_age ON sign_in_origins USING btree (last_at);

CREATE TABLE test_accounts (
  account_id bigint NOT NULL,
  followed_number bigint NOT NULL,
  followed_at timestamp with time zone NOT NULL DEFAULT now(),
  compared_at timestamp with time zone DEFAULT now(),
  CONSTRAINT test_accounts_pkey PRIMARY KEY (account_id),
  CONSTRAINT test_accounts_account_id_check CHECK (account_id < 0),
  CONSTRAINT test_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT test_accounts_followed_number_check CHECK (followed_number >= 0)
);

CREATE TABLE test_email_counts (
  account_id bigint NOT NULL,
  day date NOT NULL,
  emails integer NOT NULL,
  CONSTRAINT test_email_counts_pkey PRIMARY KEY (account_id),
  CONSTRAINT test_email_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT test_email_counts_emails_check CHECK (emails > 0)
);

CREATE TABLE tickets (
  account_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  number integer NOT NULL,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  unit_id bigint NOT NULL,
  unit_name text,
  unit_type text,
  first_name text,
  last_name text,
  email text,
  phone text,
  reseller_reference text,
  redeemed_at timestamp with time zone,
  voided_at timestamp with time zone,
  reseller_uuid uuid,
  contact jsonb,
  CONSTRAINT tickets_pkey PRIMARY KEY (account_id, booking_id, number),
  CONSTRAINT tickets_account_id_uuid_key UNIQUE (account_id, uuid),
  CONSTRAINT tickets_account_id_booking_id_fkey FOREIGN KEY (account_id, booking_id) REFERENCES bookings(account_id, id),
  CONSTRAINT tickets_number_check CHECK (number >= 1),
  CONSTRAINT tickets_unit_id_check CHECK (unit_id >= 0)
);
CREATE INDEX tickets_by_email ON tickets USING btree (account_id, lower(email)) WHERE email IS NOT NULL;

CREATE TABLE tills (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  user_id bigint NOT NULL,
  currency text NOT NULL,
  float_minor bigint NOT NULL,
  opened_at timestamp with time zone NOT NULL DEFAULT app_now(),
  closed_at timestamp with time zone,
  closed_by bigint,
  counted_minor bigint,
  expected_minor bigint,
  note text,
  CONSTRAINT tills_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT tills_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT tills_closed_with_count CHECK ((closed_at IS NULL) = (counted_minor IS NULL) AND (closed_at IS NULL) = (expected_minor IS NULL)),
  CONSTRAINT tills_counted_minor_check CHECK (counted_minor >= 0),
  CONSTRAINT tills_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT tills_float_minor_check CHECK (float_minor >= 0)
);
CREATE UNIQUE INDEX tills_open ON tills USING btree (account_id, user_id, currency) WHERE closed_at IS NULL;

CREATE TABLE timeslot_moves (
  account_id bigint NOT NULL,
  timeslot_id bigint NOT NULL,
  to_timeslot_id bigint NOT NULL,
  CONSTRAINT timeslot_moves_pkey PRIMARY KEY (account_id, timeslot_id),
  CONSTRAINT timeslot_moves_account_id_timeslot_id_fkey FOREIGN KEY (account_id, timeslot_id) REFERENCES timeslots(account_id, id) ON DELETE CASCADE,
  CONSTRAINT timeslot_moves_account_id_to_timeslot_id_fkey FOREIGN KEY (account_id, to_timeslot_id) REFERENCES timeslots(account_id, id) ON DELETE CASCADE
);
CREATE INDEX timeslot_moves_by_target ON timeslot_moves USING btree (account_id, to_timeslot_id);

CREATE TABLE timeslots (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  product_id bigint NOT NULL,
  schedule_id bigint,
  date date NOT NULL,
  "time" time without time zone NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  capacity integer NOT NULL,
  booked integer NOT NULL DEFAULT 0,
  held integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'open'::text,
  edited boolean NOT NULL DEFAULT false,
  customers_erased_at timestamp with time zone,
  unit_prices jsonb,
  opening_hours jsonb,
  closes_at timestamp with time zone,
  CONSTRAINT timeslots_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT timeslots_account_id_product_id_date_time_key UNIQUE (account_id, product_id, date, "time"),
  CONSTRAINT timeslots_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT timeslots_account_id_schedule_id_fkey FOREIGN KEY (account_id, schedule_id) REFERENCES schedules(account_id, id) ON DELETE SET NULL (schedule_id),
  CONSTRAINT timeslots_all_day CHECK ((opening_hours IS NULL) = (closes_at IS NULL)) NOT VALID,
  CONSTRAINT timeslots_booked_check CHECK (booked >= 0),
  CONSTRAINT timeslots_capacity_check CHECK (capacity >= 0 AND capacity <= 1000000),
  CONSTRAINT timeslots_held_check CHECK (held >= 0),
  CONSTRAINT timeslots_never_oversold CHECK ((booked + held) <= capacity),
  CONSTRAINT timeslots_status_check CHECK (status = ANY (ARRAY['open'::text, 'closed'::text]))
) WITH (fillfactor=80);
CREATE INDEX timeslots_by_date ON timeslots USING btree (account_id, date, "time", id);
CREATE INDEX timeslots_by_schedule ON timeslots USING btree (account_id, schedule_id) WHERE schedule_id IS NOT NULL;
CREATE INDEX timeslots_with_customers ON timeslots USING btree (account_id, starts_at, id) WHERE customers_erased_at IS NULL;
CREATE TRIGGER timeslots_follow_delete BEFORE DELETE ON timeslots FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER timeslots_follow_insert BEFORE INSERT ON timeslots FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER timeslots_follow_update BEFORE UPDATE OF account_id, id, product_id, schedule_id, date, "time", starts_at, capacity, status, edited, unit_prices, opening_hours, closes_at ON timeslots FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE undone_refunds (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  basket_id bigint NOT NULL,
  refund_id bigint,
  event_id text,
  method text,
  amount text NOT NULL,
  currency text NOT NULL,
  reference text,
  reason text,
  actor text NOT NULL,
  actor_id bigint,
  undone_at timestamp with time zone NOT NULL DEFAULT app_now(),
  CONSTRAINT undone_refunds_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT undone_refunds_of_one CHECK ((refund_id IS NULL) <> (event_id IS NULL))
);
CREATE INDEX undone_refunds_by_basket ON undone_refunds USING btree (account_id, basket_id);

CREATE TABLE units (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  product_id bigint NOT NULL,
  "position" integer,
  name text NOT NULL,
  type text NOT NULL,
  price_minor bigint,
  places integer NOT NULL,
  people integer NOT NULL,
  min_age integer,
  max_age integer,
  min_quantity integer,
  max_quantity integer,
  accompanied_by bigint[] NOT NULL DEFAULT '{}'::bigint[],
  CONSTRAINT units_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT units_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT units_check CHECK (max_age >= min_age AND max_age <= 150),
  CONSTRAINT units_check1 CHECK (max_quantity >= min_quantity AND max_quantity <= 999),
  CONSTRAINT units_min_age_check CHECK (min_age >= 0 AND min_age <= 150),
  CONSTRAINT units_min_quantity_check CHECK (min_quantity >= 1 AND min_quantity <= 999),
  CONSTRAINT units_name_check CHECK (name <> ''::text),
  CONSTRAINT units_people_check CHECK (people >= 1 AND people <= 99),
  CONSTRAINT units_places_check CHECK (places >= 0 AND places <= 99),
  CONSTRAINT units_price_minor_check CHECK (price_minor >= 0),
  CONSTRAINT units_type_check CHECK (type = ANY (ARRAY['ADULT'::text, 'YOUTH'::text, 'CHILD'::text, 'INFANT'::text, 'FAMILY'::text, 'SENIOR'::text, 'STUDENT'::text, 'MILITARY'::text, 'OTHER'::text, 'PERSON'::text]))
);
CREATE INDEX units_by_product ON units USING btree (account_id, product_id, "position");
CREATE TRIGGER units_follow_delete BEFORE DELETE ON units FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER units_follow_insert BEFORE INSERT ON units FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER units_follow_update BEFORE UPDATE ON units FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();

CREATE TABLE usage_crossings (
  account_id bigint NOT NULL,
  threshold_id bigint NOT NULL,
  period_start date NOT NULL,
  crossed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  total numeric NOT NULL,
  CONSTRAINT usage_crossings_pkey PRIMARY KEY (account_id, threshold_id, period_start),
  CONSTRAINT usage_crossings_account_id_threshold_id_fkey FOREIGN KEY (account_id, threshold_id) REFERENCES usage_thresholds(account_id, id) ON DELETE CASCADE
);

CREATE TABLE usage_rejects (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  entry text NOT NULL,
  reason text NOT NULL,
  rejected_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usage_rejects_pkey PRIMARY KEY (account_id, id)
);

CREATE TABLE usage_thresholds (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  meter text NOT NULL,
  period text NOT NULL,
  amount numeric NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT app_now(),
  reached numeric,
  CONSTRAINT usage_thresholds_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT usage_thresholds_account_id_meter_period_amount_key UNIQUE (account_id, meter, period, amount),
  CONSTRAINT usage_thresholds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT usage_thresholds_amount_check CHECK (amount > 0::numeric),
  CONSTRAINT usage_thresholds_check CHECK ((reached IS NOT NULL) = (period = 'total'::text)),
  CONSTRAINT usage_thresholds_meter_check CHECK (length(meter) >= 1 AND length(meter) <= 255),
  CONSTRAINT usage_thresholds_period_check CHECK (period = ANY (ARRAY['day'::text, 'month'::text, 'total'::text]))
) WITH (fillfactor=70);

CREATE TABLE users (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  email text NOT NULL,
  role text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  disabled_at timestamp with time zone,
  locale text,
  CONSTRAINT users_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT users_account_id_email_key UNIQUE (account_id, email),
  CONSTRAINT users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT users_email_check CHECK (email <> ''::text AND email = lower(email)),
  CONSTRAINT users_live CHECK (account_id > 0) NOT VALID,
  CONSTRAINT users_locale_check CHECK (locale ~ '^[a-z]{2,3}-[A-Z]{2}$'::text) NOT VALID,
  CONSTRAINT users_role_check CHECK (role = ANY (ARRAY['owner'::text, 'staff'::text]))
);

CREATE TABLE waitlist_entries (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  booking_id bigint NOT NULL,
  timeslot_id bigint NOT NULL,
  status text NOT NULL DEFAULT 'waiting'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  offered_at timestamp with time zone,
  CONSTRAINT waitlist_entries_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT waitlist_entries_account_id_booking_id_key UNIQUE (account_id, booking_id),
  CONSTRAINT waitlist_entries_account_id_booking_id_fkey FOREIGN KEY (account_id, booking_id) REFERENCES bookings(account_id, id),
  CONSTRAINT waitlist_entries_check CHECK ((status = ANY (ARRAY['waiting'::text, 'left'::text, 'expired'::text])) OR offered_at IS NOT NULL),
  CONSTRAINT waitlist_entries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'offered'::text, 'taken'::text, 'left'::text, 'expired'::text]))
);
CREATE INDEX waitlist_entries_by_timeslot ON waitlist_entries USING btree (account_id, timeslot_id, id);
CREATE INDEX waitlist_entries_waiting ON waitlist_entries USING btree (account_id, timeslot_id, id) WHERE status = 'waiting'::text;

CREATE TABLE webhook_deliveries (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  endpoint_id bigint NOT NULL,
  message_id text NOT NULL,
  type text NOT NULL,
  event_number bigint,
  occurred_at timestamp with time zone NOT NULL,
  product_id bigint,
  date date,
  lane text,
  gathering boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'pending'::text,
  tries integer NOT NULL DEFAULT 0,
  first_tried_at timestamp with time zone,
  next_try_at timestamp with time zone NOT NULL,
  lease uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
  http_status integer,
  duration_ms integer,
  answer text,
  fault text,
  trace_context text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT webhook_deliveries_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id),
  CONSTRAINT webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))
) WITH (fillfactor=70);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries USING btree (account_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (account_id, endpoint_id, next_try_at) WHERE status = 'pending'::text;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries USING btree (finished_at) WHERE status <> 'pending'::text;
CREATE UNIQUE INDEX webhook_deliveries_gathering ON webhook_deliveries USING btree (account_id, endpoint_id, product_id, COALESCE(date, '-infinity'::date)) WHERE gathering;
CREATE INDEX webhook_deliveries_in_lane ON webhook_deliveries USING btree (account_id, endpoint_id, lane, id) WHERE status = 'pending'::text;
CREATE INDEX webhook_deliveries_set_aside ON webhook_deliveries USING btree (account_id, endpoint_id, id) WHERE status = 'failed'::text;

CREATE TABLE webhook_endpoints (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  partner_id bigint,
  url text NOT NULL,
  event_types text[] NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  body text NOT NULL,
  sealed_headers bytea,
  email text,
  status text NOT NULL DEFAULT 'active'::text,
  pause_reason text,
  paused_at timestamp with time zone,
  "position" bigint NOT NULL,
  highest_position bigint NOT NULL,
  unfinished integer NOT NULL DEFAULT 0,
  failing_since timestamp with time zone,
  failures integer NOT NULL DEFAULT 0,
  last_success_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT webhook_endpoints_account_id_uuid_key UNIQUE (account_id, uuid),
  CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT webhook_endpoints_body_check CHECK (body = ANY (ARRAY['thin'::text, 'full'::text, 'octo'::text])),
  CONSTRAINT webhook_endpoints_check CHECK (highest_position >= "position"),
  CONSTRAINT webhook_endpoints_event_types_check CHECK (cardinality(event_types) > 0),
  CONSTRAINT webhook_endpoints_partner_id_check CHECK (partner_id >= 0),
  CONSTRAINT webhook_endpoints_pause_reason_check CHECK (pause_reason = ANY (ARRAY['by-hand'::text, 'gone'::text, 'failing'::text])),
  CONSTRAINT webhook_endpoints_paused CHECK ((status = 'paused'::text) = (pause_reason IS NOT NULL) AND (pause_reason IS NULL) = (paused_at IS NULL)),
  CONSTRAINT webhook_endpoints_position_check CHECK ("position" >= 0),
  CONSTRAINT webhook_endpoints_status_check CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'deleted'::text])),
  CONSTRAINT webhook_endpoints_unfinished_check CHECK (unfinished >= 0)
) WITH (fillfactor=70);
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints USING btree (account_id, id) WHERE status = 'deleted'::text;
CREATE INDEX webhook_endpoints_with_work ON webhook_endpoints USING btree (account_id, id) WHERE status = 'active'::text AND unfinished > 0;

CREATE TABLE webhook_secrets (
  account_id bigint NOT NULL,
  endpoint_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (account_id, endpoint_id, id),
  CONSTRAINT webhook_secrets_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id) ON DELETE CASCADE
);

CREATE TABLE workflow_runs (
  account_id bigint NOT NULL,
  workflow_id bigint NOT NULL,
  booking_id bigint NOT NULL,
  ran_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT workflow_runs_pkey PRIMARY KEY (account_id, workflow_id, booking_id)
);

CREATE TABLE workflows (
  account_id bigint NOT NULL,
  id bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  trigger text NOT NULL,
  offset_minutes integer NOT NULL,
  product_id bigint,
  subject text NOT NULL,
  body text NOT NULL,
  active boolean NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  armed_at timestamp with time zone NOT NULL DEFAULT app_now(),
  swept_until timestamp with time zone NOT NULL DEFAULT app_now(),
  swept_number bigint NOT NULL DEFAULT 0,
  CONSTRAINT workflows_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT workflows_account_id_name_key UNIQUE (account_id, name),
  CONSTRAINT workflows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  CONSTRAINT workflows_account_id_product_id_fkey FOREIGN KEY (account_id, product_id) REFERENCES products(account_id, id),
  CONSTRAINT workflows_body_check CHECK (body <> ''::text),
  CONSTRAINT workflows_name_check CHECK (name <> ''::text),
  CONSTRAINT workflows_offset_minutes_check CHECK (offset_minutes >= 0 AND offset_minutes <= 525600),
  CONSTRAINT workflows_subject_check CHECK (subject <> ''::text),
  CONSTRAINT workflows_trigger_check CHECK (trigger = ANY (ARRAY['booking-confirmed'::text, 'booking-moved'::text, 'booking-amended'::text, 'booking-cancelled'::text, 'before-start'::text, 'after-end'::text])) NOT VALID
);
CREATE INDEX workflows_active ON workflows USING btree (account_id, id) WHERE active;
CREATE TRIGGER workflows_follow_delete BEFORE DELETE ON workflows FOR EACH ROW WHEN (old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER workflows_follow_insert BEFORE INSERT ON workflows FOR EACH ROW WHEN (new.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
CREATE TRIGGER workflows_follow_update BEFORE UPDATE OF account_id, id, name, trigger, offset_minutes, product_id, subject, body, active, created_at, updated_at ON workflows FOR EACH ROW WHEN (new.account_id < 0 OR old.account_id < 0) EXECUTE FUNCTION refuse_unless_following();
