/** The identity of a server that receives deploys, and token scopes for deploys. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
alter table ingot.api_tokens drop constraint api_tokens_scope_check;
alter table ingot.api_tokens add check (scope in ('read', 'write', 'deploy', 'exec', 'admin'));
create table ingot.instance (
  single boolean primary key default true check (single),
  id bigint not null generated always as identity,
  created_at timestamptz(3) not null default now()
);
`
