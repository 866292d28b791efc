-- compatible_from: 0001
-- A plan stores the results of all policies over one resource after the other: keys that begin with the resource are written
-- side by side, where those that began with the policy were written all over the index.
alter table results drop constraint results_pkey;
alter table results add primary key (resource_key, policy_id, environment, at);
-- The primary key finds the results of a resource.
drop index results_of_resource;
-- The order among results of one time is made by sorting.
drop index results_by_time;
create index results_by_time on results (at desc);
create index results_of_policy on results (policy_id, at desc);
