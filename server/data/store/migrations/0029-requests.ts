/** The requests that were answered, as whoever deploys a site looks through them. The table is unlogged: a crash may take it. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
create unlogged table ingot.requests (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  method text not null,
  origin text not null,
  -- Without the query, which may hold tokens.
  path text not null,
  status integer not null,
  seconds double precision not null,
  -- Of the answer's body; null where that is not known.
  bytes bigint,
  ip text not null,
  agent text not null
);
`
