-- compatible_from: 0028
-- The request that asked for the work and where it came from, so that the lines that workers log name them. Absent in rows that
-- an older program has written, and the address in work that a process began by itself.
alter table execution_plans add column http_request_id text, add column client_address text;
alter table instantiations add column http_request_id text, add column client_address text;
alter table assistant_runs add column http_request_id text, add column client_address text;
alter table access_requests add column client_address text;
alter table hook_actions add column http_request_id text, add column client_address text;
