/**
 * The list of environment variables of a server, with their descriptions. `server/core/settings.ts` has the schema of each, and uses
 * `takes` in errors about invalid values. `ingot serve --help` and the reference print the list. This is plain JavaScript without imports,
 * because the command line prints it before anything is built.
 */

/**
 * @typedef {object} Variable
 * @property {string} takes description of valid values
 * @property {string} says its purpose
 * @property {string} [otherwise] the default, if there is one
 * @property {true} [secret] whether messages must not show its value
 */

/** @typedef {Readonly<Record<string, Readonly<Record<string, Variable>>>>} VariableGroups */

/** Grouped by title, in display order. @satisfies {VariableGroups} */
export const ENVIRONMENT = {
  'The server': {
    HOST: { takes: 'a name or an address', says: 'name or address to listen on', otherwise: 'localhost' },
    PORT: { takes: 'a number from 0 to 65535', says: 'port to listen on; 0 selects a free one', otherwise: '3000' },
    INGOT_ENV: {
      takes: 'development, staging or production',
      says: 'purpose of the server',
      otherwise: 'production for `ingot serve` and `ingot worker`, otherwise development',
    },
    INGOT_WORKERS: {
      takes: 'a number from 2 to 64',
      says: 'number of processes that serve requests',
      otherwise: '2 to 4, depending on the machine',
    },
    INGOT_GRACE: {
      takes: 'a number of seconds from 0 to 600',
      says: 'seconds for open requests to finish when the server stops',
      otherwise: '10',
    },
    INGOT_SILENCE: {
      takes: 'a number of seconds from 1 to 600',
      says: 'seconds after which an unresponsive process is replaced',
      otherwise: '10',
    },
    INGOT_SECRET: {
      takes: 'at least 16 characters',
      says: "key of sessions and of the site's constants in the database; must be the same for all servers of a database",
      otherwise: 'a key in the data folder',
      secret: true,
    },
    INGOT_DATA: {
      takes: 'a folder',
      says: 'data folder, with the built-in PostgreSQL, uploaded files, and the key of the constants',
      otherwise: "`.ingot-data` in the site's folder",
    },
    INGOT_RELEASES: {
      takes: '`database`, or a folder',
      says: 'where releases are stored: in the database, for servers that share no folder, or in a folder; `ingot serve` then serves the active one',
      otherwise: '`releases` in the folder of INGOT_DATA, after the first activation',
    },
    INGOT_DEPLOYS_KEPT: {
      takes: 'a number from 1 to 50',
      says: 'number of releases that a server with deploys keeps besides the active one; they are the last active ones, for rollbacks',
      otherwise: '10',
    },
    INGOT_DEPLOY_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days that a server with deploys keeps the results of deploys, and uploaded archives',
      otherwise: '30',
    },
    INGOT_SESSION_MINUTES: {
      takes: 'a number of minutes from 1 to 5259600',
      says: 'minutes without a visit after which a session ends',
      otherwise: '525960',
    },
    INGOT_API_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      says: 'an administrator token for `/api/graph`',
      secret: true,
    },
  },
  'Open to the world': {
    INGOT_PROXIES: {
      takes: 'a number from 0 to 16',
      says: 'number of proxies in front whose `X-Forwarded-*` and trace headers are trusted; 0 if there are none',
      otherwise: 'no proxy is trusted, and one that adds headers is reported',
    },
    INGOT_HOSTS: {
      takes: 'comma-separated names, such as shop.example,*.shop.example,shop.example:8443',
      says: 'host names of the site, also allowed in links in mails and jobs; its pages may sign visitors in on each of them',
      otherwise:
        'any, and links in mails and jobs have the address of the server; in development this machine and IP addresses',
    },
    INGOT_REDIRECT_HOSTS: {
      takes: 'comma-separated names, such as shop.example,*.shop.example',
      says: 'other hosts that a redirect may lead to if the request contained the target',
    },
    INGOT_ASSETS_URL: {
      takes: 'an address such as https://cdn.shop.example',
      says: 'prefix of asset addresses in templates: a server with the same files below `/assets`, such as another name of this site',
      otherwise: 'addresses without a host',
    },
    INGOT_RATE: {
      takes: 'a number from 0 to 1000000, or off',
      says: 'requests, except for assets, that an address may send to each process in five minutes; then it is refused for ten',
      otherwise: '3000 in production, otherwise off',
    },
    INGOT_SIGN_UPS: {
      takes: 'a number from 0 to 1000000',
      says: 'sign-ups with a password from one network in fifteen minutes, on all servers together; requests with an API token and imports do not count',
      otherwise: '20 in production, enough for a school class but not for a bot; otherwise 0, unlimited',
    },
    INGOT_NEW_SESSIONS: {
      takes: 'a number from 0 to 1000000',
      says: 'new stored sessions from one network without a cookie in each process in five minutes, and ten times as many with a cookie; above the limit, pages are served for ten minutes without storing sessions',
      otherwise: '300 in production, one new visitor per second; otherwise 0, unlimited',
    },
    INGOT_PASSWORDS_WAITING: {
      takes: 'a number from 4 to 10000',
      says: 'passwords that may wait in each process to be hashed or checked, at most a quarter of them from one network; further ones are refused for five seconds',
      otherwise: '100, which take two or three seconds',
    },
    INGOT_BODY_LIMIT: {
      takes: 'a number of bytes from 1024 to 1073741824',
      says: 'maximum size of a request without files, in bytes',
      otherwise: '1048576',
    },
    INGOT_OUTGOING: {
      takes: 'comma-separated hosts and networks, such as 10.1.0.0/16,billing.internal',
      says: 'parts of the private network that the site may call',
    },
    INGOT_OUTGOING_STAND_IN: {
      takes: 'comma-separated pairs, such as https://api.example=http://127.0.0.1:9999',
      says: 'servers to call instead of others, to try a site out; not in production',
    },
    INGOT_RECAPTCHA_URL: {
      takes: 'an address such as https://www.recaptcha.net/recaptcha',
      says: 'address of this provider of spam challenges',
      otherwise: "the provider's public address",
    },
    INGOT_HCAPTCHA_URL: {
      takes: 'an address such as https://www.recaptcha.net/recaptcha',
      says: 'address of this provider of spam challenges',
      otherwise: "the provider's public address",
    },
  },
  'The database': {
    DATABASE_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      says: 'an external PostgreSQL, 15 or newer',
      otherwise: 'the built-in PostgreSQL, in the data folder',
      secret: true,
    },
    DATABASE_REPLICA_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      says: 'a read replica of it, for queries that request one',
      secret: true,
    },
    INGOT_REPLICA_LAG: {
      takes: 'a number of seconds from 0 to 86400',
      says: 'maximum lag of the replica in seconds; above it, the primary answers',
      otherwise: '10',
    },
    INGOT_POOL: {
      takes: 'a number from 2 to 1000',
      says: 'database connections of each process',
      otherwise: '10',
    },
    INGOT_WAL_ARCHIVE: {
      takes: 'a folder',
      says: 'folder where the built-in PostgreSQL archives its write-ahead log, for `ingot restore --until`',
    },
    REDIS_URL: {
      takes: 'an address such as redis://localhost:6379',
      says: 'a Redis or Valkey for cached fragments',
      otherwise: 'the database',
      secret: true,
    },
  },
  Files: {
    INGOT_UPLOAD_LIMIT: {
      takes: 'a number of bytes from 1024 to 2147483648',
      says: 'maximum size of an uploaded file in bytes; a form may contain four times as much',
      otherwise: '25000000',
    },
    INGOT_S3_ENDPOINT: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      says: 'an S3-compatible store for files',
      otherwise: 'the data folder',
    },
    INGOT_S3_BUCKET: { takes: '3 to 63 lowercase letters, digits, dots and dashes', says: 'bucket of the store' },
    INGOT_S3_REGION: { takes: 'a name such as eu-central-1', says: 'region of the store', otherwise: 'us-east-1' },
    INGOT_S3_KEY: { takes: 'a text', says: 'key of the store', secret: true },
    INGOT_S3_SECRET: { takes: 'a text', says: 'secret of the key', secret: true },
    INGOT_S3_PUBLIC_URL: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      says: 'where browsers read public files of the bucket',
      otherwise: '`/uploads/` redirects to signed addresses',
    },
  },
  Jobs: {
    INGOT_JOB_THREADS: {
      takes: 'a number from 0 to 64',
      says: 'number of concurrent jobs, plus up to two more next to long-running jobs; 0 leaves them to `ingot worker`',
      otherwise: '2 to 4, depending on the machine',
    },
    INGOT_JOB_MEMORY: {
      takes: 'a number of megabytes from 32 to 65536',
      says: 'memory limit of one job in megabytes',
      otherwise: '256',
    },
    INGOT_JOB_SECONDS_HIGH: {
      takes: 'a number of seconds from 1 to 86400',
      says: 'time limit of a job with high priority in seconds',
      otherwise: '60',
    },
    INGOT_JOB_SECONDS: {
      takes: 'a number of seconds from 1 to 86400',
      says: 'time limit of a job in seconds',
      otherwise: '300',
    },
    INGOT_JOB_SECONDS_LOW: {
      takes: 'a number of seconds from 1 to 604800',
      says: 'time limit of a job with low priority in seconds',
      otherwise: '14400',
    },
    INGOT_JOB_SILENCE: {
      takes: 'a number of seconds from 3 to 3600',
      says: "seconds without a sign of life after which other servers take over a server's jobs",
      otherwise: '60',
    },
    INGOT_JOB_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days to keep dead jobs, and records of completed ones that may have run twice',
      otherwise: '90',
    },
    INGOT_EXPORT_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days to keep exports and their files',
      otherwise: '30',
    },
  },
  'Mails and texts': {
    INGOT_SMTP_URL: {
      takes: 'an address such as smtp://user:password@mail.example.com:587',
      says: 'takes the mails',
      otherwise: 'in development an outbox, otherwise no mails are sent',
      secret: true,
    },
    INGOT_MAIL_FROM: { takes: 'an e-mail address', says: 'default sender of mails' },
    INGOT_TEST_EMAIL: { takes: 'an e-mail address', says: 'address that receives all mails of a staging server' },
    INGOT_SMS_URL: {
      takes: 'an address such as https://sms.example.com/send',
      says: 'the SMS gateway, which accepts JSON',
    },
    INGOT_SMS_TOKEN: { takes: 'a text', says: 'token for the SMS gateway', secret: true },
  },
  Watched: {
    INGOT_UP_PATH: {
      takes: 'a path such as /_ingot/up',
      says: 'path of the liveness check',
      otherwise: '/_ingot/up',
    },
    INGOT_READY_PATH: {
      takes: 'a path such as /_ingot/up',
      says: 'path of the readiness check',
      otherwise: '/_ingot/ready',
    },
    INGOT_DRAIN: {
      takes: 'a number of seconds from 0 to 600',
      says: 'seconds for which a stopping server reports that it is not ready but still serves requests',
      otherwise: '0',
    },
    INGOT_METRICS_PORT: { takes: 'a number from 0 to 65535', says: 'separate port for the metrics, at `/metrics`' },
    INGOT_METRICS_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      says: "token that also gives access to the metrics on the server's port",
      secret: true,
    },
    INGOT_METRICS_PATH: {
      takes: 'a path such as /_ingot/up',
      says: "path of the metrics on the server's port",
      otherwise: '/_ingot/metrics',
    },
    INGOT_LOG: {
      takes: 'one of fatal, error, warn, info, debug, trace, silent',
      says: 'lowest level that is logged',
      otherwise: 'info',
    },
    INGOT_LOG_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days to keep log entries',
      otherwise: '30',
    },
    INGOT_SLOW_QUERY: {
      takes: 'a number of milliseconds from 0 to 3600000',
      says: 'milliseconds from which a query is logged as slow; 0 for never',
      otherwise: '1000',
    },
    INGOT_SLOW_PAGE: {
      takes: 'a number of milliseconds from 0 to 3600000',
      says: 'milliseconds from which a page is logged as slow; 0 for never',
      otherwise: '2000',
    },
    INGOT_SLOW_PARTIAL: {
      takes: 'a number of milliseconds from 0 to 3600000',
      says: 'milliseconds from which a waiting partial has a separate span in a trace; 0 for never',
      otherwise: '10',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      takes: 'an address such as http://collector:4318',
      says: 'receiver of traces and metrics, with `@opentelemetry/sdk-node` installed; other variables of the SDK hold, too: protocol, headers, name of the service',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      takes:
        'receiver of traces and metrics; requires `@opentelemetry/sdk-node`; other variables of the SDK work too: protocol, headers, name of the service',
      says: 'the same for traces alone',
    },
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
      takes: 'receiver of traces only',
      says: 'the same for metrics alone',
    },
    OTEL_METRICS_EXPORTER: { takes: 'none', says: 'receiver of metrics only' },
    OTEL_TRACES_EXPORTER: { takes: 'none', says: 'turns metrics off' },
    OTEL_SDK_DISABLED: { takes: 'true', says: 'turns both off' },
  },
  'Another server': {
    MPKIT_URL: {
      takes: 'turns traces off',
      says: 'the server that `ingot deploy`, `ingot sync`, `ingot logs` and `ingot data` use, if MPKIT_TOKEN and MPKIT_EMAIL are set as well',
      otherwise: 'an environment of the file .pos',
    },
    MPKIT_TOKEN: { takes: 'a token of that server', says: 'a token of that server', secret: true },
    MPKIT_EMAIL: { takes: 'an email address', says: 'email address of the user' },
    CONFIG_FILE_PATH: {
      takes: 'a file',
      says: 'the file of environments',
      otherwise: '`.pos` in the folder of the site, or in the current folder',
    },
    INGOT_MODULES: {
      takes: 'a folder, an archive, or the address of a registry',
      says: 'where `ingot modules` finds modules that name no registry',
    },
    INGOT_DEPLOY_ERRORS: {
      takes: 'refuse or report',
      says: 'what `ingot serve --instance` does with a deploy whose site has errors: `refuse` keeps the active site; `report` serves the new one, where each error fails at its place, and reports the errors to the client and in the log',
      otherwise: 'refuse',
    },
    INGOT_LINKS: {
      takes: 'comma-separated folders',
      says: 'folders outside of a site that its symbolic links may lead to, for all commands that read a site; name your own folders that several sites share',
      otherwise: 'no link out of a site is followed',
    },
  },
}
