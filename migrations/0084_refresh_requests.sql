-- compatible_from: 0028
-- A refresh that is requested while a worker reads the location.
-- `reading_fence` is the fence of a worker's reading under way that looks at `refresh_requested` when it ends; where it is not the
-- row's fence, there is none. `refresh_requested` says that a refresh was requested since the last worker claimed the location.
alter table catalogue_locations add column reading_fence int, add column refresh_requested boolean not null default false;
