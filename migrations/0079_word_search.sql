-- compatible_from: 0028
-- Searches by the beginnings of words (platform/db/word-search.ts): of names of units and entities, and of what was said in
-- sessions of the assistant. Each query has the same expression as its index.
create index units_words on units using gin (to_tsvector('simple', translate(unit_id || ' ' || coalesce(name, ''), ':._/-@', '      ')));
create index catalogue_search_words on catalogue_search using gin (to_tsvector('simple', translate(value, ':._/-@', '      ')))
  where key in ('metadata.name', 'metadata.title');
-- With the session, so that a common word is looked for in one's own sessions alone.
create index assistant_messages_words on assistant_messages
  using gin ((array[session_id]), to_tsvector('simple', translate(left(content, 20000), ':._/-@', '      ')));
-- By the beginning of a token, whatever the collation of the database.
create index execution_plans_token on execution_plans (id text_pattern_ops);
