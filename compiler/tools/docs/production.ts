/** The chapter of the reference for those who run a site. The tests run its commands in their order, but for those that change the machine. */
import { deployFiles } from '../production/files.ts'
import { deployedTo } from './deployed.ts'
import { beyondOnePrimary } from './distributed.ts'
import type { Block, Entry } from './entry.ts'
import { graphqlEntry } from './graphql.ts'
import { commands, page, words } from './production-page.ts'
import { howFast } from './how-fast.ts'
import { variablesEntry } from './variables.ts'

/** The names that the files have in the examples. */
const SHOWN = { name: 'kitchen', host: 'shop.example' }

/** The pages of the chapter. */
export function productionEntries(): readonly Entry[] {
  return [
    installing(),
    tls(),
    variablesEntry(),
    graphqlEntry(),
    upgrades(),
    releases(),
    deployedTo(),
    backup(),
    sizing(),
    howFast(),
    severalServers(),
    failover(),
    beyondOnePrimary(),
    watching(),
    traces(),
    container(),
  ]
}

/** One of the files that `ingot init --production` writes. @param path where it is put */
function file(name: string, path: string): Block {
  const found = deployFiles(SHOWN).find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no file '${name}' for production`)
  return {
    kind: 'example',
    title: name,
    says: found.says,
    files: [{ path, text: found.text.trimEnd() }],
    prints: null,
    notes: [],
  }
}

function installing(): Entry {
  return page('installing', 'Installing', 'From the folder of a site to a unit that starts with the machine.', [
    words(
      'A site is built where it is written, or where its tests run, and travels as one file. `deploy/` holds what stands around it; the files are yours to change, and a second `ingot init --production` overwrites none.',
    ),
    commands(
      'ingot check kitchen',
      'ingot init --production --host shop.example kitchen',
      'ingot build kitchen --pack site.tgz',
    ),
    words(
      'On the server, as root: Ingot itself, which nobody but root may change, and a user of the name of the site, who owns nothing but the data in `/var/lib/kitchen`.',
    ),
    commands(
      'npm install --prefix /opt/ingot ingot',
      'useradd --system --user-group --home-dir /var/lib/kitchen --shell /usr/sbin/nologin kitchen',
      'install -D -m 0644 site.tgz /srv/kitchen/site.tgz',
      'install -m 0600 kitchen/deploy/kitchen.env /etc/kitchen.env',
      'install -m 0644 kitchen/deploy/kitchen.service /etc/systemd/system/kitchen.service',
      'systemctl enable --now kitchen',
    ),
    words(
      'The server makes its own PostgreSQL in the data folder, runs the migrations of the site, and answers at `127.0.0.1:3000`. The whole disk is read-only for it, but for that folder. Before visitors come, `ingot doctor` says what is missing or wrong, with what to set:',
    ),
    commands('ingot doctor kitchen'),
    words(
      'Files and folders of the data folder are readable for the user of the server alone, whatever its umask, and every start takes the rights of others away again. A web server therefore cannot read uploaded files from it: have the server send them, or keep them in an S3 bucket. Started by root, the server runs PostgreSQL as the system user `ingot`, or as `nobody` where there is none; other programs of that user cannot connect to it. The packages of PostgreSQL have versions such as `18.4.0-beta.17`: 18.4 is a release of PostgreSQL, and `beta` counts releases of the package around it.',
    ),
    file('kitchen.service', '/etc/systemd/system/kitchen.service'),
    file('kitchen.env', '/etc/kitchen.env'),
  ])
}

function tls(): Entry {
  return page(
    'tls',
    'TLS in front',
    'A proxy takes TLS off; the server believes it, and nobody else, who the visitor is.',
    [
      words(
        '`INGOT_PROXIES=1` makes the server believe the last address of `X-Forwarded-For`, the scheme and the host that one proxy names; with two proxies it is 2. Without a proxy it is 0, for otherwise visitors choose their own address. Where it is not set, these headers are ignored. The first request that has one is then logged with what to set, and `ingot doctor` reports it: all visitors behind such a proxy count as one, so the wrong passwords of one lock out the others, and cookies lack `Secure`.',
      ),
      words(
        '`INGOT_HOSTS` lists the names that the site answers to; `*.shop.example` admits subdomains, and `shop.example:8443` that port only. Any client may send any `Host` header, so without the list no host of a request gets into what outlives the answer: links in mails, text messages, jobs and calls of other servers lead to the address that the server listens on (`localhost:3000`), even where a template has passed `context.location.host` on, and cached fragments are kept for each host apart. The start and `ingot doctor` warn of it. Not changed are domains of e-mail addresses, and what a template writes to the database or the session. With the list, all of these have the host of the request. In development (`ingot dev`) they always do, since a site there answers only to names of its own machine, to IP addresses and to listed names: a page on the web could otherwise make its own name lead to the site. For a phone use the IP address of the machine, and list the names of containers and tunnels. A page of another host, a subdomain too, cannot sign a visitor in; pages of the listed names can.',
      ),
      words(
        '`INGOT_RATE` limits the requests that an address may send to a process in five minutes: 3,000 in production, after which it gets the status 429 and assets for ten minutes. An address may be an office: 25 people who open a page every ten seconds, each with three requests of its scripts, send as many. Assets are not counted. Each process counts for itself, so an address with several connections may send a multiple of it. The limit does not apply to this machine itself, nor, while `INGOT_PROXIES` is not set, to requests with the headers of a proxy: a visitor can send these too, so set `INGOT_PROXIES=0` where there is none. `INGOT_RATE=off` turns the limit off.',
      ),
      words(
        'Limits count networks: an IPv4 address, or the first 64 bits of an IPv6 address. A network has ten wrong passwords for an account and, in production, `INGOT_SIGN_UPS` sign-ups in fifteen minutes, on all servers together. With a wrong `INGOT_PROXIES`, all visitors share the network of the proxy, and its limits. Passwords are hashed two at once in each process, networks take turns, and `INGOT_PASSWORDS_WAITING` may wait. `INGOT_NEW_SESSIONS` bounds the rows of visitors who keep no cookie.',
      ),
      words(
        'Bodies are limited twice. The proxy lets pass what a form with four files of `INGOT_UPLOAD_LIMIT` takes, and the server refuses what is larger than its own settings allow, in its own words. Raise the limit of the proxy together with those. Disk for uploads and memory for bodies are shared: one client (an IPv4 address, 64 bits of an IPv6 address) gets at most half, and when nothing is left, the client that holds most gives way. Set `INGOT_PROXIES` behind a proxy, or all visitors are one client. WebSockets are not used. The paths for monitoring are closed to visitors.',
      ),
      file('nginx.conf', '/etc/nginx/conf.d/kitchen.conf'),
      file('Caddyfile', '/etc/caddy/Caddyfile'),
    ],
  )
}

function upgrades(): Entry {
  return page('upgrades', 'Upgrades and reloading', 'Another build, or another Ingot, without a request that fails.', [
    words(
      'A new build takes the place of the old one in one step, and the signal SIGHUP has it loaded: new processes start with it, take over, and the old ones answer what they have begun. A build that cannot start changes nothing; the log says why.',
    ),
    commands('ingot build kitchen --pack next.tgz', 'mv next.tgz site.tgz'),
    words('On the server the archive is put beside the one that is served, and then moved over it.'),
    commands(
      'install -m 0644 site.tgz /srv/kitchen/next.tgz',
      'mv /srv/kitchen/next.tgz /srv/kitchen/site.tgz',
      'systemctl reload kitchen',
    ),
    words(
      'Migrations of the new build run before it answers, and the old build answers until then: a migration leaves what the old templates read. The settings are read when the server starts: other ones need a restart, in which a server that is alone answers nobody for some seconds.',
    ),
    words(
      'When every process that answers is killed at once, for example by the kernel for lack of memory, no connection is refused: up to 1,000 of them wait until a process has started again, for at most 30 seconds. Further ones are answered with 503 and `Retry-After`. Requests that a killed process was answering are lost.',
    ),
    words(
      'Another version of Ingot is installed beside a backup, and started anew. A build of another format is refused with a sentence that says so: build the site with the same version.',
    ),
    commands('npm install --prefix /opt/ingot ingot', 'systemctl restart kitchen'),
    words(
      'A stop, by SIGTERM, first says at `/_ingot/ready` that no more requests are to be sent, for `INGOT_DRAIN` seconds in which everything is still answered: as long as a balancer in front takes to notice. Then what is open gets `INGOT_GRACE` seconds. Idle connections are closed when their clients no longer use them: every answer asks clients to reuse a connection for 3 seconds (`Keep-Alive: timeout=3`), and a stop or a reload closes one after 5 seconds without a request. A client that keeps to this loses no request. Ctrl-C (SIGINT) closes idle connections at once, so it does not wait for an open browser tab; browsers send such a request again. `TimeoutStopSec` of the unit is larger than both together.',
    ),
  ])
}

function releases(): Entry {
  return page(
    'releases',
    'Releases',
    'Builds that are kept, and one command that has all servers switch from one to another, or back.',
    [
      words(
        'Where releases are is said by `INGOT_RELEASES`, in the same way to the servers and to the machine that deploys: `database` for several servers, or for a CI machine that reaches the database and no disk of theirs; or a folder. `DATABASE_URL` and `INGOT_SECRET` are the same on all, too: the migrations of a release run where it is activated. A push keeps a build, and prints its name:',
      ),
      commands('ingot release push site.tgz kitchen', 'ingot release list kitchen'),
      words(
        'Nothing serves it yet. The first release is activated before the first server starts, by `ingot serve kitchen` in the place of an archive; from then on servers that run switch by themselves, and one that was off does so when it is back. The name of a push is what an activation takes, so a deployment is one line:',
      ),
      commands('ingot release activate $(ingot release push site.tgz kitchen) kitchen'),
      words(
        'An activation holds every file against its digest, loads the build in a process of its own, says what becomes of the tables, and waits until each server has the build on its disk. Then migrations run, and every server switches, process by process: no request fails, and the pages that the old release made still find their assets. Where the new one cannot start on one server, all go back by themselves; the command names the server and the reason, and ends with 1. Of two at the same time one is told that the other is at it. What a release would do to the tables is said without doing it by',
      ),
      commands(
        'ingot build kitchen --pack release.tgz',
        'ingot release activate --dry-run $(ingot release push release.tgz kitchen) kitchen',
        'ingot release activate $(ingot release push release.tgz kitchen) kitchen',
      ),
      words(
        'While old and new serve together, both read and write the same tables: what a release adds is there before the first process of it answers, and values of another type are converted when no server serves the old one any more. Going back is the same with the release before. Over a converted type, or a table that one of them does not know, it is refused with the number of rows, unless `--force` is given.',
      ),
      commands('ingot release rollback kitchen'),
      words(
        'Releases are kept until they are pruned; the active one, and what a server still serves, always. Servers remove their copies of what is gone.',
      ),
      commands('ingot release prune --keep 3 kitchen'),
    ],
  )
}

function backup(): Entry {
  return page(
    'backup',
    'Backup and restore',
    'The database, the uploaded files and the secret, whole, while the server answers.',
    [
      words(
        'What is to be kept is in the data folder (`INGOT_DATA`): our own PostgreSQL, uploaded files, and the secret of the site. A backup is taken as the user of the server, who owns them. It stands whole at its place, or not at all.',
      ),
      commands('ingot backup kitchen --to backups/monday', 'ingot restore --check backups/monday'),
      words(
        'A restore holds every file against its digest, and puts a data folder at its place only when all of it is right. It overwrites none: the folder must not be there yet.',
      ),
      commands('INGOT_DATA=restored ingot restore backups/monday kitchen'),
      words(
        'With `INGOT_WAL_ARCHIVE` the server keeps what was written since, in a folder that is best on another disk. From that, and a backup, comes the state of any moment:',
      ),
      commands('INGOT_DATA=earlier ingot restore backups/monday kitchen --wal wal --until 2026-02-28T12:30:00Z'),
      words(
        'Uploaded files that are newer than the backup come from a copy of them, by `--files`. Files in an S3 bucket are in no backup: its versioning keeps them. Try a restore before you need one.',
      ),
      words(
        "A PostgreSQL of your own (`DATABASE_URL`) is kept by its own tools, and `ingot backup` leaves it alone. With pgBackRest, on the server of the database, `archive_mode = on` and `archive_command = 'pgbackrest --stanza=kitchen archive-push %p'` in `postgresql.conf`, and this configuration:",
      ),
      {
        kind: 'example',
        title: 'pgBackRest',
        says: 'After `stanza-create` and `check`, `backup --type=full` once a week and `--type=incr` in between; `restore --type=time --target=…` goes back to a moment.',
        files: [
          {
            path: '/etc/pgbackrest.conf',
            text: [
              '[global]',
              'repo1-path=/var/lib/pgbackrest',
              'repo1-retention-full=4',
              'start-fast=y',
              '',
              '[kitchen]',
              'pg1-path=/var/lib/postgresql/15/main',
            ].join('\n'),
          },
        ],
        prints: null,
        notes: [
          'The secret (`INGOT_SECRET`) is no part of a database: keep it, too. Without it the constants of the site cannot be read.',
        ],
      },
    ],
  )
}

function sizing(): Entry {
  return page('sizing', 'Sizing', 'Processes, memory and connections of one machine.', [
    {
      kind: 'rows',
      title: 'What there is',
      heads: ['What', 'Number', 'Meaning'],
      rows: [
        {
          name: 'INGOT_WORKERS',
          type: '2 to 4',
          says: 'Processes that answer: as many as there are processors, and at least two, so that one answers while a page keeps the other busy.',
          href: 'production/settings.html#INGOT_WORKERS',
        },
        {
          name: 'INGOT_JOB_THREADS',
          type: '2 to 4',
          says: 'Jobs at once, in a process of their own. Each may take `INGOT_JOB_MEMORY` megabytes.',
          href: 'production/settings.html#INGOT_JOB_THREADS',
        },
        {
          name: 'INGOT_POOL',
          type: '10',
          says: 'Connections of each process. A PostgreSQL of your own has to allow their product with the number of processes of all servers, twice during a reload.',
          href: 'production/settings.html#INGOT_POOL',
        },
      ],
    },
    words(
      'Begin with two processors and 2 GB, and look at three things: `ingot_event_loop_delay_seconds` (processes that are busy want more of them, or more processors), `ingot_db_pool_waiting` (statements that wait want more connections, or an index), and `ingot_queue_oldest_seconds` (jobs that wait want more threads). `ingot explain` shows the plan of a query that takes long.',
    ),
    words(
      'A job that never ends does not hold up the others until its time limit. For each job that has run for 2 seconds a further thread starts, two at the most; it ends after a minute without a job. A job does not get such a thread if others of its name run for long or needed too much memory, so short jobs go on beside three that never end. Count two threads more than `INGOT_JOB_THREADS` for the memory of jobs. Nothing is interrupted before its limit, and nothing runs twice because of this.',
    ),
    words(
      'On disk, Ingot takes less than 130 MB with its own PostgreSQL, and less than 60 MB without it and without `esbuild`, which only builds. Node comes on top, and of the data folder keep half free: PostgreSQL writes ahead, and a changed type rewrites its table.',
    ),
  ])
}

function severalServers(): Entry {
  return page(
    'servers',
    'Several servers',
    'More than one machine for a site: what they share, and what each has for itself.',
    [
      {
        kind: 'rows',
        title: 'The same for all',
        heads: ['What', 'Type', 'Meaning'],
        rows: [
          {
            name: 'DATABASE_URL',
            type: '',
            says: 'One PostgreSQL, 15 or newer. Our own serves the machine that it runs on.',
          },
          {
            name: 'INGOT_SECRET',
            type: '',
            says: 'One secret: sessions and constants of one server are read by the others.',
          },
          {
            name: 'INGOT_S3_ENDPOINT',
            type: '',
            says: 'One store for files, with its bucket, key and secret. A file on the disk of one server is not found by the others.',
          },
          { name: 'REDIS_URL', type: '', says: 'One cache, where the database is not to keep fragments.' },
          {
            name: 'INGOT_HOSTS',
            type: '',
            says: 'The same names that the site answers to.',
          },
          {
            name: 'INGOT_RELEASES',
            type: '',
            says: '`database`: one command has all of them switch to another build. Without it, an archive is put on each of them, which are then reloaded one after the other.',
          },
        ].map((row) => ({ ...row, href: `production/settings.html#${row.name}` })),
      },
      words(
        'What of it is missing is told when a server starts in production, and by `ingot doctor`, which also says which servers share the database, their versions, and whether their clocks agree.',
      ),
      words(
        'The balancer in front asks `/_ingot/ready`. Give `INGOT_DRAIN` the time that it takes to notice. Jobs may run apart from the pages: servers get `INGOT_JOB_THREADS=0`, and beside them runs',
      ),
      commands('ingot worker kitchen'),
      words('Read replicas and failover have a page of their own.'),
    ],
  )
}

