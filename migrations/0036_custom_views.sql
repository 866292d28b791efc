-- compatible_from: 0028
-- How pages present what they show, where somebody has said it: one row for each page.
create table custom_views (
  page_id text primary key,
  -- Raised by each change; 0 while there is only a draft.
  revision int not null,
  -- What the page shows; null until it is published for the first time.
  content json,
  -- Made by an upgrade of settings that were removed; published or replaced by people.
  draft json,
  updated_at timestamptz not null default now(),
  updated_by text not null
);
