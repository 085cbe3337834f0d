/** Tools that run the site: in a separate process, in transactions that are rolled back, and never with production data. */
import * as z from 'zod'
import { formatResult, tool } from '../tool.ts'

const NAMED = z.record(z.string(), z.unknown())

export const render = tool({
  name: 'render',
  title: 'Render a page, a partial or a text',
  description:
    'Runs the site and returns the output: of a request to a page, of a partial with arguments, or of a piece of Liquid with variables. Returns the printed text, errors with their positions, log entries, and SQL statements with their milliseconds. All writes are rolled back; mails and jobs are not sent. Give exactly one of `request`, `partial`, `text`.',
  input: z.object({
    request: z
      .object({
        path: z.string().describe('/dishes/1?page=2'),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
        headers: z.record(z.string(), z.string()).optional(),
        form: z.record(z.string(), z.string()).optional().describe('Fields of a submitted form'),
        json: z.unknown().optional().describe('A JSON request body'),
      })
      .optional(),
    partial: z.string().optional().describe('dishes/card'),
    text: z.string().optional().describe('{{ dish.name | upcase }}'),
    data: NAMED.optional().describe('Arguments of the partial, or variables of the text'),
    before: z
      .string()
      .optional()
      .describe(
        'Liquid that runs first, in the same transaction, to create rows. What it exports to the namespace `data` is added to `data`',
      ),
    user: z.string().optional().describe('Id of the signed-in user'),
    full: z.boolean().default(false).describe('Return the whole text, whatever its length'),
  }),
  run: async (site, { ...asked }) => formatResult(await site.process.request({ do: 'render', ...asked })),
})

export const runTests = tool({
  name: 'run_tests',
  title: 'Run the tests',
  description:
    'Runs the tests of the site, each in a transaction that is rolled back: partials named …_test that receive a `contract`, and lists of requests (…_test.yml). Returns each failure with its position, the expected and the actual value.',
  input: z.object({
    files: z.array(z.string()).default([]).describe('Files, folders or names of tests; all tests by default'),
    filter: z.string().optional().describe('Only tests whose name contains this text'),
  }),
  run: async (site, asked) => formatResult(await site.process.request({ do: 'tests', ...asked })),
})

export const readLogs = tool({
  name: 'read_logs',
  title: 'Read the log',
  description: 'Returns the last log entries of the site: those of its templates, and errors with their positions.',
  input: z.object({
    limit: z.int().min(1).max(500).default(50),
    type: z.string().optional().describe('error, info, or a custom type'),
    grep: z.string().optional().describe('A regular expression (RE2)'),
    minutes: z.number().positive().optional().describe('Only entries of the last minutes'),
  }),
  run: async (site, asked) => formatResult(await site.process.request({ do: 'logs', ...asked })),
})

export const readRequests = tool({
  name: 'read_requests',
  title: 'Read the last requests',
  description:
    'Returns the last requests and jobs that `ingot dev` handled for this site, newest first: findings with the change that helps (a query in a loop, a fragment that is never found), status, milliseconds, templates, queries with their statements, caches, mails, jobs, log lines, and calls to other servers.',
  input: z.object({
    limit: z.int().min(1).max(100).default(10),
    path: z.string().optional().describe('Only requests with this text in their address or page'),
    failed: z.boolean().default(false).describe('Only requests with a status of 400 or above, or with an error'),
  }),
  run: async (site, asked) => formatResult(await site.process.request({ do: 'requests', ...asked })),
})

export const explainQuery = tool({
  name: 'explain_query',
  title: 'Explain a query',
  description:
    'Explains how PostgreSQL runs a query of the site, or a document: the SQL, its parameters, the plan with its costs, the indexes it uses and missing indexes. The query is planned but not run.',
  input: z.object({
    name: z.string().optional().describe('Name of a query: dishes/list'),
    document: z.string().optional().describe('A GraphQL document, instead of a name'),
    variables: NAMED.default({}),
    user: z.string().optional().describe('Id of the user who makes the request'),
  }),
  run: async (site, asked) => formatResult(await site.process.request({ do: 'explain', ...asked })),
})
