-- Entities are found by what they are related to: whose they are, what they are part of.
create index catalogue_relations_target on catalogue_relations (target_ref, type);
