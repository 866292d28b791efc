create table ${{ values.name | replace('-', '_') }} (id bigint primary key, zone text not null);
