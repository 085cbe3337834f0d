/** The reference's chapter about production. The tests run its commands in order, except those that change the machine. */
import { deployFiles } from '../production/files.ts'
import type { Block, Entry } from './entry.ts'
import { graphqlEntry } from './graphql.ts'
import { codeBlock, example, paragraph, productionPage, rowsOf, table } from './page.ts'
import { parsePage } from './parse-page.ts'
import { performancePage } from './performance.ts'
import deployed from './production/deployed.md'
import distributed from './production/distributed.md'
import releases from './production/releases.md'
import tokens from './production/tokens.md'
import traces from './production/traces.md'
import upgrades from './production/upgrades.md'
import watching from './production/watching.md'
import { scalePage } from './scale.ts'
import { topicsEntry } from './topics.ts'
import { variablesEntry } from './variables.ts'

/** The names used in the examples. */
const EXAMPLE_NAMES = { name: 'kitchen', host: 'shop.example' }

/** Returns the pages of the chapter. */
export function productionEntries(): readonly Entry[] {
  return [
    installingPage(),
    tlsPage(),
    variablesEntry(),
    graphqlEntry(),
    topicsEntry(),
    parsePage('production', 'upgrades', upgrades),
    parsePage('production', 'releases', releases),
    parsePage('production', 'deployed', deployed),
    parsePage('production', 'tokens', tokens),
    backupPage(),
    sizingPage(),
    performancePage(),
    scalePage(),
    severalServersPage(),
    failoverPage(),
    parsePage('production', 'distributed', distributed),
    parsePage('production', 'watching', watching),
    parsePage('production', 'traces', traces),
    containerPage(),
  ]
}

/** Shows a file that `ingot init --production` writes. @param path where it is installed */
function fileBlock(name: string, path: string): Block {
  const file = deployFiles(EXAMPLE_NAMES).find((each) => each.name === name)
  if (file === undefined) throw new Error(`there is no file '${name}' for production`)
  return example({ [path]: file.text }, { title: name, description: file.description })
}

/** Lists settings of the server, each with a link to its description. */
function settingsTable(
  title: string,
  heading: string,
  settings: readonly (readonly [name: string, value: string, description: string])[],
): Block {
  const rows = rowsOf(settings).map((row) => ({ ...row, href: `production/settings.html#${row.name}` }))
  return table(title, rows, ['What', heading, 'Meaning'])
}

function installingPage(): Entry {
  return productionPage('installing', 'Installing', 'From the folder of a site to a unit that starts at boot.', [
    paragraph(
      'A site is built on a development or CI machine, and copied as one file. `deploy/` contains the files for its environment. Change them as you like: a second `ingot init --production` overwrites none.',
    ),
    codeBlock(
      'ingot check kitchen',
      'ingot init --production --host shop.example kitchen',
      'ingot build kitchen --pack site.tgz',
    ),
    paragraph(
      'On the server, as root: install Ingot so that only root can change it, and create a user with the name of the site, which owns only the data in `/var/lib/kitchen`.',
    ),
    codeBlock(
      'npm install --prefix /opt/ingot ingot',
      'useradd --system --user-group --home-dir /var/lib/kitchen --shell /usr/sbin/nologin kitchen',
      'install -D -m 0644 site.tgz /srv/kitchen/site.tgz',
      'install -m 0600 kitchen/deploy/kitchen.env /etc/kitchen.env',
      'install -m 0644 kitchen/deploy/kitchen.service /etc/systemd/system/kitchen.service',
      'systemctl enable --now kitchen',
    ),
    paragraph(
      'The server creates its own PostgreSQL in the data folder, runs the migrations of the site, and listens on `127.0.0.1:3000`. The whole disk is read-only for it, except that folder. Before visitors come, `ingot doctor` reports what is missing or wrong, and what to set:',
    ),
    codeBlock('ingot doctor kitchen'),
    paragraph(
      'Files and folders of the data folder are readable only for the user of the server, whatever its umask, and every start removes the permissions of others. So a web server cannot read uploaded files from it: let the server send them, or keep them in an S3 bucket. If root starts the server, it runs PostgreSQL as the system user `ingot`, or as `nobody` if that user does not exist; other programs of that user cannot connect to it. The packages of PostgreSQL have versions such as `18.4.0-beta.17`: 18.4 is a release of PostgreSQL, and `beta` counts releases of the package around it.',
    ),
    fileBlock('kitchen.service', '/etc/systemd/system/kitchen.service'),
    fileBlock('kitchen.env', '/etc/kitchen.env'),
  ])
}

