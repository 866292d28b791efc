-- compatible_from: 0018
-- Policies that guard the data contracts of an adapter's components are registered with governance, which has a database of
-- its own: null until that has been done for the properties as they are.
alter table adapter_deployments add column guardians_registered_at timestamptz;
