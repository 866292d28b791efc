-- compatible_from: 0018
-- What later questions of a session see of a run beside its answer: tool calls with their results, and loaded skills.
-- Older programs write none, and read none.
alter table assistant_messages add column memory json;

alter table assistant_runs
  -- The fence of the claim under which no tool has acted since the state was stored: then the turn can be repeated. 0 once a
  -- tool may have acted. Older programs raise the fence alone, so that nothing is taken for repeatable after them.
  add column repeatable_fence int,
  -- The model's message whose tool calls are being made.
  add column acting json;
