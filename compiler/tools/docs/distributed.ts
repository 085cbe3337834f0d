/** The page of the reference about Citus: which queries of a site would run on it. */
import type { Block, Entry } from './entry.ts'
import { commands, page, words } from './production-page.ts'

/** The page for those who want more than one primary. */
export function beyondOnePrimary(): Entry {
  return page(
    'distributed',
    'Beyond one primary',
    'When one PostgreSQL is too small: what Citus needs of a site, and which of its queries would run on it.',
    [
      words(
        'One primary on a large machine takes a site far: first give it memory, indexes and read replicas, and move files and caches elsewhere. Citus, an extension of PostgreSQL, spreads the rows of large tables over several machines by the value of one column. It helps a site whose rows belong to many customers, shops or users, of which a page shows one at a time. It does not help where most pages read the rows of everybody.',
      ),
      words(
        'The following goes by the documentation of Citus. It was not run on a cluster of it, and Ingot does not set one up: read it as what a plan for one begins with.',
      ),
      ...distributionColumn(),
      ...classesOfStatements(),
      ...whatRemains(),
    ],
  )
}

function distributionColumn(): readonly Block[] {
  return [
    {
      kind: 'rows',
      title: 'Which column',
      heads: ['Column', 'Rows', 'Meaning'],
      rows: [
        {
          name: 'user_id',
          type: 'all records',
          says: 'For sites whose records belong to users. Each record needs a user.',
        },
        {
          name: 'org_id, shop_id …',
          type: 'records of the tables that declare it',
          says: 'A property of the customer, of the same type in all tables that declare it. Other tables are reference tables. The usual choice.',
        },
        {
          name: 'id, external_id, customizable_id, table_id',
          type: 'all records',
          says: 'Columns that can be tried as well. By `table_id` a table is never larger than one machine, and by `id` no two records lie together.',
        },
      ],
    },
    words(
      'Users and their profiles are reference tables, of which every node has a copy: e-mail addresses and slugs are unique over the site, and a unique index of a distributed table has to contain its distribution column. So are tables that do not declare the property, and all tables of Ingot itself. They are read anywhere, and written everywhere: keep there what is small and seldom changes.',
    ),
  ]
}

function classesOfStatements(): readonly Block[] {
  return [
    words(
      '`ingot check --distributed` takes the column and says of each query of the site, by what the planner writes for it, where it would run. It exits with 1 when a statement is impossible; `--format json` is for programs.',
    ),
    commands('ingot check kitchen --distributed user_id'),
    {
      kind: 'rows',
      title: 'The classes',
      heads: ['Class', 'What for', 'Meaning'],
      rows: [
        {
          name: 'one shard',
          type: 'one machine',
          says: 'All distributed rows have one value of the column: of a literal, a variable that is always given, the signed-in user, or a joined row. Also what only reads or writes reference tables. As fast as before, on any number of machines.',
        },
        {
          name: 'colocated join',
          type: 'all machines',
          says: 'Related rows have the value of the row that they belong to, so each shard joins its own.',
        },
        {
          name: 'all shards',
          type: 'all machines',
          says: 'Every machine looks, and the answers are put together: sums, totals, sorts and limits too. Fine for reports; a page that many visit should not do it.',
        },
        {
          name: 'impossible',
          type: 'none',
          says: 'Rows are looked up by rows of other shards, or for each row of a reference table; a new row has no value of the column, or a row would get another one.',
        },
      ],
    },
    words(
      'The worst case counts: a condition whose variable may be left out is none, and so is one that stands in a single branch of `or`; what `@include` may leave out is there. Each statement has a hint. Mostly it is one more condition: `{ name: "org_id", value: $org }` with `$org: String!`, in the related rows too.',
    ),
  ]
}

function whatRemains(): readonly Block[] {
  return [
    {
      kind: 'rows',
      title: 'What Ingot does not do by itself',
      heads: ['What', 'Where', 'Meaning'],
      rows: [
        {
          name: 'The tables',
          type: 'migrations',
          says: 'All records lie in `ingot.records`. It takes `user_id` as it is, once no row lacks it and primary key and indexes that are unique contain it. A property lies in `properties`, and Citus takes only columns: records of the tables that declare it need a table of their own with that column, which queries and mutations of Ingot do not know.',
        },
        {
          name: 'Changes',
          type: '`updated_at`',
          says: 'Updates set the time by `clock_timestamp()`, which is volatile, and Citus refuses volatile functions in updates of distributed tables. The classes of updates tell where the rows lie.',
        },
        {
          name: 'Related rows of a page',
          type: 'colocated join',
          says: 'Ingot takes the rows of a page first, and then shows related rows with each. When the page comes from all shards, Citus refuses the second step even where the join is on its column: such statements say so. Filter by the column, or ask for the related rows in a query of their own.',
        },
        {
          name: 'Conditions that follow',
          type: 'one shard',
          says: 'Where a value is known only through a join, Citus may not see it. Write the condition in the related rows as well; the hint names them.',
        },
        {
          name: 'Forms, imports, sign-in',
          type: 'no query of the site',
          says: 'What forms write and validate (`uniqueness` reads all shards), `ingot data`, and conversions of types is not judged.',
        },
      ],
    },
  ]
}
