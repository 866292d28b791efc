-- compatible_from: 0018
-- The earlier messages of a request of Chat Completions or Responses, which the model gets as messages before the one that is asked.
-- Older programs that take such a run answer without them.
alter table assistant_runs add column given json;