function tlsPage(): Entry {
  return productionPage(
    'tls',
    'TLS in front',
    'A proxy terminates TLS. The server trusts only this proxy to identify visitors.',
    [
      paragraph(
        'With `INGOT_PROXIES=1` the server trusts the last address of `X-Forwarded-For`, the scheme and the host from one proxy; with two proxies set 2. Without a proxy set 0, because otherwise visitors choose their own address. If it is not set, these headers are ignored. The first request with such a header is then logged with what to set, and `ingot doctor` reports it. Until it is set, all visitors behind the proxy count as one: the wrong passwords of one visitor lock out the others, and cookies lack `Secure`.',
      ),
      paragraph(
        '`INGOT_HOSTS` lists the names of the site; `*.shop.example` allows subdomains, and `shop.example:8443` only that port. Clients can send any `Host` header. Without the list, the host of a request is therefore never stored. Links in mails, text messages, jobs and calls of other servers lead to the address that the server listens on (`localhost:3000`), even if a template passes `context.location.host`, and fragments are cached per host. The start and `ingot doctor` warn about it. Domains of email addresses, and values that a template writes to the database or the session, are not changed. With the list, all of these use the host of the request. In development (`ingot dev`) they always do, because the server then accepts only names of its own machine, IP addresses and listed names. Otherwise a web page could point its own name to the site. For a phone use the IP address of the machine, and list the names of containers and tunnels. A page on another host, including a subdomain, cannot sign a visitor in; pages on the listed names can.',
      ),
      paragraph(
        '`INGOT_RATE` limits the requests from one address to a process in five minutes. In production the limit is 3,000; beyond it, the address gets the status 429, and assets, for ten minutes. An address may be an office: 25 people who open a page every ten seconds, each with three requests of its scripts, send as many. Assets are not counted. Each process counts separately, so an address with several connections may send a multiple of it. The limit does not apply to this machine. While `INGOT_PROXIES` is not set, it does not apply to requests with proxy headers either. Visitors can send such headers too, so set `INGOT_PROXIES=0` if there is no proxy. `INGOT_RATE=off` turns the limit off.',
      ),
      paragraph(
        'Limits count networks: an IPv4 address, or the first 64 bits of an IPv6 address. A network has ten wrong passwords per account and, in production, `INGOT_SIGN_UPS` sign-ups in fifteen minutes, on all servers together. With a wrong `INGOT_PROXIES`, all visitors share the network of the proxy, and its limits. Each process hashes two passwords at a time, networks take turns, and at most `INGOT_PASSWORDS_WAITING` passwords may wait. `INGOT_NEW_SESSIONS` limits the rows of visitors who keep no cookie.',
      ),
      paragraph(
        'Request bodies are limited twice. The proxy accepts a form with four files of `INGOT_UPLOAD_LIMIT`, and the server rejects bodies above its own limits with its own message. Raise the limit of the proxy together with those. Disk space for uploads and memory for bodies are shared: one client (an IPv4 address, 64 bits of an IPv6 address) gets at most half, and when nothing is left, the client with the largest share is disconnected. Set `INGOT_PROXIES` behind a proxy, or all visitors are one client. WebSockets need the headers `Upgrade` and `Connection` of the configurations below. The paths for monitoring are closed to visitors.',
      ),
      fileBlock('nginx.conf', '/etc/nginx/conf.d/kitchen.conf'),
      fileBlock('Caddyfile', '/etc/caddy/Caddyfile'),
    ],
  )
}

