/** Answered requests, for those who deploy a site. The table is unlogged, so a crash may lose its rows. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create unlogged table ingot.requests (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  method text not null,
  origin text not null,
  -- Without the query string, which may contain tokens.
  path text not null,
  status integer not null,
  seconds double precision not null,
  -- The size of the response body; null when it is unknown.
  bytes bigint,
  ip text not null,
  agent text not null
);
`