function failover(): Entry {
  return page(
    'failover',
    'Read replicas and failover',
    'A primary with a streaming copy: who reads where, and what happens when the primary goes away.',
    [
      words(
        'With `DATABASE_REPLICA_URL`, queries that ask for it (`options: { read_replica: true }`) read from a streaming copy. What they read may be some moments old, but no more than `INGOT_REPLICA_LAG` seconds: when the copy lags behind by more, or cannot be reached, the primary answers them. Everything else, and what is written, goes to `DATABASE_URL`.',
      ),
      words(
        'Ingot connects to one address for each, and something else makes them lead to the right server: PostgreSQL under Patroni with `synchronous_mode`, so that no row is lost that was acknowledged, and haproxy before it, which asks the Patroni of each server what it is.',
      ),
      {
        kind: 'example',
        title: 'haproxy before the database',
        says: '`DATABASE_URL` names port 5000, and `DATABASE_REPLICA_URL` port 5001.',
        files: [
          {
            path: '/etc/haproxy/haproxy.cfg',
            text: [
              'defaults',
              '  mode tcp',
              '  timeout connect 1s',
              '  timeout check 1s',
              '  timeout client 1h',
              '  timeout server 1h',
              '',
              'listen primary',
              '  bind :5000',
              '  option httpchk OPTIONS /primary',
              '  http-check expect status 200',
              '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
              '  server db1 10.0.0.11:5432 check port 8008',
              '  server db2 10.0.0.12:5432 check port 8008',
              '',
              'listen copy',
              '  bind :5001',
              '  option httpchk OPTIONS /replica',
              '  http-check expect status 200',
              '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
              '  server db1 10.0.0.11:5432 check port 8008',
              '  server db2 10.0.0.12:5432 check port 8008',
            ].join('\n'),
          },
        ],
        prints: null,
        notes: [
          'A connection that leads to a server which can only be read is closed and opened anew, so that nothing is written to the wrong one.',
        ],
      },
      words(
        'When a connection breaks, or an answer is late, each process asks by itself whether the primary is there. While it is away, all that only reads is read from the copy, and `/_ingot/ready` goes on to answer 200, with `"database":"read-only"`. What changes something waits for a moment, and is then refused at once with 503 and `Retry-After`, until another server has taken over. Jobs wait in the queue.',
      ),
      words(
        'A change whose answer was lost on the way is not repeated, for it may have been made: it is answered by 503. Only what certainly was not done is tried again. So before another server becomes the primary by plan, let the changes that are under way end. While the primary says that it takes none, or that it stops, they are held for up to twenty seconds. On the primary, as its superuser:',
      ),
      {
        kind: 'example',
        title: 'A switch without a request that fails',
        says: 'The last statement is for the server that was the primary, once it is there again as the copy.',
        files: [
          {
            path: 'switch.sh',
            text: [
              `psql -c 'alter system set default_transaction_read_only = on' -c 'select pg_reload_conf()'`,
              'sleep 0.5',
              'patronictl switchover --force',
              `psql -c 'alter system reset default_transaction_read_only' -c 'select pg_reload_conf()'`,
            ].join('\n'),
          },
        ],
        prints: null,
        notes: [],
      },
      words(
        'Patroni makes another server the primary when the old one has not renewed its lease for `ttl` seconds: that is how long changes are refused after a crash. `npm run cluster` in the sources of Ingot builds all of this on one machine, and has it fail.',
      ),
    ],
  )
}

