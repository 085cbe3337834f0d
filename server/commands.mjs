// The commands of `ingot`, with the help text of each.

/**
 * A command.
 * @typedef {object} Command
 * @property {'compiler' | 'server' | 'shell'} wing the bundle that runs the command; `shell` for commands that bin.mjs runs itself
 * @property {string} takes the arguments after its name, for the help text
 * @property {string} [does] one line about its purpose
 * @property {readonly string[]} [options]
 * @property {string} [more] help text below the options
 * @property {boolean} [hidden] whether the help omits the command
 */

/** Help text about the ways to name a server. */
const SERVERS = `Servers:
  A URL, or the name of an environment in the file .pos, in the format of the platform's command-line client:
  {"staging": {"url": "https://…", "token": "…", "email": "…"}}.
  Without either, MPKIT_URL, MPKIT_TOKEN and MPKIT_EMAIL define the server.
`

/** @type {Readonly<Record<string, Command>>} */
export const COMMANDS = {
  init: {
    wing: 'compiler',
    takes: 'DIR',
    does: 'write a site to begin with',
    options: [
      '--template starter|blank|api|blog   the site to begin with; a terminal is asked, else it is blank',
      '--production [DIR]   write the folder `deploy` of a site: a systemd unit, a container image, and a TLS proxy',
      '--host NAME          with --production: the host name of the site',
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
      '--format text|json|github|sarif   format of the report (text)',
      '--all      show every finding in full, also repeated ones of the same code',
      '--quiet    show errors only',
      '--max-warnings N   also exit with 1 when there are more than N warnings',
      '--fix      apply the safe fixes, and report what is left',
      '--stdin    read the text of FILE from standard input',
      '--baseline FILE    report only findings that are not in this file',
      '--write-baseline FILE   write all current findings to this file',
      '--no-custom-checks          leave out the checks in JavaScript that the site names',
      '--custom-check-seconds N    seconds that these checks may take together (60)',
      '--dialect liquid   DIR contains templates of base Liquid, not a site',
      '--ext .html        with --dialect: the file extension of the templates; may be repeated',
      '--data FILE        with --dialect: JSON or YAML with all variables of the templates',
      '--needs            with --dialect: list the missing variables, filters, tags and partials by name',
      '--distributed NAME   report where each query runs when records are distributed by this column or property (Citus): one shard, colocated join, all shards, or impossible (exit code 1)',
    ],
  },
  build: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'compile a site into DIR/.ingot',
    options: [
      '--out DIR',
      '--pack FILE    also write the build as one archive for `ingot serve FILE`, such as site.tgz',
      '--keep-going   build despite errors; each becomes a run-time error',
      '--stats        print how many expressions are compiled with known types',
      '--dialect liquid   DIR contains templates of base Liquid, not a site',
    ],
  },
  serve: {
    wing: 'server',
    takes: '[DIR|FILE]',
    does: 'run a built or packed site',
    options: [
      '--host HOST',
      '--port PORT',
      '--env ENV',
      '--workers N   number of processes that answer requests',
      '--threads N   number of jobs that run at once; with 0, only `ingot worker` runs jobs',
      '--out DIR',
      "--instance    start empty, and serve the site that the platform's command-line client deploys",
    ],
    more: `Signals:
  SIGHUP    reloads the build, process by process. No request is lost. If the build cannot start, the old one stays.
  SIGTERM   answers open requests, for at most INGOT_GRACE seconds, and exits. A second one exits at once.
`,
  },
  release: {
    wing: 'server',
    takes: 'push|list|activate|rollback|prune',
    does: 'store builds, and switch all servers between them without losing requests',
    options: [
      'push BUILD [DIR]    store a build: an archive, a folder of `ingot build --out`, or a built site',
      'list [DIR]          list the stored releases and the active one',
      'activate ID [DIR]   check a release, run its migrations, and switch all servers to it; ID may be shortened',
      'rollback [DIR]      activate the previously active release',
      'prune [DIR]         remove the oldest releases',
      '--dry-run   only print the changes to the tables (with activate, rollback)',
      '--force     roll back despite converted types and removed tables',
      '--keep N    number of releases that `prune` keeps; the active one always stays (5)',
    ],
  },
  worker: {
    wing: 'server',
    takes: '[DIR]',
    does: 'run only the jobs of a built site, next to its servers',
    options: ['--env ENV', '--threads N   number of jobs that run at once', '--out DIR'],
  },
  jobs: {
    wing: 'server',
    takes: 'list|show|retry|delete',
    does: 'inspect and change the job queue of a site',
    options: [
      'list [DIR] [--state scheduled|running|retry|dead|done] [--limit N]',
      'show ID [DIR]              show all details of a job',
      'retry ID|--all-dead [DIR]  run failed jobs again',
      'delete ID [DIR]            remove a job from the queue',
      '--json   print JSON',
    ],
  },
  migrations: {
    wing: 'server',
    takes: 'list|run|retry [DIR]',
    does: 'list or run the migrations of a built site; `ingot serve` runs them too',
    options: [
      'list [DIR]        list migrations with their states and errors',
      'run [DIR]         run all migrations that have not run or that failed',
      'retry NAME [DIR]  run one migration; NAME may be just its timestamp',
    ],
  },
  logs: {
    wing: 'server',
    takes: '[DIR|URL|ENV]',
    does: 'show the log of a site on this machine or another server: its entries, and errors with their source lines',
    options: [
      '--follow          keep printing new entries',
      '--notify          show errors as desktop notifications (with --follow)',
      '--type TYPE       only entries of one type: error, info, …',
      '--grep PATTERN    only entries that match a regular expression (RE2)',
      '--since 30m       only newer entries: a duration in s, m, h, d or w, or a time such as 2026-02-28T12:00Z',
      '--limit N         only the last N entries (100)',
      '--json            print one line of JSON per entry',
    ],
    more: SERVERS,
  },
  deploy: {
    wing: 'server',
    takes: '[URL|ENV] [DIR]',
    does: 'deploy a site to a server, and wait until it is served there',
    options: [
      '--partial   keep files on the server that are not in the folder',
      '--dry-run   only report the errors of the site',
      '--verbose   list every changed file',
    ],
    more: SERVERS,
  },
  sync: {
    wing: 'server',
    takes: '[URL|ENV] [FILE…]',
    does: 'send every saved file of a site to a server, or send the named files once',
    options: ['--dir DIR   folder of the site (.)'],
    more: SERVERS,
  },
  modules: {
    wing: 'server',
    takes: 'install|update|list',
    does: 'install the modules that a site requires in pos-module.json',
    options: [
      'install [NAME[@RANGE]…]   install the required modules in their locked versions; NAME is added to pos-module.json',
      'update [NAME…]            install the newest matching versions',
      'list                      list the required, locked and installed versions',
      '--from PLACE   a folder, an archive, or the URL of a registry (INGOT_MODULES)',
      '--dir DIR      folder of the site (.)',
      '--dev          also install the devDependencies',
      '--frozen       install exactly the locked versions, or exit with 2 (with install)',
    ],
  },
  token: {
    wing: 'server',
    takes: 'create|list|revoke [ID] [DIR]',
    does: 'manage the tokens of programs: of /api/graph, forms and deploys, and of users',
    options: [
      '--name NAME   purpose of the token',
      '--scope read|write|deploy|exec|admin   permissions of the token (read); with --user: site|read|write|admin',
      '--user EMAIL   the token acts as this user: on pages, in forms and in /api/graph',
      '--days N       days until a token of a user expires, 1 to 365 (90)',
    ],
  },
  user: {
    wing: 'server',
    takes: 'create|list|role|password|delete',
    does: 'manage the users of a site, such as the first administrator',
    options: [
      'create EMAIL [DIR] [--role ROLE]…   create a user; the password comes from standard input or a prompt',
      'list [DIR] [--json]                 list the users with their roles',
      'role EMAIL ROLE… [./DIR]            replace the roles of a user; --none removes all of them',
      'password EMAIL [DIR]                replace a password, and end the sessions of the user',
      'delete EMAIL [DIR]                  delete a user, and end the sessions of the user',
    ],
    more: `Roles:
  The property \`roles\` of users holds them. The site declares it in app/user.yml, with the type array. Policies read it with a query:
  users { results { roles: property_array(name: "roles") } }.
For scripts, the id of the user is printed on standard output, and all sentences on standard error.
`,
  },
  constants: {
    wing: 'server',
    takes: 'list|set|unset',
    does: 'manage the constants of a site; running servers see a change at once',
    options: [
      'list [DIR] [--values] [--json]',
      'set NAME=VALUE [DIR]   or NAME, with the value on standard input',
      'unset NAME [DIR]',
    ],
  },
  exec: {
    wing: 'server',
    takes: 'FILE|- [DIR]',
    does: "run Liquid, or a .graphql file, against the site's own data",
    options: [
      '--var NAME=VALUE   a parameter (context.params) or a GraphQL variable; lists and hashes as JSON',
      '--graphql          standard input is GraphQL',
    ],
  },
  test: {
    wing: 'server',
    takes: '[FILE …]',
    does: 'run the tests of a site, each in a transaction that is rolled back',
    options: [
      '--filter TEXT   only tests whose names contain TEXT',
      '--watch         run again whenever a file is saved',
      '--coverage      report which lines of templates ran',
      '--reporter text|junit|json',
      '--junit FILE    also write JUnit XML',
    ],
    more: `Tests:
  Partials whose names end in _test, such as app/lib/test/dish_test.liquid. They get \`contract\`, and fail when it has errors.
  Lists of requests, such as app/lib/test/dish_test.yml: \`- GET: /dishes/1\`.
    An action:       GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS, submit (a form), click (a link), or run (a partial, with \`with\` and \`as\`)
    What is sent:    fields, json, headers; follow: true follows redirects
    What is checked: status, text, without, selector, location, type
`,
  },
  console: {
    wing: 'server',
    takes: '[DIR]',
    does: "run Liquid and GraphQL against the site's own data interactively, with completion",
  },
  data: {
    wing: 'server',
    takes: 'export|import|seed|delete|update|clean',
    does: 'export, import, seed or delete the data of a built site, or of a site on another server',
    options: [
      'export [DIR] --format json|csv [--table T]… [--users] [--out FILE|DIR|-]',
      'import [DIR] FILE… [--format json|csv] [--table T | --users] [--dry-run] [--overwrite] [--errors FILE]',
      'seed [DIR] [--reset] [--dry-run] [--errors FILE]   import the files seed/*.json of the site',
      'delete TABLE [DIR]   delete the rows of a table, also of one whose file was removed',
      'export URL|ENV [--format json|csv] [--raw-ids] [--out FILE|-]   export from another server, in the format of the platform',
      'import URL|ENV FILE [--raw-ids]   import an archive of CSV files, or JSON; --raw-ids keeps the ids in JSON',
      'update URL|ENV FILE   update existing rows from JSON',
      "clean URL|ENV [--include-schema] [--confirm='CLEAN DATA']   remove all data",
    ],
    more: SERVERS,
  },
  doctor: {
    wing: 'server',
    takes: '[DIR]',
    does: 'check the setup of a server for problems and risks',
    options: ['--json   print JSON'],
  },
  backup: {
    wing: 'server',
    takes: '[DIR]',
    does: 'back up the embedded PostgreSQL and the files of a site while it serves',
    options: [
      '--to FOLDER   folder of the backups; each is in a folder named by its time',
      '--keep N      remove older backups, so that N remain',
    ],
  },
  restore: {
    wing: 'server',
    takes: 'BACKUP [DIR]',
    does: 'restore the data folder of a site from a backup',
    options: [
      '--check          only check that the backup is complete',
      '--wal FOLDER     also replay the write-ahead log that INGOT_WAL_ARCHIVE archived there',
      '--until TIME     restore the state at a time, such as 2026-02-28T12:30:00Z',
      '--files FOLDER   also copy uploaded files that are newer than the backup from here',
    ],
  },
  generate: {
    wing: 'compiler',
    takes: 'KIND [NAME] [FIELD …]',
    does: 'generate the files of a table, page, form, crud (all three), accounts, api, module or migration',
    options: [
      'accounts        sign-up, log-in, new passwords, confirmed addresses and roles; takes no name',
      'api TABLE       JSON pages that read a table, for programs with a token',
      'FIELD           NAME, NAME:TYPE or NAME:references:TABLE: string, text, integer, float, boolean, date, datetime, upload, references',
      '--dir DIR       folder of the site (.)',
      '--policy NAME   authorization policy for writing; it is created if it does not exist',
      '--dry-run       only list the files',
      '--force         replace existing files',
    ],
  },
  routes: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'list the routes of a site: method, format, policies, layout, page',
    options: ['--json        print JSON', '--grep TEXT   only routes whose path or file contains TEXT'],
  },
  format: {
    wing: 'compiler',
    takes: '[DIR | FILE …]',
    does: 'format the white space of Liquid, YAML and GraphQL files where it is not printed',
    options: [
      '--check   only list the files that would change',
      '--stdin   format standard input as FILE, and print the result',
    ],
  },
  lsp: {
    wing: 'compiler',
    takes: '',
    does: 'run a language server (LSP) on standard input and output',
  },
  mcp: {
    wing: 'compiler',
    takes: '[DIR]',
    does: 'run a Model Context Protocol (MCP) server on standard input and output',
  },
  explain: {
    wing: 'server',
    takes: 'NAME',
    does: 'explain a diagnostic, or a query: its statement, plan and indexes',
    options: [
      '[DIR]              folder of the built site with the query',
      '--var NAME=VALUE   a variable of the query; lists and objects as JSON',
      '--user ID          explain the query for this signed-in user',
      '--no-analyze       show the plan without running the query (mutations are never run)',
      '--json             print JSON',
    ],
  },
  docs: {
    wing: 'compiler',
    takes: '',
    does: 'serve the reference of the language: filters, tags, objects, diagnostics',
    options: [
      '--port PORT   port to listen on (the variable PORT, or 3030)',
      '--host HOST',
      '--out DIR     write the reference to a folder instead, also as Markdown with an llms.txt',
    ],
  },
  openapi: {
    wing: 'server',
    takes: '[DIR]',
    does: 'print the OpenAPI document of the forms of a site',
    options: ['--url URL   base URL of the site'],
  },
  demo: {
    wing: 'server',
    takes: '',
    does: 'serve the marketplace that comes with Ingot',
    options: ['--port PORT'],
  },
  completion: {
    wing: 'shell',
    takes: 'bash|zsh|fish',
    does: 'print the completion script of a shell',
  },
  // Internal commands: `ingot dev` and `ingot mcp` start them in child processes.
  watch: { wing: 'compiler', takes: 'DIR', hidden: true },
  service: { wing: 'compiler', takes: '', hidden: true },
  agent: { wing: 'server', takes: 'DIR', hidden: true },
}

/** The commands of the overview, grouped by purpose. @type {Readonly<Record<string, readonly string[]>>} */
export const GROUPS = {
  'Write a site': [
    'init',
    'dev',
    'generate',
    'check',
    'format',
    'routes',
    'test',
    'console',
    'exec',
    'explain',
    'docs',
    'demo',
  ],
  'Run a site': ['build', 'serve', 'worker', 'release', 'migrations', 'jobs', 'logs', 'doctor', 'backup', 'restore'],
  'Data and access': ['data', 'user', 'constants', 'token', 'openapi'],
  'Other servers and modules': ['deploy', 'sync', 'modules'],
  'Editors, agents and shells': ['lsp', 'mcp', 'completion'],
}
