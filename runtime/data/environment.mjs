/**
 * The list of all environment variables of a server, with descriptions. `server/core/settings.ts` has the schema of each, and uses `takes`
 * in the message about an invalid value. `ingot serve --help` and the reference print the list. The file is plain JavaScript without
 * imports, because the command line prints it before anything is built.
 */

/**
 * @typedef {object} Variable
 * @property {string} takes what its value is
 * @property {string} description what it is for
 * @property {string} [otherwise] the behavior when the variable is not set; without this text, nothing is printed about it
 * @property {true} [secret] set when messages must not show the value
 */

/** @typedef {Readonly<Record<string, Readonly<Record<string, Variable>>>>} VariableGroups */

/**
 The variables by group title, in the order in which they are printed.
 * @satisfies {VariableGroups}
 */
export const ENVIRONMENT = {
  'The server': {
    HOST: { takes: 'a name or an address', description: 'name or address to listen on', otherwise: 'localhost' },
    PORT: {
      takes: 'a number from 0 to 65535',
      description: 'port to listen on; 0 takes a free one',
      otherwise: '3000',
    },
    INGOT_ENV: {
      takes: 'development, staging or production',
      description: 'the kind of environment',
      otherwise: 'production for `ingot serve` and `ingot worker`, else development',
    },
    INGOT_WORKERS: {
      takes: 'a number from 1 to 64',
      description:
        'number of processes that handle requests; with 1, requests wait while that process is replaced after a fault',
      otherwise: '2 to 4, depending on the machine',
    },
    INGOT_GRACE: {
      takes: 'a number of seconds from 0 to 600',
      description: 'seconds that open requests have to finish when the server stops',
      otherwise: '10',
    },
    INGOT_SILENCE: {
      takes: 'a number of seconds from 1 to 600',
      description: 'seconds without a heartbeat after which a process is replaced',
      otherwise: '10',
    },
    INGOT_SECRET: {
      takes: 'at least 16 characters',
      description:
        "key that encrypts the site's constants in the database and signs sessions; all servers of a database need the same one",
      otherwise: 'kept in the data folder',
      secret: true,
    },
    INGOT_DATA: {
      takes: 'a folder',
      description: 'folder for the embedded PostgreSQL, uploaded files, and the key of the constants',
      otherwise: "`.ingot-data` in the site's folder",
    },
    INGOT_RELEASES: {
      takes: '`database`, or a folder',
      description:
        'where releases are stored: in the database, for servers without a shared folder, or in a folder; `ingot serve` then serves the active release',
      otherwise: '`releases` in the folder of INGOT_DATA, once a release was activated',
    },
    INGOT_DEPLOYS_KEPT: {
      takes: 'a number from 1 to 50',
      description: 'number of earlier releases that a deploy server keeps for rollbacks, in addition to the active one',
      otherwise: '10',
    },
    INGOT_DEPLOY_DAYS: {
      takes: 'a number of days from 1 to 3650',
      description: 'days that a deploy server keeps results of deploys, and files that were sent to it',
      otherwise: '30',
    },
    INGOT_SESSION_MINUTES: {
      takes: 'a number of minutes from 1 to 5259600',
      description: 'minutes without a visit after which a session ends',
      otherwise: '525960',
    },
    INGOT_API_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      description: 'a token for `/api/graph` with all rights',
      secret: true,
    },
  },
  'Open to the world': {
    INGOT_PROXIES: {
      takes: 'a number from 0 to 16',
      description:
        'number of proxies in front of the server whose `X-Forwarded-*` and trace headers are trusted; 0 means that there are none',
      otherwise: 'no proxy is trusted, and one that adds headers is reported',
    },
    INGOT_HOSTS: {
      takes: 'names with commas between them, such as shop.example,*.shop.example,shop.example:8443',
      description:
        'host names of the site; only these may occur in links of mails and jobs, and visitors may be signed in on each of them',
      otherwise:
        'any name is accepted, and links in mails and jobs use the address of the server; in development, only names of this machine and IP addresses are accepted',
    },
    INGOT_REDIRECT_HOSTS: {
      takes: 'names with commas between them, such as shop.example,*.shop.example',
      description: 'other hosts to which redirects may lead when a request names them',
    },
    INGOT_ASSETS_URL: {
      takes: 'an address such as https://cdn.shop.example',
      description:
        'prefix of asset URLs in templates: a server with the same files below `/assets`, such as this site under another host name',
      otherwise: 'asset URLs have no host',
    },
    INGOT_RATE: {
      takes: 'a number from 0 to 1000000, or off',
      description:
        'maximum number of requests, except for assets, that an address may send to each process in five minutes; further requests are rejected for ten minutes',
      otherwise: '3000 in production, otherwise off',
    },
    INGOT_SIGN_UPS: {
      takes: 'a number from 0 to 1000000',
      description:
        'maximum number of users with a password that visitors of one network may create in fifteen minutes, on all servers together; requests with an API token and imports do not count',
      otherwise: '20 in production, enough for a class but not for a program; otherwise 0, which means no limit',
    },
    INGOT_NEW_SESSIONS: {
      takes: 'a number from 0 to 1000000',
      description:
        'maximum number of sessions that visitors of one network without a cookie may create in each process in five minutes; visitors with a cookie may create ten times as many; after that, no sessions are stored for ten minutes',
      otherwise: '300 in production, one new visitor per second; otherwise 0, which means no limit',
    },
    INGOT_PASSWORDS_WAITING: {
      takes: 'a number from 4 to 10000',
      description:
        'maximum number of passwords that may wait in each process to be hashed or checked, a quarter of them from one network; further passwords are rejected for five seconds',
      otherwise: '100, which takes two or three seconds',
    },
    INGOT_BODY_LIMIT: {
      takes: 'a number of bytes from 1024 to 1073741824',
      description: 'maximum size in bytes of a request without files',
      otherwise: '1048576',
    },
    INGOT_OUTGOING: {
      takes: 'hosts and networks with commas between them, such as 10.1.0.0/16,billing.internal',
      description: 'parts of the private network that the site may call',
    },
    INGOT_OUTGOING_STAND_IN: {
      takes: 'pairs such as https://api.example=http://127.0.0.1:9999, with commas between them',
      description: 'servers to call instead of others, for tests of a site; not in production',
    },
    INGOT_RECAPTCHA_URL: {
      takes: 'an address such as https://www.recaptcha.net/recaptcha',
      description: 'address of reCAPTCHA, a provider of spam challenges',
      otherwise: 'the official address',
    },
    INGOT_HCAPTCHA_URL: {
      takes: 'an address such as https://hcaptcha.example',
      description: 'address of hCaptcha, a provider of spam challenges',
      otherwise: 'the official address',
    },
  },
  'Signing in with OpenID Connect': {
    INGOT_OIDC_NAME_ISSUER: {
      takes: 'an https address without a query, such as https://login.example',
      description:
        'address that identifies a provider; in all these variables, NAME is its name in capitals, such as KEYCLOAK for `/auth/keycloak`; outside of production, the address may be http on this machine',
    },
    INGOT_OIDC_NAME_CLIENT_ID: {
      takes: '1 to 1000 printable characters without spaces',
      description:
        'id of the site at the provider; its redirect address there is `https://<host>/auth/<name>/callback`',
    },
    INGOT_OIDC_NAME_CLIENT_SECRET: {
      takes: '1 to 1000 printable characters',
      description: 'secret of the site at the provider',
      otherwise: 'the site is a public client',
      secret: true,
    },
    INGOT_OIDC_NAME_SCOPES: {
      takes: 'scopes with spaces between them, such as openid email profile',
      description: 'what the site asks the provider for; `openid` is always added',
      otherwise: '`openid email profile`',
    },
    INGOT_OIDC_NAME_TRUST_EMAIL: {
      takes: 'on or off',
      description:
        'whether an e-mail address that the provider has verified signs in the user with this address, and links both; anyone who runs the provider can then sign in as any user',
      otherwise: 'such a visitor must sign in with the password first, and then link the account',
    },
    INGOT_OIDC_NAME_RESPONSE_MODE: {
      takes: 'query or form_post',
      description: 'how the provider sends its response; some send names and addresses only with form_post',
      otherwise: 'in the address of the redirect, `query`',
    },
  },
  'The database': {
    DATABASE_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      description: 'URL of a PostgreSQL server, version 15 or newer',
      otherwise: 'the embedded PostgreSQL, in the data folder',
      secret: true,
    },
    DATABASE_REPLICA_URL: {
      takes: 'an address such as postgres://user:password@host:5432/database',
      description: 'a read-only copy of the database, for queries that request one',
      secret: true,
    },
    INGOT_REPLICA_LAG: {
      takes: 'a number of seconds from 0 to 86400',
      description: 'maximum lag of that copy in seconds; when it is exceeded, the primary answers instead',
      otherwise: '10',
    },
    INGOT_POOL: {
      takes: 'a number from 2 to 1000',
      description: 'maximum number of connections of each process to the database',
      otherwise: '10',
    },
    INGOT_WAL_ARCHIVE: {
      takes: 'a folder',
      description: 'folder in which the embedded PostgreSQL archives its write-ahead log, for `ingot restore --until`',
    },
    REDIS_URL: {
      takes: 'an address such as redis://localhost:6379',
      description: 'a Redis or Valkey for cached fragments',
      otherwise: 'cached fragments are stored in the database',
      secret: true,
    },
  },
  Files: {
    INGOT_UPLOAD_LIMIT: {
      takes: 'a number of bytes from 1024 to 2147483648',
      description: 'maximum size in bytes of an uploaded file; a form may contain four times as much',
      otherwise: '25000000',
    },
    INGOT_S3_ENDPOINT: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      description: 'a file store with the S3 protocol',
      otherwise: 'files are stored in the data folder',
    },
    INGOT_S3_BUCKET: {
      takes: '3 to 63 lower-case letters, digits, dots and dashes',
      description: 'bucket of the file store',
    },
    INGOT_S3_REGION: {
      takes: 'a name such as eu-central-1',
      description: 'region of the file store',
      otherwise: 'us-east-1',
    },
    INGOT_S3_KEY: { takes: 'a text', description: 'access key of the file store', secret: true },
    INGOT_S3_SECRET: { takes: 'a text', description: 'secret of the access key', secret: true },
    INGOT_S3_PUBLIC_URL: {
      takes: 'an address such as https://s3.eu-central-1.amazonaws.com',
      description: 'address at which browsers read public files of the bucket',
      otherwise: '`/uploads/` redirects to signed addresses',
    },
  },
  Jobs: {
    INGOT_JOB_THREADS: {
      takes: 'a number from 0 to 64',
      description:
        'number of jobs that run at the same time; up to two more run during long jobs; 0 leaves all jobs to `ingot worker`',
      otherwise: '2 to 4, depending on the machine',
    },
    INGOT_JOB_MEMORY: {
      takes: 'a number of megabytes from 32 to 65536',
      description: 'maximum memory of a job in megabytes',
      otherwise: '256',
    },
    INGOT_JOB_SECONDS_HIGH: {
      takes: 'a number of seconds from 1 to 86400',
      description: 'seconds that a job of high priority may take',
      otherwise: '60',
    },
    INGOT_JOB_SECONDS: {
      takes: 'a number of seconds from 1 to 86400',
      description: 'seconds that a job may take',
      otherwise: '300',
    },
    INGOT_JOB_SECONDS_LOW: {
      takes: 'a number of seconds from 1 to 604800',
      description: 'seconds that a job of low priority may take',
      otherwise: '14400',
    },
    INGOT_JOB_SILENCE: {
      takes: 'a number of seconds from 3 to 3600',
      description: "seconds without a heartbeat after which a server's jobs are started on another server",
      otherwise: '60',
    },
    INGOT_JOB_DAYS: {
      takes: 'a number of days from 1 to 3650',
      description: 'days that dead jobs are kept, and records of finished jobs that may have run more than once',
      otherwise: '90',
    },
    INGOT_EXPORT_DAYS: {
      takes: 'a number of days from 1 to 3650',
      description: 'days that exports are kept, with their files',
      otherwise: '30',
    },
  },
  'PDF files': {
    INGOT_CHROMIUM: {
      takes: 'the path of a program',
      description: 'the Chromium that creates PDF files: Chromium, Google Chrome, or their headless shell',
      otherwise: 'the one on `PATH`, or in its usual folder',
    },
    INGOT_PDF_SECONDS: {
      takes: 'a number of seconds from 1 to 600',
      description: 'seconds that a document may take; the time limit of a page applies as well',
      otherwise: '10',
    },
    INGOT_PDF_MEMORY: {
      takes: 'a number of megabytes from 256 to 65536',
      description: 'memory that Chromium may use for a document in megabytes',
      otherwise: '768',
    },
    INGOT_PDF_AT_ONCE: {
      takes: 'a number from 1 to 32',
      description:
        'number of documents that are printed at the same time, each in its own Chromium; one of them stays warm, and eight documents may wait for each',
      otherwise: '2',
    },
    INGOT_PDF_HOSTS: {
      takes: 'names with commas between them, such as fonts.example,*.cdn.example',
      description:
        'other hosts from which documents may load images, styles, scripts and fonts; addresses of the private network stay closed',
      otherwise: 'documents load only what the site itself serves',
    },
    INGOT_PDF_SANDBOX: {
      takes: 'on or off',
      description:
        "whether Chromium's sandbox isolates documents from the machine; it needs user namespaces, which some containers do not allow",
      otherwise: 'on',
    },
  },
  'Mails and texts': {
    INGOT_SMTP_URL: {
      takes: 'an address such as smtp://user:password@mail.example.com:587',
      description: 'the mail server',
      otherwise: 'in development, mails are kept in an outbox; otherwise no mails are sent',
      secret: true,
    },
    INGOT_MAIL_FROM: { takes: 'an e-mail address', description: 'sender of mails that do not name a sender' },
    INGOT_TEST_EMAIL: { takes: 'an e-mail address', description: 'gets all mails of a staging server' },
    INGOT_SMS_URL: {
      takes: 'an address such as https://sms.example.com/send',
      description: 'the gateway that receives text messages as JSON',
    },
    INGOT_SMS_TOKEN: { takes: 'a text', description: 'the token that is sent to the gateway', secret: true },
  },
  Watched: {
    INGOT_UP_PATH: {
      takes: 'a path such as /_ingot/up',
      description: 'path that reports whether the server is running',
      otherwise: '/_ingot/up',
    },
    INGOT_READY_PATH: {
      takes: 'a path such as /_ingot/up',
      description: 'path that reports whether the server accepts requests',
      otherwise: '/_ingot/ready',
    },
    INGOT_DRAIN: {
      takes: 'a number of seconds from 0 to 600',
      description: 'seconds during which a stopping server still answers, but reports that it is not ready',
      otherwise: '0',
    },
    INGOT_METRICS_PORT: {
      takes: 'a number from 0 to 65535',
      description: 'a separate port for the metrics, at `/metrics`',
    },
    INGOT_METRICS_TOKEN: {
      takes: '16 to 256 printable characters without spaces',
      description: "token that gives access to the metrics on the server's port",
      secret: true,
    },
    INGOT_METRICS_PATH: {
      takes: 'a path such as /_ingot/up',
      description: "path of the metrics on the server's port",
      otherwise: '/_ingot/metrics',
    },
    INGOT_LOG: {
      takes: 'one of fatal, error, warn, info, debug, trace, silent',
      description: 'lowest level that is logged',
      otherwise: 'info',
    },
    INGOT_LOG_DAYS: {
      takes: 'a number of days from 1 to 3650',
      description: 'days that entries of the log are kept',
      otherwise: '30',
    },
    INGOT_SLOW_QUERY: {
      takes: 'a number of milliseconds from 0 to 3600000',
      description: 'minimum duration in milliseconds of a query that is logged as slow; 0 logs none',
      otherwise: '1000',
    },
    INGOT_SLOW_PAGE: {
      takes: 'a number of milliseconds from 0 to 3600000',
      description: 'minimum duration in milliseconds of a page that is logged as slow; 0 logs none',
      otherwise: '2000',
    },
    INGOT_SLOW_PARTIAL: {
      takes: 'a number of milliseconds from 0 to 3600000',
      description:
        'minimum duration in milliseconds of an asynchronous partial that gets a separate span in a trace; 0 for none',
      otherwise: '10',
    },
    INGOT_RECORDING: {
      takes: 'on or off',
      description: 'whether the last requests and jobs are recorded in development, for the studio and for `ingot mcp`',
      otherwise: 'on',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      takes: 'an address such as http://collector:4318',
      description:
        'receiver of traces and metrics, with `@opentelemetry/sdk-node` installed; other variables of the SDK also apply: protocol, headers, service name',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      takes: 'an address such as http://collector:4318/v1/traces',
      description: 'receiver of traces only',
    },
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
      takes: 'an address such as http://collector:4318/v1/metrics',
      description: 'receiver of metrics only',
    },
    OTEL_METRICS_EXPORTER: { takes: 'none', description: 'sends no metrics' },
    OTEL_TRACES_EXPORTER: { takes: 'none', description: 'sends no traces' },
    OTEL_SDK_DISABLED: { takes: 'true', description: 'sends neither traces nor metrics' },
  },
  'Another server': {
    MPKIT_URL: {
      takes: 'an address such as https://shop.example',
      description:
        'the server that `ingot deploy`, `ingot sync`, `ingot logs` and `ingot data` use, when MPKIT_TOKEN and MPKIT_EMAIL are also set',
      otherwise: 'an environment of the file .pos',
    },
    MPKIT_TOKEN: { takes: 'a token of the server', description: 'token of the server in MPKIT_URL', secret: true },
    MPKIT_EMAIL: { takes: 'an e-mail address', description: 'e-mail address of the user of the token' },
    CONFIG_FILE_PATH: {
      takes: 'a file',
      description: 'the file that lists environments',
      otherwise: '`.pos` in the folder of the site, or in the current folder',
    },
    INGOT_MODULES: {
      takes: 'a folder, an archive, or the address of a registry',
      description: 'source of modules for `ingot modules` that do not name a registry',
    },
    INGOT_DEPLOY_ERRORS: {
      takes: 'refuse or report',
      description:
        'what `ingot serve --instance` does with a deploy whose site has errors: `refuse` keeps the current site; `report` serves the new one and reports the errors to the client and in the log, and each error fails where it occurs',
      otherwise: 'refuse',
    },
    INGOT_EDITOR: {
      takes: 'a command such as `code`, with `{file}` and `{line}` in its arguments if it is not a known editor',
      description: 'editor that opens templates from pages in development; it is started without a shell',
      otherwise: '`VISUAL` or `EDITOR` if it has a window, else an editor that is running',
    },
    INGOT_LINKS: {
      takes: 'folders, separated by commas',
      description:
        'folders outside of a site to which its symbolic links may lead, for all commands that read a site; list folders that your sites share',
      otherwise: 'no link out of a site is followed',
    },
  },
}