function watching(): Entry {
  return page('watching', 'What to watch', 'Health checks, metrics and logs.', [
    words(
      '`/_ingot/up` answers while the server lives, and is for what restarts it. `/_ingot/ready` says whether requests may be sent to it, with the reason where they may not, and is for a balancer. Both are cheap, open no session, and are not logged.',
    ),
    commands('curl --fail http://127.0.0.1:3000/_ingot/up', 'curl --fail http://127.0.0.1:3000/_ingot/ready'),
    words(
      'Metrics in the form of Prometheus are one page for all processes: on a port of their own (`INGOT_METRICS_PORT`), or for those who send a token (`INGOT_METRICS_TOKEN`).',
    ),
    commands('curl --fail --header "Authorization: Bearer $INGOT_METRICS_TOKEN" http://127.0.0.1:3000/_ingot/metrics'),
    {
      kind: 'rows',
      title: 'What to be woken for',
      heads: ['Metric', 'When', 'Meaning'],
      rows: [
        { name: 'ingot_db_up', type: '0', says: 'The database cannot be reached.' },
        {
          name: 'ingot_http_request_duration_seconds',
          type: 'status 5xx above 1 %',
          says: 'Pages fail: the log has each error with its template and line.',
        },
        {
          name: 'ingot_process_exits_total',
          type: 'rises',
          says: 'Processes end although nobody has stopped them. They are replaced, so that visitors may not notice.',
        },
        { name: 'ingot_queue_oldest_seconds', type: 'above 300', says: 'Jobs wait: more threads, or one that hangs.' },
        {
          name: 'ingot_queue_jobs',
          type: 'state dead rises',
          says: 'Jobs failed for good: `ingot jobs list --state dead` says why.',
        },
        { name: 'ingot_db_pool_waiting', type: 'above 0 for minutes', says: 'Statements wait for a connection.' },
      ],
    },
    words(
      'Logs are lines of JSON on standard output, so in the journal of the unit. A request has its client, trace, user, build and template; a slow query or page is a line of its own, with the templates that led there. What the site itself logged is kept in the database, too:',
    ),
    commands('ingot logs kitchen --type error --since 2h', 'ingot jobs list kitchen --state dead'),
  ])
}

