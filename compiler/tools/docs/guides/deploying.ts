/** The guide to deploying, releases and backups. */
import { guide, list, part, shell, text } from './guide.ts'

export const deploying = guide('deploying', {
  name: 'Deploying, releases and backups',
  summary: 'Put a site on a server, replace it without failed requests, and restore its data.',
  words:
    'deploy server production publish release rollback backup restore host docker container systemd nginx tls https domain install upgrade',
  blocks: [
    part('Put a site on a server', 'deploy production host systemd nginx docker install'),
    shell(
      'npx ingot check kitchen',
      'npx ingot init --production --host shop.example kitchen',
      'npx ingot build kitchen --pack site.tgz',
    ),
    text(
      '`deploy/` then contains a systemd unit, its settings, nginx and Caddy with TLS, and a `Containerfile`. Copy `site.tgz` to the server and run `ingot serve site.tgz`: [Installing](production/installing.html) has each command, [In a container](production/container.html) the image, [TLS in front](production/tls.html) the proxy. Then let `ingot doctor` look for problems.',
    ),
    list(
      '`ingot serve` runs a build in two processes or more and one for jobs, without parser or compiler in memory. SIGHUP loads a new build without losing a request: [Upgrades and reloading](production/upgrades.html).',
      '`ingot doctor` checks everything that a server depends on (build, database and replica, bucket, mail server, Redis, disk, clock, other servers of the database). It reports problems and risks, and the setting to change. In production a server does the same at its start.',
      'When the disk of the log is full, the server keeps serving. It reports on standard error that lines are lost, and writes again when there is space.',
    ),
    part('Settings of a public server', 'hosts domain proxy rate limit cdn maintenance environment variables'),
    list(
      '`INGOT_HOSTS`: host names of the site, with a port if it matters: `shop.example,*.shop.example,shop.example:8443`. Without it the site answers to any name, and links in mails and jobs use the own address of the server. `ingot dev` answers to its own machine, IP addresses and these names.',
      '`INGOT_REDIRECT_HOSTS`: other hosts that a redirect from request data may lead to: `partner.example,*.partner.example`. Addresses that a template writes or fetches itself may lead anywhere.',
      '`INGOT_ASSETS_URL`: the prefix of asset addresses (`https://cdn.shop.example`), in templates and in `{{ asset_url }}`. Without it they have no host.',
      '`INGOT_LINKS`: folders outside of a site that its symbolic links may lead to, separated by commas. Without it such links are not followed.',
      '`INGOT_PROXIES`: number of proxies in front whose `X-Forwarded-*` headers are trusted; `0` for none. If it is not set and a proxy is detected, the log and `ingot doctor` report it.',
      '`INGOT_RATE`: requests that an address may send to a process in five minutes, without assets. Further requests get 429 for ten minutes. 3000 in production, otherwise `off`; this machine and unnamed proxies are not counted.',
      '`INGOT_SIGN_UPS`: sign-ups with a password for each network in fifteen minutes, on all servers together: 20 in production, otherwise `0` for any number. API tokens, jobs and imports are not counted.',
      '`INGOT_NEW_SESSIONS`: sessions without a cookie that a network may start in a process in five minutes: 300 in production, otherwise `0` for any number. Above this number pages are still answered, but their sessions are not stored.',
      '`INGOT_PASSWORDS_WAITING`: passwords that may wait in a process to be hashed, 100; at most a quarter of them from one network. Further ones get 429.',
      'All variables: [Settings of the environment](production/settings.html). `ingot serve --help` lists them, too.',
    ),
    text(
      '`maintenance: { enabled: true, password_constant: DOOR, partial: closed }` in `app/config.yml` closes a site: its pages show the partial. Visitors who send the value of the constant `DOOR` as `password` to `/_maintenance` get in. A form for it is at `/_maintenance/new`.',
    ),
    text(
      'A busy process serves client addresses in turn. Idle connections are closed to make room for new ones, and so are connections of clients that do not read their answers.',
    ),
    part('Releases', 'release activate rollback switch version zero downtime'),
    shell('npx ingot release push site.tgz', 'npx ingot release activate ID', 'npx ingot release rollback'),
    list(
      '`ingot release push site.tgz` stores a build in a folder (`INGOT_RELEASES`, by default `releases` in the data folder) or, if servers share no folder, in the database (`INGOT_RELEASES=database`).',
      '`ingot release activate ID` switches every server that uses that store, process by process, without a failed request. First it verifies the digest of every file, loads the build in a separate process, reports the changes to tables (`--dry-run` stops here), waits until every server has the build, and runs the migrations. The first new process of each server is checked for readiness. If one cannot start, all servers go back automatically, and the command reports the server and the reason.',
      'While old and new releases serve together, the tables fit both: values are converted after the last server has left the old release.',
      '`ingot release rollback` returns to the previous release. After a converted type or a removed table it needs `--force` and counts the rows.',
      'Pages of another release find their assets as long as it is kept (`prune --keep N`). `ingot data`, `migrations`, `explain`, `openapi` and `doctor` use the active release, as `ingot serve` does.',
    ),
    part('A server that is deployed to', 'deploy sync instance pos-cli push'),
    shell('npx ingot serve --instance /srv/kitchen', 'npx ingot deploy https://shop.example'),
    list(
      "`ingot serve --instance DIR` starts empty and serves what the platform's command-line client or `ingot deploy` sends: full and partial deploys, dry runs, assets, single files. Each deploy is compiled in a separate process and activated as a release; its warnings are computed afterwards. If a deploy has errors, the previous one stays active. With `INGOT_DEPLOY_ERRORS=report` the deploy is activated and its errors are reported.",
      'A single template, query, form, policy, notification or translation replaces modules of the active release, in all processes at once. Schemas, assets, the configuration, migrations and manifests of modules create a release. You can go back to the last `INGOT_DEPLOYS_KEPT` releases (10) with their edits. Deploy records and archives are deleted after `INGOT_DEPLOY_DAYS` (30).',
      "`ingot data … URL` and the platform's client export, import and remove its data. The client can also pull the site and clone the installation. Its screens show the log and the requests. The server keeps requests for three days, without their query strings: the last 200,000, and at most 1,000 a second from each process.",
      'More: [A server that is deployed to](production/deployed.html).',
    ),
    part('Backups', 'backup restore disaster recovery point in time'),
    shell('npx ingot backup kitchen --to backups/monday', 'npx ingot restore --check backups/monday'),
    list(
      '`ingot backup --to FOLDER --keep 14` copies the included PostgreSQL, uploaded files and the secret while the server runs, into a folder that is named by the time. Backups are atomic. `ingot init --production` writes a timer that makes one every night.',
      '`ingot restore BACKUP` verifies every digest, replays the write-ahead log in a temporary copy and only then puts the data folder in place.',
      'With `INGOT_WAL_ARCHIVE=FOLDER` the log is archived there at least once a minute, and `ingot restore BACKUP --until 2026-02-28T12:30:00Z` restores the database as of that moment: [Backups](production/backup.html).',
    ),
    part('Several servers', 'cluster scale load balancer replica failover high availability'),
    text(
      'Servers share a PostgreSQL, a secret and a store for files: [Several servers](production/servers.html), [Read replicas and failover](production/failover.html). `ingot worker` runs only jobs.',
    ),
  ],
})
