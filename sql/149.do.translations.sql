-- What the texts of a product say in other languages than the account's own, which is that of the product itself.
create table product_translations (
  account_id bigint not null references accounts,
  product_id bigint not null,
  -- Two letters of ISO 639-1.
  language text not null check (language ~ '^[a-z]{2}$'),
  -- Empty where there is none.
  name text not null check (length(name) <= 255),
  description text not null check (length(description) <= 10000),
  -- The names of units, the questions and their options: a translation by each of the product's own texts.
  words jsonb not null check (jsonb_typeof(words) = 'object'),
  primary key (account_id, product_id, language),
  foreign key (account_id, product_id) references products (account_id, id) on delete cascade
);
-- Partners look products up by a translated name too.
create index product_translations_name on product_translations (account_id, lower(name));

-- A test account has those of its live account.
create trigger product_translations_follow_insert before insert on product_translations for each row
  when (new.account_id < 0) execute function refuse_unless_following();
create trigger product_translations_follow_delete before delete on product_translations for each row
  when (old.account_id < 0) execute function refuse_unless_following();
create trigger product_translations_follow_update before update on product_translations for each row
  when (new.account_id < 0 or old.account_id < 0) execute function refuse_unless_following();
