/** The reference's page about sizes: what was measured, what fills up first, and what to do then. */
import type { Block, Entry } from './entry.ts'
import { figureTables } from './performance.ts'
import { paragraph, productionPage } from './page.ts'

/** How far one part of a site was measured. */
interface Dimension {
  readonly title: string
  /** The benchmarks whose tables are shown. */
  readonly benches: readonly string[]
  /** What reaches its limit first. */
  readonly limit: string
  /** What to do then. */
  readonly remedy: string
}

const DIMENSIONS: readonly Dimension[] = [
  {
    title: 'Rows of a table',
    benches: ['rows'],
    limit:
      'The first limit is `total_entries`: PostgreSQL counts every row that matches, so its time grows with the matches. A page without it reads only its own rows from an index, whatever the size of the table. A release that changes the type of a property converts all rows while the site serves. The second limit is memory: if the indexes and the rows that are read every day no longer fit into it, a page waits for the disk, at worst once for each of its rows.',
    remedy:
      'Ask for `has_next_page` instead of `total_entries` on pages with broad filters, or cache the number. Then give the machine of PostgreSQL memory, and send reads to a replica with `DATABASE_REPLICA_URL`. [Beyond one primary](production/distributed.html) describes tables that are larger than one machine.',
  },
  {
    title: 'Templates of a site',
    benches: ['sites'],
    limit:
      'The first limit is the memory of the build. Up to 6,000 templates, time and memory grow a little slower than the number of templates; a build of 24,000 takes longer for each. A server starts a little slower with a larger site.',
    remedy:
      'Build on a machine with enough memory, and copy the packed build. The server does not need the compiler. `NODE_OPTIONS=--max-old-space-size=8000` lets one process use 8 GB.',
  },
  {
    title: 'Visitors and processes',
    benches: ['processes'],
    limit:
      'The first limit is the processor. A second process helps if there is a second processor; further processes cost memory and speed. Each process has its own connections, so PostgreSQL is next: its `max_connections` must be at least `INGOT_POOL` times the number of processes.',
    remedy:
      'Cache pages and fragments that are the same for all visitors. Then add processors, and then [machines](production/servers.html): servers share the database and need nothing else in common. With many servers, lower `INGOT_POOL`.',
  },
  {
    title: 'Jobs',
    benches: ['jobs'],
    limit:
      'The first limit is the number of threads: a job occupies one until it ends. Short jobs are limited by PostgreSQL, which inserts, locks and deletes each of them.',
    remedy:
      'Raise `INGOT_JOB_THREADS`, or add servers: every server takes jobs from the same queue. `ingot_queue_oldest_seconds` shows whether jobs wait.',
  },
  {
    title: 'WebSockets',
    benches: ['sockets'],
    limit:
      'The first limit is the processor of the sending process: a message to a room is written once for each of its sockets. A socket needs little memory, and one open file.',
    remedy:
      'Add processes or servers, which share the sockets. With many servers, set `REDIS_URL`, so that messages do not pass through PostgreSQL.',
  },
]

export function scalePage(): Entry {
  return productionPage(
    'how-far',
    'How far it goes',
    'How large a site can become: measured sizes, what reaches its limit first, and what to do then.',
    [
      paragraph(
        'Everything was measured on the machine of [How fast](production/how-fast.html), with PostgreSQL, the server and the client on the same processors. Rows named "computed" were not measured.',
      ),
      ...DIMENSIONS.flatMap(dimensionBlocks),
    ],
  )
}

function dimensionBlocks({ title, benches, limit, remedy }: Dimension): readonly Block[] {
  const commands = benches.map((name) => `\`npm run bench -- ${name}\``).join(' and ')
  return [
    { kind: 'title', text: title },
    ...benches.flatMap(figureTables),
    paragraph(limit),
    paragraph(remedy),
    paragraph(`In a clone, ${commands} ${benches.length === 1 ? 'repeats' : 'repeat'} the measurement.`),
  ]
}
