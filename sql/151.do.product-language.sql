-- The language of the products' own texts, from the first translation on: a change of the account's language does not change
-- what the texts say. Null without translations, when it is the language of the account.
alter table accounts add column if not exists product_language text;