function traces(): Entry {
  return page('traces', 'Traces', 'Requests, pages, queries, calls and jobs as spans of OpenTelemetry.', [
    words(
      'Where `OTEL_EXPORTER_OTLP_ENDPOINT` is set, the server sends traces and metrics there by the SDK of OpenTelemetry, which is installed beside it: `@opentelemetry/sdk-node`, 0.223. The process that supervises sends for all; those that serve load nothing of it. In production a tenth of the traces is sampled, at most 20 a second in each process, unless a caller behind a proxy of `INGOT_PROXIES` has decided, or `OTEL_TRACES_SAMPLER` says otherwise: `parentbased_always_on` samples all. Other variables of the SDK hold, too: protocol and headers of the receiver, name and attributes of the service, `OTEL_BSP_…`, the interval of the metrics; `OTEL_PROPAGATORS` takes `tracecontext`, `baggage` and `none`. Spans that the receiver does not take are dropped beyond a bound, and the log says how many, once a minute.',
    ),
    words(
      'A request that comes through a proxy of `INGOT_PROXIES` goes on with the trace of its caller (`traceparent`), and takes its `tracestate` and `baggage` along; the proxy of the production files removes all three, which any visitor may send. Every other request begins a trace, which is linked to the one it names. What it asks of other servers, and the jobs that it queues, go on with its own.',
    ),
  ])
}

function container(): Entry {
  return page('container', 'In a container', 'An image without root, with a disk that is read-only, and one volume.', [
    words(
      'The image holds Node, Ingot and the build of the site. The volume `/data` is all that it writes to, beside a `/tmp` in memory. A server whose database is elsewhere (`DATABASE_URL`) and whose files are in S3 needs no volume that lasts.',
    ),
    file('Containerfile', 'deploy/Containerfile'),
    file('Containerfile.dockerignore', 'deploy/Containerfile.dockerignore'),
  ])
}