function backupPage(): Entry {
  return productionPage(
    'backup',
    'Backup and restore',
    'A complete backup of the database, the uploaded files and the secret, while the server runs.',
    [
      paragraph(
        'The data folder (`INGOT_DATA`) contains everything to back up: the built-in PostgreSQL, uploaded files, and the secret of the site. Take a backup as the user of the server, who owns them. Each is in a folder named by its time, and appears there only when it is complete. `--keep` removes older ones.',
      ),
      codeBlock('ingot backup kitchen --to backups --keep 14', 'ingot restore --check backups'),
      paragraph('A timer of systemd runs it every night, as the user of the site:'),
      codeBlock(
        'install -d -o kitchen -g kitchen -m 0700 /var/backups/kitchen',
        'install -m 0644 kitchen/deploy/kitchen-backup.service kitchen/deploy/kitchen-backup.timer /etc/systemd/system/',
        'systemctl enable --now kitchen-backup.timer',
      ),
      fileBlock('kitchen-backup.service', '/etc/systemd/system/kitchen-backup.service'),
      fileBlock('kitchen-backup.timer', '/etc/systemd/system/kitchen-backup.timer'),
      paragraph(
        'A restore takes the folder of one backup, or the newest backup in a folder; with `--until`, the newest one before that time. It compares every file with its digest, and creates the data folder only if all of them are correct. The folder must not exist yet.',
      ),
      codeBlock('INGOT_DATA=restored ingot restore backups kitchen'),
      paragraph(
        'With `INGOT_WAL_ARCHIVE` the server archives all later writes in a folder, preferably on another disk. Together with a backup, this restores the state of any moment:',
      ),
      codeBlock('INGOT_DATA=earlier ingot restore backups kitchen --wal wal --until 2026-02-28T12:30:00Z'),
      paragraph(
        'Uploaded files that are newer than the backup are restored from a copy of them, with `--files`. Files in an S3 bucket are not in any backup: use its versioning. Test a restore before you need one.',
      ),
      paragraph(
        "A separate PostgreSQL (`DATABASE_URL`) is backed up with its own tools; `ingot backup` does not include it. With pgBackRest, on the server of the database, `archive_mode = on` and `archive_command = 'pgbackrest --stanza=kitchen archive-push %p'` in `postgresql.conf`, and this configuration:",
      ),
      example(
        {
          '/etc/pgbackrest.conf': [
            '[global]',
            'repo1-path=/var/lib/pgbackrest',
            'repo1-retention-full=4',
            'start-fast=y',
            '',
            '[kitchen]',
            'pg1-path=/var/lib/postgresql/15/main',
          ].join('\n'),
        },
        {
          title: 'pgBackRest',
          description:
            'After `stanza-create` and `check`, run `backup --type=full` once a week and `--type=incr` in between; `restore --type=time --target=…` restores a moment.',
          notes: [
            'The secret (`INGOT_SECRET`) is not in the database: back it up, too. Without it the constants of the site cannot be read.',
          ],
        },
      ),
    ],
  )
}

function sizingPage(): Entry {
  return productionPage('sizing', 'Sizing', 'Processes, memory and connections of one machine.', [
    settingsTable('Defaults', 'Number', [
      [
        'INGOT_WORKERS',
        '2 to 4',
        'Processes that serve requests: one per processor, and at least two, so that one serves while a page keeps the other busy.',
      ],
      [
        'INGOT_JOB_THREADS',
        '2 to 4',
        'Concurrent jobs, in a separate process. Each may use `INGOT_JOB_MEMORY` megabytes.',
      ],
      [
        'INGOT_POOL',
        '10',
        'Connections of each process. A separate PostgreSQL must allow this number times the number of processes of all servers, twice during a reload.',
      ],
    ]),
    paragraph(
      'Start with two processors and 2 GB, and watch three metrics: `ingot_event_loop_delay_seconds` (if processes are busy, add processes or processors), `ingot_db_pool_waiting` (if statements wait, add connections, or an index), and `ingot_queue_oldest_seconds` (if jobs wait, add threads). `ingot explain` shows the plan of a slow query.',
    ),
    paragraph(
      'A job that never ends blocks the others at most until its time limit. For each job that has run for 2 seconds an extra thread starts, at most two; it ends after a minute without a job. A job gets no extra thread if other jobs of its name run for long or needed too much memory, so short jobs continue next to three endless ones. For the memory of jobs, count two threads more than `INGOT_JOB_THREADS`. Nothing is interrupted before its limit, and nothing runs twice because of this.',
    ),
    paragraph(
      'On disk, Ingot takes less than 130 MB with its own PostgreSQL, and less than 60 MB without it and without `esbuild`, which is needed only for builds. Node needs additional space. Keep half of the data disk free: PostgreSQL writes ahead, and a changed type rewrites its table.',
    ),
  ])
}

