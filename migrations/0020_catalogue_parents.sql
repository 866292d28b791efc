-- compatible_from: 0018
-- Which Locations name the file of an entity.
alter table catalogue_entities add column parents text[] not null default '{}';

-- Every location is looked at again, so that the entities that are known get theirs.
update catalogue_locations set version = null, content_hash = null;
