-- compatible_from: 0018
-- How many workers in a row have died before the run reached its next checkpoint. Older programs count none.
alter table assistant_runs add column takeovers int not null default 0;

-- Runs that wait and runs at work, by owner: free places go to those who have the fewest at work.
create index assistant_runs_queued on assistant_runs (owner, created_at, id) where status = 'queued';
create index assistant_runs_running on assistant_runs (owner) where status = 'running';
