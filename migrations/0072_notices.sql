-- compatible_from: 0028
-- What people are told about: things that wait for them, as they were found, and plans that have ended.
create table notices (
  kind text not null,
  subject_id text not null,
  title text not null,
  environment text,
  -- Path on this server with its details.
  path text not null,
  since timestamptz not null,
  expires_at timestamptz,
  -- References of those who may see it, in lower case; null for every reader.
  visible_to text[],
  operators_see boolean not null,
  found_at timestamptz not null,
  -- When it was found to wait no more.
  ended_at timestamptz,
  primary key (kind, subject_id)
);
create index notices_open on notices (kind, subject_id) where ended_at is null;

-- Who is to be told about which of them, over which channel: `mail`, or the name of a chat.
create table notice_entries (
  kind text not null,
  subject_id text not null,
  channel text not null,
  -- A reference, an address, or empty for a chat.
  recipient text not null,
  due_at timestamptz not null,
  -- The message that it is part of; null until there is one.
  message_id uuid,
  primary key (kind, subject_id, channel, recipient)
);
create index notice_entries_waiting on notice_entries (channel, recipient, due_at) where message_id is null;
create index notice_entries_message on notice_entries (message_id) where message_id is not null;

-- What was sent, or is to be.
create table notice_messages (
  id uuid primary key,
  channel text not null,
  recipient text not null,
  status text not null check (status in ('PENDING', 'SENT', 'DEAD', 'WITHDRAWN')),
  is_test boolean not null default false,
  attempts int not null default 0,
  next_attempt_at timestamptz,
  worker_id uuid,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  last_error text,
  ended_at timestamptz
) with (fillfactor = 80);
create index notice_messages_due on notice_messages (channel, next_attempt_at) where status = 'PENDING';
create index notice_messages_recipient on notice_messages (channel, recipient, created_at desc) where not is_test;
create index notice_messages_list on notice_messages (created_at desc, id desc);
create index notice_messages_status on notice_messages (status, created_at desc, id desc);
create index notice_messages_ended on notice_messages (ended_at) where ended_at is not null;

-- One process at a time looks for what waits; `fence` refuses what an earlier look still wants to write.
create table notice_look (
  only_row boolean primary key default true check (only_row),
  looked_at timestamptz,
  fence bigint not null default 0,
  -- How far the events have been read for plans that ended; null before the first look.
  event_position bigint
);
insert into notice_look default values;

-- What people want to be told about, where it is not as usual.
create table notice_choices (
  ref text not null,
  kind text not null,
  wanted boolean not null,
  changed_at timestamptz not null,
  primary key (ref, kind)
);
