/** The reference's page about Citus: which queries of a site would run on it. */
import type { Block, Entry } from './entry.ts'
import { shellBlock, makePage, paragraph } from './production-page.ts'

/** Returns the page for sites that outgrow one primary. */
export function distributionPage(): Entry {
  return makePage(
    'distributed',
    'Beyond one primary',
    'If one PostgreSQL is too small: what Citus requires of a site, and which of its queries would run on it.',
    [
      paragraph(
        "One primary on a large machine is enough for most sites: first give it memory, indexes and read replicas, and move files and caches elsewhere. Citus, an extension of PostgreSQL, distributes the rows of large tables over several machines by the value of one column. It helps a site whose rows belong to many customers, shops or users, if a page shows one of them at a time. It does not help if most pages read everyone's rows.",
      ),
      paragraph(
        'This page follows the documentation of Citus. It was not tested on a Citus cluster, and Ingot does not set one up. Use it as a starting point for planning one.',
      ),
      ...distributionColumnBlocks(),
      ...statementClassBlocks(),
      ...limitationBlocks(),
    ],
  )
}

function distributionColumnBlocks(): readonly Block[] {
  return [
    {
      kind: 'rows',
      title: 'Which column',
      columnTitles: ['Column', 'Rows', 'Meaning'],
      rows: [
        {
          name: 'user_id',
          type: 'all records',
          description: 'For sites whose records belong to users. Each record needs a user.',
        },
        {
          name: 'org_id, shop_id …',
          type: 'records of the tables that declare it',
          description:
            'A property of the customer, with the same type in all tables that declare it. Other tables are reference tables. The usual choice.',
        },
        {
          name: 'id, external_id, customizable_id, table_id',
          type: 'all records',
          description:
            'Columns that can be tried as well. With `table_id` a table cannot be larger than one machine, and with `id` no two records are in the same shard.',
        },
      ],
    },
    paragraph(
      "Users and their profiles are reference tables, which are replicated to every node. Email addresses and slugs are unique over the site, and a unique index of a distributed table must contain the distribution column. Tables that do not declare the property, and Ingot's internal tables, are reference tables, too. They are read on any node, and written on every node: keep small, rarely changed data there.",
    ),
  ]
}

function statementClassBlocks(): readonly Block[] {
  return [
    paragraph(
      '`ingot check --distributed` takes the column and reports for each query of the site where its planned SQL would run. It exits with 1 if a statement is impossible; `--format json` is for programs.',
    ),
    shellBlock('ingot check kitchen --distributed user_id'),
    {
      kind: 'rows',
      title: 'The classes',
      columnTitles: ['Class', 'What for', 'Meaning'],
      rows: [
        {
          name: 'one shard',
          type: 'one machine',
          description:
            'All distributed rows have one value of the column: from a literal, a required variable, the signed-in user, or a joined row. This class also contains statements that use only reference tables. As fast as before, on any number of machines.',
        },
        {
          name: 'colocated join',
          type: 'all machines',
          description: 'Related rows have the value of the row that they belong to, so each shard joins its own.',
        },
        {
          name: 'all shards',
          type: 'all machines',
          description:
            'Every machine is queried, and the results are combined: sums, totals, sorts and limits too. Suitable for reports, but not for a page with many visitors.',
        },
        {
          name: 'impossible',
          type: 'none',
          description:
            'Rows are looked up from rows of other shards, or for each row of a reference table; or a new row has no value of the column; or a row would get another value.',
        },
      ],
    },
    paragraph(
      'The worst case counts: a condition whose variable is optional does not count, nor does one in a single branch of `or`; parts that `@include` may omit count as present. Each statement has a hint, usually to add a condition: `{ name: "org_id", value: $org }` with `$org: String!`, in the related rows too.',
    ),
  ]
}

function limitationBlocks(): readonly Block[] {
  return [
    {
      kind: 'rows',
      title: 'What Ingot does not do automatically',
      columnTitles: ['What', 'Where', 'Meaning'],
      rows: [
        {
          name: 'The tables',
          type: 'migrations',
          description:
            'All records are in `ingot.records`. It can be distributed by `user_id` without other changes, once every row has a user and the primary key and unique indexes contain that column. A property is stored in `properties`, and Citus distributes only by columns. Records of the tables that declare it need a separate table with that column, which queries and mutations of Ingot do not support.',
        },
        {
          name: 'Changes',
          type: '`updated_at`',
          description:
            'Updates set the time with `clock_timestamp()`, which is volatile, and Citus rejects volatile functions in updates of distributed tables. The classes of updates only describe where the rows are.',
        },
        {
          name: 'Related rows of a page',
          type: 'colocated join',
          description:
            'Ingot selects the rows of a page first, and then the related rows of each. If the page is collected from all shards, Citus rejects the second step, even if the join uses its column. Such statements are marked. Filter by the column, or request the related rows in a separate query.',
        },
        {
          name: 'Inferred conditions',
          type: 'one shard',
          description:
            'If a value is known only through a join, Citus may not infer it. Write the condition in the related rows as well; the hint names them.',
        },
        {
          name: 'Forms, imports, sign-in',
          type: 'no query of the site',
          description:
            'Writes and validations of forms (`uniqueness` reads all shards), `ingot data`, and type conversions are not classified.',
        },
      ],
    },
  ]
}
