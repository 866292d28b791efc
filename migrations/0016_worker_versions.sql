-- compatible_from: 0015
-- A migration that older programs cannot work with waits until none of them drives plans any more. Each worker says which
-- schema its program knows (null: a program from before 0016), and is told when it has to leave.
alter table workers add column schema_version int, add column superseded_by int;
