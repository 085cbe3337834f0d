/**
 * The list of all environment variables of a server, with descriptions. `server/core/settings.ts` has the schema of each, and uses `takes`
 * in the message about an invalid value. `ingot serve --help` and the reference print the list. The file is plain JavaScript without
 * imports, because the command line prints it before anything is built.
 */

/**
 * @typedef {object} Variable
 * @property {string} takes what its value is
 * @property {string} says what it is for
 * @property {string} [otherwise] what holds where it is not set; without it, nothing
 * @property {true} [secret] no message may show its value
 */

/** @typedef {Readonly<Record<string, Readonly<Record<string, Variable>>>>} VariableGroups */

/**
 * By group title, in the order of printing.
 * @satisfies {VariableGroups}
 */
export const ENVIRONMENT = {
  'The server': {
    HOST: { takes: 'a name or an address', says: 'name or address to listen on', otherwise: 'localhost' },
    PORT: { takes: 'a number from 0 to 65535', says: 'port to listen on; 0 takes a free one', otherwise: '3000' },
    INGOT_ENV: {
      takes: 'development, staging or production',
      says: 'what the server is for',
      otherwise: 'production for `ingot serve` and `ingot worker`, else development',
    },
    INGOT_WORKERS: {
      takes: 'a number from 2 to 64',
      says: 'processes that answer',
      otherwise: '2 to 4, by the machine',
    },
    INGOT_GRACE: {
      takes: 'a number of seconds from 0 to 600',
      says: 'seconds that open requests get when the server stops',
      otherwise: '10',
    },
    INGOT_SILENCE: {
      takes: 'a number of seconds from 1 to 600',
      says: 'seconds after which a process that gives no sign of life is replaced',
      otherwise: '10',
    },
    INGOT_SECRET: {
      takes: 'at least 16 characters',
      says: "key of the site's constants in the database, and of sessions; the same for all servers of a database",
      otherwise: 'kept in the data folder',
      secret: true,
    },
    INGOT_DATA: {
      takes: 'a folder',
      says: 'holds our own PostgreSQL, uploaded files, and the key of the constants',
      otherwise: "`.ingot-data` in the site's folder",
    },
    INGOT_RELEASES: {
      takes: '`database`, or a folder',
      says: 'where releases are kept: in the database, for servers that share no folder, or in a folder; `ingot serve` then serves the active one',
      otherwise: '`releases` in the folder of INGOT_DATA, once a release was activated',
    },
    INGOT_DEPLOYS_KEPT: {
      takes: 'a number from 1 to 50',
      says: 'releases that a server which is deployed to keeps beside the one that it serves: the last that were served, which a rollback leads to',
      otherwise: '10',
    },
    INGOT_DEPLOY_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days that a server which is deployed to keeps what became of deploys, and files that were sent to it',
      otherwise: '30',
    },
    INGOT_SESSION_MINUTES: {
      takes: 'a number of minutes from 1 to 5259600',
      says: 'minutes without a visit after which a session ends',
      otherwise: '525960',
    },
    INGOT_API_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      says: 'a token for `/api/graph` that may do everything',
      secret: true,
    },
  },
  'Open to the world': {
    INGOT_PROXIES: {
      takes: 'a number from 0 to 16',
      says: 'proxies in front whose `X-Forwarded-*` and trace headers are believed; 0 says that there are none',
      otherwise: 'no proxy is trusted, and one that adds headers is reported',
    },
    INGOT_HOSTS: {
      takes: 'names with commas between them, such as shop.example,*.shop.example,shop.example:8443',
      says: 'names that the site answers to, and that its links in mails and jobs may have; its pages may sign visitors in on each of them',
      otherwise:
        'any, and links in mails and jobs have the address of the server; in development this machine and IP addresses',
    },
    INGOT_REDIRECT_HOSTS: {
      takes: 'names with commas between them, such as shop.example,*.shop.example',
      says: 'other hosts to which a redirect may lead although the request named them',
    },
    INGOT_ASSETS_URL: {
      takes: 'an address such as https://cdn.shop.example',
      says: 'what the addresses of assets in templates begin with: a server that has what this one has below `/assets`, such as this site under a name of its own',
      otherwise: 'they have no host',
    },
    INGOT_RATE: {
      takes: 'a number from 0 to 1000000, or off',
      says: 'requests other than for assets that an address may send to each process in five minutes; then it is refused for ten',
      otherwise: '3000 in production, else off',
    },
    INGOT_SIGN_UPS: {
      takes: 'a number from 0 to 1000000',
      says: 'users with a password that the visitors of one network may create in fifteen minutes, on all servers together; requests with an API token and imports do not count',
      otherwise: '20 in production: a class that signs up together has room, a program has not; else 0, any number',
    },
    INGOT_NEW_SESSIONS: {
      takes: 'a number from 0 to 1000000',
      says: 'sessions that visitors of one network who bring no cookie may begin to store in each process in five minutes, and ten times as many of those who bring one; then their pages are answered for ten minutes without storing more',
      otherwise: '300 in production, one new visitor each second; else 0, any number',
    },
    INGOT_PASSWORDS_WAITING: {
      takes: 'a number from 4 to 10000',
      says: 'passwords of visitors that may wait in each process to be hashed or checked, a quarter of them from one network; further ones are refused for five seconds',
      otherwise: '100, which take two or three seconds',
    },
    INGOT_BODY_LIMIT: {
      takes: 'a number of bytes from 1024 to 1073741824',
      says: 'bytes of the largest request without files',
      otherwise: '1048576',
    },
    INGOT_OUTGOING: {
      takes: 'hosts and networks with commas between them, such as 10.1.0.0/16,billing.internal',
      says: 'parts of the private network that the site may call',
    },
    INGOT_OUTGOING_STAND_IN: {
      takes: 'pairs such as https://api.example=http://127.0.0.1:9999, with commas between them',
      says: 'servers to call in the place of others, to try a site out; not in production',
    },
    INGOT_RECAPTCHA_URL: {
      takes: 'an address such as https://www.recaptcha.net/recaptcha',
      says: 'where this provider of spam challenges is reached',
      otherwise: 'its own address',
    },
    INGOT_HCAPTCHA_URL: {
      takes: 'an address such as https://www.recaptcha.net/recaptcha',
      says: 'where this provider of spam challenges is reached',
      otherwise: 'its own address',
    },
  },
  'The database': {
    DATABASE_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      says: "a PostgreSQL of one's own, 15 or newer",
      otherwise: 'our own PostgreSQL, in the data folder',
      secret: true,
    },
    DATABASE_REPLICA_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      says: 'a read-only copy of it, for queries that ask for one',
      secret: true,
    },
    INGOT_REPLICA_LAG: {
      takes: 'a number of seconds from 0 to 86400',
      says: 'seconds by which that copy may lag behind; when it is more, the database itself answers',
      otherwise: '10',
    },
    INGOT_POOL: {
      takes: 'a number from 2 to 1000',
      says: 'connections of each process to the database',
      otherwise: '10',
    },
    INGOT_WAL_ARCHIVE: {
      takes: 'a folder',
      says: 'where our own PostgreSQL keeps its write-ahead log, for `ingot restore --until`',
    },
    REDIS_URL: {
      takes: 'an address such as redis://localhost:6379',
      says: 'a Redis or Valkey for cached fragments',
      otherwise: 'the database keeps them',
      secret: true,
    },
  },
  Files: {
    INGOT_UPLOAD_LIMIT: {
      takes: 'a number of bytes from 1024 to 2147483648',
      says: 'bytes of the largest uploaded file; a form may bring four times as much',
      otherwise: '25000000',
    },
    INGOT_S3_ENDPOINT: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      says: 'a store for files that speaks S3',
      otherwise: 'files lie in the data folder',
    },
    INGOT_S3_BUCKET: { takes: '3 to 63 small letters, digits, dots and dashes', says: 'bucket of the store' },
    INGOT_S3_REGION: { takes: 'a name such as eu-central-1', says: 'region of the store', otherwise: 'us-east-1' },
    INGOT_S3_KEY: { takes: 'a text', says: 'key of the store', secret: true },
    INGOT_S3_SECRET: { takes: 'a text', says: 'secret of the key', secret: true },
    INGOT_S3_PUBLIC_URL: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      says: 'where browsers read public files of the bucket',
      otherwise: '`/uploads/` sends them on to signed addresses',
    },
  },
  Jobs: {
    INGOT_JOB_THREADS: {
      takes: 'a number from 0 to 64',
      says: 'jobs that run at once, and up to two more beside jobs that run for long; 0 leaves them to `ingot worker`',
      otherwise: '2 to 4, by the machine',
    },
    INGOT_JOB_MEMORY: {
      takes: 'a number of megabytes from 32 to 65536',
      says: 'megabytes of memory that one job may need',
      otherwise: '256',
    },
    INGOT_JOB_SECONDS_HIGH: {
      takes: 'a number of seconds from 1 to 86400',
      says: 'seconds that a job of high priority may take',
      otherwise: '60',
    },
    INGOT_JOB_SECONDS: {
      takes: 'a number of seconds from 1 to 86400',
      says: 'seconds that a job may take',
      otherwise: '300',
    },
    INGOT_JOB_SECONDS_LOW: {
      takes: 'a number of seconds from 1 to 604800',
      says: 'seconds that a job of low priority may take',
      otherwise: '14400',
    },
    INGOT_JOB_SILENCE: {
      takes: 'a number of seconds from 3 to 3600',
      says: "seconds without a sign of life after which a server's jobs start elsewhere",
      otherwise: '60',
    },
    INGOT_JOB_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days that dead jobs are kept, and the records of done ones that may have run twice',
      otherwise: '90',
    },
    INGOT_EXPORT_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days that exports are kept, with their files',
      otherwise: '30',
    },
  },
  'Mails and texts': {
    INGOT_SMTP_URL: {
      takes: 'an address such as smtp://user:password@mail.example.com:587',
      says: 'takes the mails',
      otherwise: 'in development an outbox, else none are sent',
      secret: true,
    },
    INGOT_MAIL_FROM: { takes: 'an e-mail address', says: 'sender of mails that name none' },
    INGOT_TEST_EMAIL: { takes: 'an e-mail address', says: 'gets all mails of a staging server' },
    INGOT_SMS_URL: {
      takes: 'an address such as https://sms.example.com/send',
      says: 'the gateway that takes texts as JSON',
    },
    INGOT_SMS_TOKEN: { takes: 'a text', says: 'the token that the gateway is sent', secret: true },
  },
  Watched: {
    INGOT_UP_PATH: {
      takes: 'a path such as /_ingot/up',
      says: 'where the server says that it lives',
      otherwise: '/_ingot/up',
    },
    INGOT_READY_PATH: {
      takes: 'a path such as /_ingot/up',
      says: 'where it says whether requests may be sent to it',
      otherwise: '/_ingot/ready',
    },
    INGOT_DRAIN: {
      takes: 'a number of seconds from 0 to 600',
      says: 'seconds in which a server that stops answers on, and says that it is not ready',
      otherwise: '0',
    },
    INGOT_METRICS_PORT: { takes: 'a number from 0 to 65535', says: 'a port of its own for the metrics, at `/metrics`' },
    INGOT_METRICS_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      says: "shows the metrics on the server's port, too, to those who send it",
      secret: true,
    },
    INGOT_METRICS_PATH: {
      takes: 'a path such as /_ingot/up',
      says: "where the metrics are on the server's port",
      otherwise: '/_ingot/metrics',
    },
    INGOT_LOG: {
      takes: 'one of fatal, error, warn, info, debug, trace, silent',
      says: 'lowest level that is logged',
      otherwise: 'info',
    },
    INGOT_LOG_DAYS: {
      takes: 'a number of days from 1 to 3650',
      says: 'days that entries of the log are kept',
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
      says: 'milliseconds from which a partial that waits for something has a span of its own in a trace; 0 for never',
      otherwise: '10',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      takes: 'an address such as http://collector:4318',
      says: 'receiver of traces and metrics, with `@opentelemetry/sdk-node` installed; other variables of the SDK hold, too: protocol, headers, name of the service',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      takes: 'an address such as http://collector:4318/v1/traces',
      says: 'the same for traces alone',
    },
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
      takes: 'an address such as http://collector:4318/v1/metrics',
      says: 'the same for metrics alone',
    },
    OTEL_METRICS_EXPORTER: { takes: 'none', says: 'sends no metrics' },
    OTEL_TRACES_EXPORTER: { takes: 'none', says: 'sends no traces' },
    OTEL_SDK_DISABLED: { takes: 'true', says: 'sends none' },
  },
  'Another server': {
    MPKIT_URL: {
      takes: 'an address such as https://shop.example',
      says: 'the server that `ingot deploy`, `ingot sync`, `ingot logs` and `ingot data` work with, where MPKIT_TOKEN and MPKIT_EMAIL are set, too',
      otherwise: 'an environment of the file .pos',
    },
    MPKIT_TOKEN: { takes: 'a token of that server', says: 'a token of that server', secret: true },
    MPKIT_EMAIL: { takes: 'an address of mail', says: 'who is calling' },
    CONFIG_FILE_PATH: {
      takes: 'a file',
      says: 'the file of environments',
      otherwise: '`.pos` in the folder of the site, or in that of the call',
    },
    INGOT_MODULES: {
      takes: 'a folder, an archive, or the address of a registry',
      says: 'where `ingot modules` takes modules from that name no registry of their own',
    },
    INGOT_DEPLOY_ERRORS: {
      takes: 'refuse or report',
      says: 'what `ingot serve --instance` does with a deploy whose site has errors: `refuse` keeps the site that is served; `report` serves the new one, where each error fails at the place that it is about, and reports the errors to the client and in the log',
      otherwise: 'refuse',
    },
    INGOT_LINKS: {
      takes: 'folders, separated by commas',
      says: 'folders outside of a site to which its symbolic links may lead, for `ingot build`, `check`, `dev`, `deploy` and all others that read a site; name those of your own that sites share',
      otherwise: 'no link out of a site is followed',
    },
  },
}
