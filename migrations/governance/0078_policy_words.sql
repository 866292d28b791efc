-- compatible_from: 0001
-- Policies are found by the beginnings of words (platform/db/word-search.ts).
create index policy_versions_words on policy_versions using gin (to_tsvector('simple', translate(policy_id || ' ' || name, ':._/-@', '      ')));
