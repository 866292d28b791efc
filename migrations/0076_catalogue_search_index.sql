-- compatible_from: 0028
-- Facets and searches of a text read the index alone, where the pages are known to be visible to all: so autovacuum looks at
-- these tables after a twentieth of their rows has come or changed. A row of the index has at most 1,900 bytes (see
-- search-rows.ts), less than the 2,704 that a B-tree takes.
create index catalogue_search_shown on catalogue_search (key, value, uid) include (shown);
drop index catalogue_search_value;
alter table catalogue_search set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
alter table catalogue_entities set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