function severalServersPage(): Entry {
  return productionPage('servers', 'Several servers', 'Several machines for one site: shared and separate settings.', [
    settingsTable('The same for all servers', 'Type', [
      ['DATABASE_URL', '', 'One PostgreSQL, 15 or newer. The built-in one serves only its own machine.'],
      ['INGOT_SECRET', '', "One secret: servers read each other's sessions and constants."],
      [
        'INGOT_S3_ENDPOINT',
        '',
        'One store for files, with its bucket, key and secret. Other servers cannot find a file on the disk of one server.',
      ],
      ['REDIS_URL', '', 'One cache, if fragments should not be kept in the database.'],
      ['INGOT_HOSTS', '', 'The host names of the site.'],
      [
        'INGOT_RELEASES',
        '',
        '`database`: one command switches all servers to another build. Otherwise, copy an archive to each server, and reload them one after the other.',
      ],
    ]),
    paragraph(
      'A server in production reports missing shared settings when it starts. So does `ingot doctor`, which also lists the servers that share the database, their versions, and differences between their clocks.',
    ),
    paragraph(
      'The load balancer checks `/_ingot/ready`. Set `INGOT_DRAIN` to the time it takes to notice a change. Jobs can run separately from pages: set `INGOT_JOB_THREADS=0` for the servers, and run',
    ),
    codeBlock('ingot worker kitchen'),
    paragraph('Read replicas and failover have a separate page.'),
  ])
}

function failoverPage(): Entry {
  return productionPage(
    'failover',
    'Read replicas and failover',
    'A primary with a streaming replica: which queries read from it, and what happens if the primary fails.',
    [
      paragraph(
        'With `DATABASE_REPLICA_URL`, queries that request it (`options: { read_replica: true }`) read from a streaming replica. Their data may be slightly old, but at most `INGOT_REPLICA_LAG` seconds: if the replica lags behind further, or cannot be reached, the primary answers. All other queries and all writes use `DATABASE_URL`.',
      ),
      paragraph(
        'Ingot connects to one address for each. Other software must route them to the right server: PostgreSQL under Patroni with `synchronous_mode`, so that no acknowledged row is lost, and haproxy in front, which asks the Patroni of each server for its role.',
      ),
      example(
        {
          '/etc/haproxy/haproxy.cfg': [
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
        {
          title: 'haproxy in front of the database',
          description: '`DATABASE_URL` names port 5000, and `DATABASE_REPLICA_URL` port 5001.',
          notes: [
            'If a connection leads to a read-only server, it is closed and opened again, so that nothing is written to the wrong server.',
          ],
        },
      ),
      paragraph(
        'If a connection breaks, or a response is late, each process checks whether the primary is available. Without a primary, read-only requests use the replica, and `/_ingot/ready` still responds with 200, with `"database":"read-only"`. Writes wait for a moment, and are then refused at once with 503 and `Retry-After`, until another server has taken over. Jobs wait in the queue.',
      ),
      paragraph(
        'If the response to a write is lost, the write is not repeated, because it may have succeeded: the request gets 503. Only statements that certainly did not run are retried. So before a planned switch of the primary, let running writes finish. While the primary reports that it is read-only, or that it is stopping, writes are held for up to twenty seconds. On the primary, as its superuser:',
      ),
      example(
        {
          'switch.sh': [
            `psql -c 'alter system set default_transaction_read_only = on' -c 'select pg_reload_conf()'`,
            'sleep 0.5',
            'patronictl switchover --force',
            `psql -c 'alter system reset default_transaction_read_only' -c 'select pg_reload_conf()'`,
          ].join('\n'),
        },
        {
          title: 'A switch without failed requests',
          description: 'The last statement is for the former primary, after it has rejoined as the replica.',
        },
      ),
      paragraph(
        'Patroni promotes another server if the primary has not renewed its lease for `ttl` seconds: writes are refused for that time after a crash. `npm run cluster` in the sources of Ingot sets all of this up on one machine, and simulates failures.',
      ),
    ],
  )
}

function containerPage(): Entry {
  return productionPage('container', 'In a container', 'An image without root, with a read-only disk and one volume.', [
    paragraph(
      'The image contains Node, Ingot and the build of the site. It writes only to the volume `/data`, and to a `/tmp` in memory. A server with an external database (`DATABASE_URL`) and files in S3 needs no persistent volume.',
    ),
    fileBlock('Containerfile', 'deploy/Containerfile'),
    fileBlock('Containerfile.dockerignore', 'deploy/Containerfile.dockerignore'),
  ])
}
