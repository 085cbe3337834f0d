/** The reference's page about agents that work on a site. */
import type { Entry } from './entry.ts'
import { codeBlock, makeEntry, namesTable, paragraph } from './page.ts'

/** Descriptions of the tools, by name. @internal Exported for tests. */
export const AGENT_TOOLS: Readonly<Record<string, string>> = {
  validate_change:
    'Checks files before they are written, together. Reports what must be fixed first, in these and in other files, with exact edits. In a site of more than 300 templates it analyses the changed files and those that use them; `whole: true` analyses all.',
  check_site: 'Reports the problems of the site on disk, as `ingot check` does.',
  explain_diagnostic: 'Explains a diagnostic code, with a wrong and a correct example.',
  look_up: 'Looks up the reference of the language: filters, tags, objects, settings of files, validations.',
  describe: 'Describes this site: tables with types, partials with their parameters and callers, queries, forms.',
  list_routes: 'Lists the addresses of the site, with their policies, layouts and pages.',
  render:
    'Renders a request, a partial with arguments, or a piece of Liquid with variables. Returns the output, errors with positions, log entries, and the trace with its SQL statements. Liquid that runs first can create rows, and a user can be signed in.',
  explain_query: 'Explains the SQL of a query, its plan and its indexes. The query is planned but not run.',
  run_tests: 'Runs the tests of the site, and reports each failure with its position.',
  read_logs: 'Returns the last entries of the log.',
  read_requests:
    'Returns the last requests that `ingot dev` handled, each with findings, templates and queries. They are kept in the data folder, in two files of 8 MB.',
}

export function agentEntries(): readonly Entry[] {
  const tools = Object.entries(AGENT_TOOLS)
  const summary =
    '`ingot mcp` serves agents with the Model Context Protocol, on standard input and output. It knows every name, type and query of the site.'
  return [
    makeEntry({
      section: 'tools',
      name: 'Agents',
      path: 'tools/agents.html',
      summary,
      blocks: [
        paragraph(summary),
        paragraph(
          'Configure the command in the settings of the agent, which starts it. The argument is the folder of the site; by default it is the folder that the agent works in.',
        ),
        codeBlock('{ "mcpServers": { "ingot": { "command": "npx", "args": ["ingot", "mcp", "."] } } }'),
        namesTable('Tools', tools),
        paragraph(
          'The compiler stays warm: files are read again after they were written, and an answer about one of 2,700 files takes less than a tenth of a second. Requests that need the data of the site run in a separate process, which starts with the first such request.',
        ),
        paragraph(
          'These requests run in a transaction that is rolled back, including its jobs and mails. Only the tables of the site are created and its migrations run, as in `ingot dev`. Production data are never touched. Such requests are refused with `INGOT_ENV=production`. They are also refused for a database that a production server uses now, or used within the last day without a clean stop. The check comes before anything in the database changes. `ingot test` refuses them as well.',
        ),
        paragraph(
          '`ingot docs --out DIR` writes the reference as Markdown, with an `llms.txt`, and `ingot init` writes an `AGENTS.md` into a new site.',
        ),
      ],
      also: tools.map(([name, description]) => ({ name, summary: description, id: '' })),
    }),
  ]
}
