/** The page of the reference for those who let an agent work on a site. */
import type { Entry, Row } from './entry.ts'

/** What an agent may ask, by the name of the tool. */
export const AGENT_TOOLS: Readonly<Record<string, string>> = {
  validate_change:
    'Checks files that are not written yet, together, and tells what must be mended first, there and in other files, with exact edits. In a site of more than 300 templates it looks at the changed files and those that use them, unless it is asked for the whole.',
  check_site: 'What is wrong with the site as it is written: what `ingot check` tells.',
  explain_diagnostic: 'A code of a diagnostic with a wrong and a right example.',
  look_up: 'The reference of the language: filters, tags, objects, settings of files, validations.',
  describe: 'Tables with types, partials with what they take and who calls them, queries, forms of this site.',
  list_routes: 'The addresses of the site, with their policies, layouts and pages.',
  render:
    'What a request, a partial with arguments, or a piece of Liquid with variables gives: text, errors with places, log, and the trace with its statements. Liquid that runs before it makes the rows that it needs, and a user may be signed in.',
  explain_query: 'The SQL of a query, its plan and its indexes. It is planned, and not run.',
  run_tests: 'Runs the tests of the site, and tells each failure with its place.',
  read_logs: 'The last entries of the log.',
  read_requests:
    'The last requests that `ingot dev` has answered, each with the trace of its page and queries. It keeps them in the data folder, in two files of 2 MB.',
}

export function agentEntries(): readonly Entry[] {
  const rows = Object.entries(AGENT_TOOLS).map(([name, says]): Row => ({ name, type: '', says }))
  const summary =
    '`ingot mcp` answers an agent in the Model Context Protocol, on standard input and output: it knows every name, type and query of the site.'
  return [
    {
      section: 'tools',
      name: 'Agents',
      path: 'tools/agents.html',
      summary,
      badges: [],
      links: [],
      blocks: [
        { kind: 'words', text: summary },
        {
          kind: 'words',
          text: 'An agent is given the command in its settings, and starts it itself. The folder is that of the site; without one it is the folder that the agent works in.',
        },
        {
          kind: 'code',
          lines: ['{ "mcpServers": { "ingot": { "command": "npx", "args": ["ingot", "mcp", "."] } } }'],
        },
        { kind: 'rows', title: 'Tools', rows },
        {
          kind: 'words',
          text: 'The compiler stays warm: files are read again when they were written, and an answer about one of 2,700 files takes less than a tenth of a second. What needs the data of the site runs in a process of its own, which begins with the first such question.',
        },
        {
          kind: 'words',
          text: 'Whatever runs there runs in a transaction that is undone, with its jobs and mails inside; only the tables of the site are made, and its migrations run, as `ingot dev` does it. The data of a production are left alone: with `INGOT_ENV=production`, and with a database that a server serves in production, or served within the last day without having ended, every such question is refused, before anything of the database is changed. `ingot test` refuses them as well.',
        },
        {
          kind: 'words',
          text: '`ingot docs --out DIR` writes the reference as Markdown, with an `llms.txt`, and `ingot init` writes an `AGENTS.md` into a new site.',
        },
      ],
      also: Object.entries(AGENT_TOOLS).map(([name, says]) => ({ name, summary: says, id: '' })),
    },
  ]
}
