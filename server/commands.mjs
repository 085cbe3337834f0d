// The commands of `ingot`, with what `ingot --help` says of each.

/**
 * A command.
 * @typedef {object} Command
 * @property {'compiler' | 'server'} wing what runs it
 * @property {string} takes what follows its name
 * @property {string} [does]
 * @property {readonly string[]} [options]
 * @property {string} [more] what stands below the options
 * @property {boolean} [hidden] it is not listed
 */

/** Which server a command works with. */
const SERVERS = `Servers:
  A URL, or the name of an environment in the file .pos, as the platform's command-line client keeps it:
  {"staging": {"url": "https://…", "token": "…", "email": "…"}}; without either, MPKIT_URL, MPKIT_TOKEN and MPKIT_EMAIL.
`

/** @type {Readonly<Record<string, Command>>} */
export const COMMANDS = {
  init: {
    wing: 'compiler',
    takes: 'DIR',
    does: 'write a small site to begin with',
    options: [
      '--production [DIR]   write the folder `deploy` of a site: a unit, an image, and a proxy with TLS in front',
      '--host NAME          with it: where visitors reach the site',
    ],
  },
  dev: {
    wing: 'server',
    takes: '[DIR]',
    does: 'build, serve, rebuild on save, reload the open page',
    options: ['--host HOST', '--port PORT', '--env ENV'],
  },
  check: {
    wing: 'compiler',
    takes: '[DIR | FILE …]',
    does: 'report the errors of a site, or of some of its files',
    options: [
      '--format text|json|github|sarif',
      '--all      show every finding whole, those of one code too',
      '--quiet    show errors only',
      '--max-warnings N   exit with 1 for more warnings, too',
      '--fix      make the changes that are safe, and tell what is left',
      '--stdin    take the text of FILE from standard input',
      '--baseline FILE    tell only what is not in it: findings of an old site',
      '--write-baseline FILE   write all findings of today into it',
      '--dialect liquid   DIR holds templates of base Liquid, and no site',
      '--ext .html        with it: the ending of the templates; may be repeated',
      '--data FILE        with it: JSON or YAML, all that the templates are given',
      '--needs            with it: tell what is not there, by name',
      '--distributed NAME say of each query where it runs when records are distributed by this column or property',
      '                   (Citus): one shard, colocated join, all shards, or impossible, with which it exits with 1',
    ],
  },
  build: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'compile a site into DIR/.ingot',
    options: [
      '--out DIR',
      '--pack FILE    and all of it into one file, which `ingot serve FILE` takes: site.tgz',
      '--keep-going   build a site that has errors; each becomes a run-time error',
      '--stats        print how many expressions are emitted by their types',
      '--dialect liquid   DIR holds templates of base Liquid, and no site',
    ],
  },
  serve: {
    wing: 'server',
    takes: '[DIR|FILE]',
    does: 'run a site that was built, or packed',
    options: [
      '--host HOST',
      '--port PORT',
      '--env ENV',
      '--workers N   processes that answer',
      '--threads N   jobs that run at once; 0 leaves them to `ingot worker`',
      '--out DIR',
      "--instance    begin with nothing, and serve what is deployed by the platform's command-line client",
    ],
    more: `Signals:
  SIGHUP    loads the build anew, process by process: no request is lost, and what cannot start changes nothing
  SIGTERM   answers what is open, for INGOT_GRACE seconds at most, and ends; a second one ends it at once
`,
  },
  release: {
    wing: 'server',
    takes: 'push|list|activate|rollback|prune',
    does: 'keep builds, and switch all servers from one to another without a lost request',
    options: [
      'push BUILD [DIR]    keep a build: an archive, a folder of `ingot build --out`, or a site that was built',
      'list [DIR]          which are kept, and which is served',
      'activate ID [DIR]   check it, run its migrations, and have all servers switch to it; its first letters are enough',
      'rollback [DIR]      the same with the one that was served before',
      'prune [DIR]         remove the oldest',
      '--dry-run   only say what would be done to the tables (with activate, rollback)',
      '--force     go back over converted types and removed tables',
      '--keep N    how many `prune` leaves, the active one always (5)',
    ],
  },
  worker: {
    wing: 'server',
    takes: '[DIR]',
    does: 'only run the jobs of a site that was built, beside its servers',
    options: ['--env ENV', '--threads N   jobs that run at once', '--out DIR'],
  },
  jobs: {
    wing: 'server',
    takes: 'list|show|retry|delete',
    does: 'look into the queue of a site',
    options: [
      'list [DIR] [--state scheduled|running|retry|dead|done] [--limit N]',
      'show ID [DIR]              all that is known of a job',
      'retry ID|--all-dead [DIR]  try what failed again',
      'delete ID [DIR]            take a job out of the queue',
      '--json   the answer as JSON',
    ],
  },
  migrations: {
    wing: 'server',
    takes: 'list|run|retry [DIR]',
    does: 'the migrations of a site that was built; `ingot serve` runs them as well',
    options: [
      'list [DIR]        which have run, and why others failed',
      'run [DIR]         all that have not run, or failed',
      'retry NAME [DIR]  one alone; the time that its name begins with is enough',
    ],
  },
  logs: {
    wing: 'server',
    takes: '[DIR|URL|ENV]',
    does: 'what a site has logged, here or on another server: its own entries, and errors with their places',
    options: [
      '--follow          go on with what is logged from now on',
      '--notify          raise errors on the desktop (with --follow)',
      '--type TYPE       entries of one type: error, info, …',
      '--grep PATTERN    entries that hold what a regular expression (RE2) finds',
      '--since 30m       from then on: s, m, h, d, w, or a time as 2026-02-28T12:00Z',
      '--limit N         the last N (100)',
      '--json            a line of JSON each',
    ],
    more: SERVERS,
  },
  deploy: {
    wing: 'server',
    takes: '[URL|ENV] [DIR]',
    does: 'send a site to a server that takes deploys, and wait until it is served there',
    options: [
      '--partial   leave what the folder does not hold as it is there',
      '--dry-run   only say what is wrong',
      '--verbose   name every file that was changed',
    ],
    more: SERVERS,
  },
  sync: {
    wing: 'server',
    takes: '[URL|ENV] [FILE…]',
    does: 'send each file of a site that is saved to a server, or those that are named, once',
    options: ['--dir DIR   folder of the site (.)'],
    more: SERVERS,
  },
  modules: {
    wing: 'server',
    takes: 'install|update|list',
    does: 'the modules that a site asks for in pos-module.json, by their versions',
    options: [
      'install [NAME[@RANGE]…]   what the site asks for, as pos-module.lock.json says; a name is added to what it asks for',
      'update [NAME…]            the newest versions that fit',
      'list                      what is asked for, locked and there',
      '--from PLACE   a folder, an archive, or the URL of a registry (INGOT_MODULES)',
      '--dir DIR      folder of the site (.)',
      '--dev          also the devDependencies',
      '--frozen       only what the lock says, else exit with 2 (with install)',
    ],
  },
  token: {
    wing: 'server',
    takes: 'create|list|revoke [ID] [DIR]',
    does: 'tokens of programs that send queries to /api/graph',
    options: ['--name NAME   what the token is for', '--scope read|write|deploy|exec|admin   what it may do (read)'],
  },
  constants: {
    wing: 'server',
    takes: 'list|set|unset',
    does: 'the constants of a site; running servers see a change at once',
    options: [
      'list [DIR] [--values] [--json]',
      'set NAME=VALUE [DIR]   or NAME alone, with the value on standard input',
      'unset NAME [DIR]',
    ],
  },
  exec: {
    wing: 'server',
    takes: 'FILE|- [DIR]',
    does: "run Liquid, or a .graphql file, against the site's own data",
    options: [
      '--var NAME=VALUE   a parameter (context.params), or a variable of the document; lists and hashes as JSON',
      '--graphql          what comes from standard input is GraphQL',
    ],
  },
  test: {
    wing: 'server',
    takes: '[FILE …]',
    does: 'run the tests of a site, each in a transaction that is undone',
    options: [
      '--filter TEXT   those whose name holds a text',
      '--watch         again whenever a file is saved',
      '--coverage      which lines of templates have run',
      '--reporter text|junit|json',
      '--junit FILE    also write the XML of JUnit',
    ],
    more: `Tests:
  Partials whose names end in _test, as app/lib/test/dish_test.liquid: they are given \`contract\`, and fail by its errors.
  Lists of requests, as app/lib/test/dish_test.yml: each \`- GET: /dishes/1\` with status, text, without, selector, location.
`,
  },
  console: {
    wing: 'server',
    takes: '[DIR]',
    does: "type Liquid and GraphQL against the site's own data, with completion",
  },
  data: {
    wing: 'server',
    takes: 'export|import|seed|update|clean',
    does: 'write, read or seed the data of a site that was built, or that another server serves',
    options: [
      'export [DIR] --format json|csv [--table T]… [--users] [--out FILE|DIR|-]',
      'import [DIR] FILE… [--format json|csv] [--table T | --users] [--dry-run] [--overwrite] [--errors FILE]',
      'seed [DIR] [--reset] [--dry-run] [--errors FILE]   the files seed/*.json of the site',
      'export URL|ENV [--format json|csv] [--raw-ids] [--out FILE|-]   of another server, in the form of the service',
      'import URL|ENV FILE [--raw-ids]   an archive of CSV files, or JSON; --raw-ids keeps the ids of JSON',
      'update URL|ENV FILE   changes rows that are there, by JSON',
      "clean URL|ENV [--include-schema] [--confirm='CLEAN DATA']   removes all data",
    ],
    more: SERVERS,
  },
  doctor: {
    wing: 'server',
    takes: '[DIR]',
    does: 'tell what is wrong, or may go wrong, with how a server is set up',
    options: ['--json   all of it as JSON'],
  },
  backup: {
    wing: 'server',
    takes: '[DIR]',
    does: 'copy our own PostgreSQL and the files of a site, while it serves',
    options: ['--to FOLDER   where the backup is to stand'],
  },
  restore: {
    wing: 'server',
    takes: 'BACKUP [DIR]',
    does: 'make the data folder of a site from a backup',
    options: [
      '--check          only tell whether the backup is whole',
      '--wal FOLDER     go on with what INGOT_WAL_ARCHIVE has kept there since',
      '--until TIME     but no further than 2026-02-28T12:30:00Z',
      '--files FOLDER   uploaded files that are newer than the backup',
    ],
  },
  generate: {
    wing: 'compiler',
    takes: 'KIND NAME [FIELD …]',
    does: 'write the files of a table, page, form, crud (all of these), module or migration',
    options: [
      'FIELD           NAME or NAME:TYPE: string, text, integer, float, boolean, date, datetime',
      '--dir DIR       folder of the site (.)',
      '--policy NAME   the authorization policy that those who write have to meet',
      '--dry-run       only name the files',
      '--force         replace files that are there',
    ],
  },
  routes: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'list the addresses of a site: method, format, policies, layout, page',
    options: ['--json        all of it as JSON', '--grep TEXT   those that hold a text in their address or file'],
  },
  format: {
    wing: 'compiler',
    takes: '[DIR | FILE …]',
    does: 'put the white space of Liquid, YAML and GraphQL in order, where it is not printed',
    options: [
      '--check   write nothing, and tell which files would change',
      '--stdin   print the text of FILE that comes on standard input',
    ],
  },
  lsp: {
    wing: 'compiler',
    takes: '',
    does: 'answer an editor in the Language Server Protocol, on standard input and output',
  },
  mcp: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'answer an agent in the Model Context Protocol, on standard input and output',
  },
  explain: {
    wing: 'server',
    takes: 'NAME',
    does: 'tell more about a diagnostic, or about a query: its statement, plan and indexes',
    options: [
      '[DIR]              folder of the built site that has the query',
      '--var NAME=VALUE   a variable of the query; lists and objects as JSON',
      '--user ID          the user who is taken to be signed in',
      '--no-analyze       the plan without running the query (mutations are never run)',
      '--json             all of it as JSON',
    ],
  },
  docs: {
    wing: 'compiler',
    takes: '',
    does: 'serve the reference of the language: filters, tags, objects, diagnostics',
    options: [
      '--port PORT   port to listen on (3030)',
      '--host HOST',
      '--out DIR     write it into a folder instead, also as Markdown with an llms.txt',
    ],
  },
  openapi: {
    wing: 'server',
    takes: '[DIR]',
    does: 'print the OpenAPI document of the forms of a site that was built',
    options: ['--url URL   where the site is reached'],
  },
  demo: {
    wing: 'server',
    takes: '',
    does: 'serve the marketplace that comes with Ingot',
    options: ['--port PORT'],
  },
  // Spoken between `ingot dev` and the compiler; not for people.
  watch: { wing: 'compiler', takes: 'DIR', hidden: true },
  service: { wing: 'compiler', takes: '', hidden: true },
  agent: { wing: 'server', takes: 'DIR', hidden: true },
}
