-- compatible_from: 0018
-- In how many passages each word stands: a rare word says more about what is asked than one that is everywhere.
create table assistant_words (
  lexeme text collate "C" primary key,
  documents int not null
);

-- Passages at the last look.
alter table assistant_index add column counted int not null default 0;
-- Passages that have changed since.
alter table assistant_index add column changed int not null default 0;

-- Titles, headings and titles of tools weigh more than before, so all passages are made anew.
update assistant_documents set version = '', hash = '';
update assistant_index_sources set mark = '';

-- How well the vectors of an embedder agree with the words, from 0 to 1, measured once all passages have vectors; whose they
-- were, and of how many passages. Vectors count as much as they agree.
alter table assistant_index add column agreement float8;
alter table assistant_index add column agreement_of uuid;
alter table assistant_index add column agreement_documents int not null default 0;
