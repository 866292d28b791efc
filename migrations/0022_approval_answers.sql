-- compatible_from: 0018
-- What a user says besides yes or no, and which runs end when their client leaves.

-- `edited` is an approval with other arguments. Programs that don't know it take it for a refusal, so they never call
-- the tool with the arguments that the user has changed.
alter table assistant_approvals drop constraint assistant_approvals_status_check;
alter table assistant_approvals add constraint assistant_approvals_status_check
  check (status in ('pending', 'approved', 'edited', 'denied', 'expired'));
alter table assistant_approvals add column reason text;
alter table assistant_approvals add column edited json;
-- The request that decided, so that its repeat joins the run.
alter table assistant_approvals add column decided_request_id text;
create index assistant_approvals_request on assistant_approvals (decided_request_id)
  where decided_request_id is not null;

-- Whether the run is cancelled when the client that asked disconnects.
alter table assistant_runs add column stops_with_client boolean not null default false;
create index assistant_runs_owner_live on assistant_runs (owner) where status in ('queued', 'running', 'waiting');
