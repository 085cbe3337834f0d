/** Templates of deployment files: a systemd unit, a container image, and a proxy with TLS. Texts only. */
import { CADDYFILE, NGINX } from './proxies.ts'

/** The names used in the texts. */
interface Deployment {
  /** Name of the unit, its user and its folders. */
  readonly name: string
  /** Public host name of the site. */
  readonly host: string
}

/** A file of the folder `deploy`. */
interface DeployFile {
  readonly name: string
  /** The description of the file in the reference. */
  readonly description: string
  readonly text: string
}

/** Returns all files, in the order in which a user needs them. */
export function deployFiles(names: Deployment): readonly DeployFile[] {
  const filled = (text: string): string => text.replaceAll('@NAME@', names.name).replaceAll('@HOST@', names.host)
  return [
    { name: `${names.name}.service`, description: 'The systemd unit.', text: filled(UNIT) },
    {
      name: `${names.name}.env`,
      description: 'The settings of the unit and of the container.',
      text: filled(SETTINGS),
    },
    {
      name: `${names.name}-backup.service`,
      description: 'The unit of one backup. It removes backups that are older than two weeks.',
      text: filled(BACKUP_UNIT),
    },
    { name: `${names.name}-backup.timer`, description: 'Starts a backup every night.', text: filled(BACKUP_TIMER) },
    { name: 'nginx.conf', description: 'The configuration of nginx, which terminates TLS.', text: filled(NGINX) },
    {
      name: 'Caddyfile',
      description: 'The configuration of Caddy, which terminates TLS and obtains its certificates.',
      text: filled(CADDYFILE),
    },
    {
      name: 'Containerfile',
      description: 'A container image, to use instead of the unit.',
      text: filled(CONTAINERFILE),
    },
    { name: 'Containerfile.dockerignore', description: 'The files to exclude from the image.', text: IGNORED },
  ]
}

/** Converts a text to a valid name for users, units and folders; null if nothing is left of it. @param text name of a folder */
export function deployName(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[-\d]+|-+$/g, '')
    .slice(0, 31)
    .replace(/-$/, '')
  return name === '' ? null : name
}

const UNIT = `# /etc/systemd/system/@NAME@.service
[Unit]
Description=@NAME@, served by Ingot
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=@NAME@
Group=@NAME@
# Data are in /var/lib/@NAME@; /var/cache/@NAME@ is a cache for faster starts. The server writes to no other folder.
StateDirectory=@NAME@
StateDirectoryMode=0700
CacheDirectory=@NAME@
CacheDirectoryMode=0700
Environment=INGOT_ENV=production INGOT_DATA=/var/lib/@NAME@
EnvironmentFile=/etc/@NAME@.env
ExecStart=/opt/ingot/node_modules/.bin/ingot serve /srv/@NAME@/site.tgz
# Reloads the build, process by process, without losing a request.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2

# The server stops its own processes and its PostgreSQL: INGOT_DRAIN and INGOT_GRACE seconds, and half a minute for the database.
KillMode=mixed
KillSignal=SIGTERM
TimeoutStopSec=60
LimitNOFILE=65536

ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
UMask=0077

[Install]
WantedBy=multi-user.target
`

const BACKUP_UNIT = `# /etc/systemd/system/@NAME@-backup.service
[Unit]
Description=Backup of @NAME@

[Service]
Type=oneshot
User=@NAME@
Group=@NAME@
Environment=INGOT_ENV=production INGOT_DATA=/var/lib/@NAME@
EnvironmentFile=/etc/@NAME@.env
# Copy this folder to another machine. The server keeps running.
ExecStart=/opt/ingot/node_modules/.bin/ingot backup /srv/@NAME@ --to /var/backups/@NAME@ --keep 14

NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=/var/lib/@NAME@ /var/backups/@NAME@
ProtectHome=yes
UMask=0077
`

const BACKUP_TIMER = `# /etc/systemd/system/@NAME@-backup.timer
[Unit]
Description=Nightly backup of @NAME@

[Timer]
OnCalendar=*-*-* 03:00:00
RandomizedDelaySec=30min
# Runs a missed backup after the machine was off.
Persistent=true

[Install]
WantedBy=timers.target
`

const SETTINGS = `# /etc/@NAME@.env, readable only by root. All settings: \`ingot serve --help\`.
HOST=127.0.0.1
PORT=3000
# One proxy is in front: its X-Forwarded headers are trusted.
INGOT_PROXIES=1
# Requests for other host names are refused.
INGOT_HOSTS=@HOST@
# Mails.
#INGOT_SMTP_URL=smtps://user:password@mail.example.com
#INGOT_MAIL_FROM=hello@example.com
# An external PostgreSQL; several servers need the same secret.
#DATABASE_URL=postgres://user:password@host:5432/database
#INGOT_SECRET=
`

const CONTAINERFILE = `# In the folder of the site: podman build --file deploy/Containerfile --tag @NAME@ .
# Then, with one writable volume:
#   podman run --read-only --tmpfs /tmp --volume @NAME@:/data --env-file deploy/@NAME@.env --env HOST=0.0.0.0 \\
#     --publish 127.0.0.1:3000:3000 --stop-timeout 60 @NAME@
# To deploy another build, mount its archive over /srv/site.tgz and run podman kill --signal HUP.
ARG NODE=22-bookworm-slim
FROM node:$NODE AS build
ARG INGOT=ingot
RUN npm install --prefix /opt/ingot --no-audit --no-fund $INGOT
COPY . /src
RUN /opt/ingot/node_modules/.bin/ingot build /src --out /tmp/build --pack /srv/site.tgz

FROM node:$NODE
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin ingot && install -d -o ingot -g ingot -m 0700 /data
COPY --from=build /opt/ingot /opt/ingot
COPY --from=build /srv/site.tgz /srv/site.tgz
ENV PATH=/opt/ingot/node_modules/.bin:$PATH INGOT_ENV=production INGOT_DATA=/data HOST=0.0.0.0 PORT=3000
USER ingot
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/_ingot/up').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
CMD ["ingot", "serve", "/srv/site.tgz"]
`

const IGNORED = `.git
.ingot
.ingot-data
deploy
node_modules
`
