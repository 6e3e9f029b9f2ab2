-- What changed of products, as partners follow it: events of products by number, and whether one is the latest of its
-- product.
create index if not exists events_of_products on events (account_id, number) include (occurred_at)
  where number is not null and type in ('product.made', 'product.changed');
create index if not exists events_by_product on events (account_id, product_id, number)
  where number is not null and type in ('product.made', 'product.changed');
