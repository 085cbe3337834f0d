/** The page of the reference about the commands. */
import type { Entry } from './entry.ts'
import { list, makeEntry, namesTable, paragraph } from './page.ts'

/** Commands with what they do. The tests compare the names with those of `ingot --help`. @internal Exported for tests. */
export const COMMAND_ROWS: readonly (readonly [usage: string, description: string])[] = [
  [
    'ingot check [DIR]',
    "reports the mistakes of a site, errors first; `--format text`, `json`, `github` or `sarif`. In text, more than five findings of one code are folded into one with all places: `--all` shows each. `--quiet` shows errors only. With `--max-warnings N`, it also exits with 1 if there are more than N warnings. Findings are cached in `.ingot/cache` by the texts of the site and the compiler version. If the site is unchanged, the command and editors read the findings from the cache. After a change, findings are taken from `ingot dev`, an editor or an agent's server if one runs on the site; otherwise, only what the change affects is checked again. The cache is signed with a key of the user (`~/.cache/ingot/key`), so a cache in a site from another person is not used",
  ],
  [
    'ingot check FILE …',
    'reports the mistakes of some files; with `--stdin` the text of the single file is read from standard input',
  ],
  [
    'ingot check --fix',
    'applies all safe changes of hints, repeats this until nothing changes, and reports the remaining mistakes',
  ],
  [
    'ingot check --write-baseline FILE',
    "writes today's findings to a file; `--baseline FILE` then reports only new and fixed ones",
  ],
  [
    'ingot check --no-custom-checks',
    'leaves out the checks in JavaScript that `.platformos-check.yml` and the packages of the site name. They have 60 seconds together, or `--custom-check-seconds N`; the guide "Checks" describes them',
  ],
  [
    'ingot lsp',
    'the Language Server Protocol on standard input and output, for unsaved texts: diagnostics with quick fixes, completion, documentation, signatures, definitions, references, renames in the whole site, file moves, links, outlines, folding, semantic highlighting, types of variables, callers, call hierarchies, formatting. `node build.mjs vsix` packs an extension for VS Code that includes the server; the page "Editors" has the settings of Neovim, Helix and Zed',
  ],
  [
    'ingot mcp [DIR]',
    "the Model Context Protocol for agents, on the same compiler: mistakes in files before they are written, the language, the site's tables, partials, queries and routes, what a page or a text prints, the SQL of a query, tests, log and traces of the last requests. Everything that it runs is rolled back, and it refuses to run on production data",
  ],
  [
    'ingot check --distributed NAME',
    'reports where each query would run if records were distributed by a column or property over several PostgreSQL nodes (Citus): `one shard`, `colocated join`, `all shards` or `impossible`, with the reason and a hint; `--format json`. It follows the documentation of Citus, and exits with 1 if a statement is impossible',
  ],
  [
    'ingot build [DIR]',
    'compiles a site into `DIR/.ingot` (or `--out`); the old build is replaced when the new one is complete',
  ],
  [
    'ingot build --pack site.tgz',
    'also writes the build as one file, which `ingot serve site.tgz` runs; the same site always gives the same bytes',
  ],
  [
    'ingot build --keep-going',
    'builds a site that has errors: code with an error fails when it runs, and the rest works',
  ],
  [
    'ingot build --dialect liquid, ingot check --dialect liquid',
    'treat the folder as templates of base Liquid, not as a site',
  ],
  [
    'ingot check --dialect liquid --data FILE --needs',
    'lists what a folder of templates lacks, as text or (`--format json`) for programs: missing tags, filters and files, counted, with places and hints, and variables that are not in the data (JSON or YAML). `--ext .html` reads files with another extension',
  ],
  [
    'ingot build --stats',
    'also prints how many reads, filters, comparisons and computations are emitted with known types, without a check at run time',
  ],
  [
    'ingot serve [DIR|FILE]',
    'runs a build, or a packed build, in two processes or more and one for jobs (`--workers N`, `--threads N`), without parser or compiler in memory. It reads only the build, and SIGHUP loads a new one without losing a request',
  ],
  [
    'ingot release push BUILD|list|activate ID|rollback|prune',
    'stores builds, and switches all servers from one to another; `--dry-run`, `--force`, `--keep N`',
  ],
  ['ingot worker [DIR]', 'runs only jobs, next to servers that use the same database'],
  ['ingot jobs list|show|retry|delete', 'shows and changes the queue: waiting, running, retried and dead jobs'],
  ['ingot migrations list|run|retry', 'lists the migrations of a site, runs the missing ones, or runs one again'],
  [
    'ingot dev [DIR]',
    'builds, serves, rebuilds on save and updates the open page; a site with errors is served as well, and code with an error fails when it runs',
  ],
  [
    'ingot init DIR [--template NAME]',
    'writes a site to begin with, and an `AGENTS.md` of one page: `starter` (accounts, photos, a form, a mail, two languages), `blank` (one table, as in the guides), `api` (JSON for programs with a token) or `blog` (posts, a feed, a desk for administrators). On a terminal it asks which one; else it is `blank`',
  ],
  [
    'ingot init --production [DIR] --host NAME',
    'writes the folder `deploy` of a site: a systemd unit, its settings, nginx and Caddy with TLS, a `Containerfile`',
  ],
  [
    'ingot generate table|page|form|crud|api|module|migration NAME [FIELD:TYPE …]',
    'writes starting files and their tests; `crud` writes a table with queries, forms, pages with search and sort, a policy, a link in the navigation and a test; a field may be an `upload` or `references:TABLE`; `--policy NAME`, `--dir DIR`, `--dry-run`, `--force`',
  ],
  [
    'ingot generate accounts',
    'writes sign-up, log-in, new passwords by mail, confirmed addresses, roles with a page for administrators, and their tests',
  ],
  [
    'ingot user create|list|role|password|delete',
    'manages the users of a site, such as the first administrator; a password comes from standard input or a hidden prompt',
  ],
  [
    'ingot docs',
    'serves the reference; `--out DIR` writes it as files, also as Markdown, with an `llms.txt` as their index',
  ],
  ['ingot explain CODE', 'shows a wrong and a right example of a diagnostic'],
  ['ingot explain QUERY', 'shows the statement of a query, its plan and the indexes it uses'],
  [
    'ingot data export|import|seed|delete',
    "writes and reads the rows of a site as JSON or CSV, in Ingot's or the platform's format, as a stream; inserts the seed; deletes the rows of a table, also of one whose file was removed",
  ],
  [
    'ingot data export|import|update|clean URL|ENV',
    "does the same for a site on another server, in the platform's format: JSON, or an archive of CSV files",
  ],
  [
    'ingot routes [DIR]',
    'lists the addresses of a site with method, format, policies, layout and page; `--json`, `--grep TEXT`',
  ],
  [
    'ingot format [DIR | FILE …]',
    'formats tags, outputs, front matter, YAML and GraphQL. Lines keep their ends, and printed text stays the same byte for byte; `--check` only reports, `--stdin FILE`',
  ],
  [
    'ingot test [FILE …]',
    'runs the tests of a site, each in a transaction that is rolled back, several at once; `--filter`, `--watch`, `--coverage`, `--reporter text|junit|json`, `--junit FILE`: see the guide "Tests"',
  ],
  ['ingot exec FILE|- [DIR]', "runs Liquid, or a `.graphql` file, on the site's own data; `--var NAME=VALUE`"],
  [
    'ingot console [DIR]',
    'does the same line by line, with a history, persistent variables, and completion by the compiler',
  ],
  [
    'ingot constants list|set|unset',
    'lists and changes the constants of a site, which are encrypted in its database; running servers see a change at once',
  ],
  ['ingot openapi [DIR]', "prints the REST API of a site's forms as OpenAPI 3.1"],
  [
    'ingot logs [DIR|URL|ENV]',
    'shows the log of a site, here or on another server, with the places of errors; `--follow`, `--type`, `--grep`, `--since`, `--json`, `--notify`',
  ],
  [
    'ingot deploy|sync [URL|ENV]',
    '`deploy` sends a site to a server that accepts deploys, and waits until the site is served; `sync` sends each file on save',
  ],
  [
    'ingot modules install|update|list',
    'installs the modules that `pos-module.json` requires: compatible versions, locked in `pos-module.lock.json`, from a folder, an archive or a registry (`--from`, `INGOT_MODULES`); `--frozen` uses only the lock',
  ],
  [
    'ingot token create|list|revoke',
    'manages tokens for programs: to read, write, deploy, run sent templates, or for everything; `--user EMAIL` to act as a user',
  ],
  [
    'ingot doctor [DIR]',
    'checks everything that a server depends on, and reports problems, risks and the setting to change; `--json`',
  ],
  [
    'ingot backup [DIR] --to FOLDER',
    'copies the included PostgreSQL, uploaded files and the secret while the server runs, into a folder that is named by the time; `--keep N` removes older ones',
  ],
  [
    'ingot restore BACKUP [DIR]',
    'restores the data folder from a backup; `--check`, `--wal FOLDER`, `--until TIME`, `--files FOLDER`',
  ],
  ['ingot demo', 'serves the marketplace that comes with Ingot; `--port PORT`'],
  ['ingot completion bash|zsh|fish', 'prints the completion script of a shell'],
]

const SUMMARY = 'Everything that `ingot` does on the command line. `ingot help COMMAND` lists the options of a command.'

export function commandEntries(): readonly Entry[] {
  return [
    makeEntry({
      section: 'tools',
      name: 'Commands',
      path: 'tools/commands.html',
      summary: SUMMARY,
      blocks: [
        paragraph(SUMMARY),
        namesTable('Commands', COMMAND_ROWS, ['Command', '', 'Meaning']),
        list(
          'On a terminal, `check`, `build`, `deploy`, `test` and `data` show their progress on one line if they take longer than half a second, and remove it before they print. A pipe gets neither progress nor color. `NO_COLOR` turns color and progress off. `TERM=dumb`, `CI` and `ingot check --quiet` turn progress off.',
          'Exit codes: 0 success, 1 the site has errors, 2 the command could not run. `ingot serve --help` lists the environment variables of the server, such as `HOST`, `PORT` and `INGOT_ENV` (`development`, `staging`, `production`).',
          '`ingot docs` needs no site, database or network. It serves the documentation on `http://localhost:3030`, and `ingot docs --out reference` writes the same as files, to be opened or served from anywhere. The search also works in the written files.',
        ),
      ],
      also: COMMAND_ROWS.map(([name, summary]) => ({ name, summary, id: '' })),
    }),
  ]
}
