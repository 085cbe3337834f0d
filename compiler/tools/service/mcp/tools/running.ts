/** Tools that run the site: in a process of its own, in transactions that are undone, and never against the data of a production. */
import * as z from 'zod'
import { shown, tool } from '../tool.ts'

const NAMED = z.record(z.string(), z.unknown())

export const render = tool({
  name: 'render',
  title: 'Render a page, a partial or a text',
  says: 'What comes out of the site as it is written: of a request to a page, of a partial with arguments, or of a piece of Liquid with variables. Tells the printed text, errors with their places, what was logged, and the statements that ran with their milliseconds. Whatever it writes is undone; mails and jobs stay inside. Give exactly one of `request`, `partial`, `text`.',
  input: z.object({
    request: z
      .object({
        path: z.string().describe('/dishes/1?page=2'),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
        headers: z.record(z.string(), z.string()).optional(),
        form: z.record(z.string(), z.string()).optional().describe('Fields of a form that is sent'),
        json: z.unknown().optional().describe('A body that is sent as JSON'),
      })
      .optional(),
    partial: z.string().optional().describe('dishes/card'),
    text: z.string().optional().describe('{{ dish.name | upcase }}'),
    data: NAMED.optional().describe('Arguments of the partial, or variables of the text'),
    before: z
      .string()
      .optional()
      .describe(
        'Liquid that runs first, in the same transaction: makes rows that are to be there. What it exports to the namespace `data` is added to `data`',
      ),
    user: z.string().optional().describe('Id of the user who is signed in'),
    full: z.boolean().default(false).describe('The whole text, however long'),
  }),
  run: async (site, { ...asked }) => shown(await site.process.ask({ do: 'render', ...asked })),
})

export const runTests = tool({
  name: 'run_tests',
  title: 'Run the tests',
  says: 'Runs the tests of the site, each in a transaction that is undone: partials named …_test that are given a `contract`, and lists of requests (…_test.yml). Tells each failure with its place, what was expected and what came.',
  input: z.object({
    files: z.array(z.string()).default([]).describe('Files, folders or names of tests; all without any'),
    filter: z.string().optional().describe('Only those whose name holds this'),
  }),
  run: async (site, asked) => shown(await site.process.ask({ do: 'tests', ...asked })),
})

export const readLogs = tool({
  name: 'read_logs',
  title: 'Read the log',
  says: 'The last entries of the log of the site: what its templates logged, and errors with their places.',
  input: z.object({
    limit: z.int().min(1).max(500).default(50),
    type: z.string().optional().describe('error, info, or a type of its own'),
    grep: z.string().optional().describe('A regular expression (RE2)'),
    minutes: z.number().positive().optional().describe('Only those of the last minutes'),
  }),
  run: async (site, asked) => shown(await site.process.ask({ do: 'logs', ...asked })),
})

export const readRequests = tool({
  name: 'read_requests',
  title: 'Read the traces of the last requests',
  says: 'The last requests and jobs that `ingot dev` has answered for this site, the newest first: status, milliseconds, the page, and a trace of partials, queries with their statements, and calls to other servers.',
  input: z.object({
    limit: z.int().min(1).max(100).default(10),
    path: z.string().optional().describe('Only those whose address or page holds this'),
    failed: z.boolean().default(false).describe('Only those with a status of 400 and above, or with an error in them'),
  }),
  run: async (site, asked) => shown(await site.process.ask({ do: 'requests', ...asked })),
})

export const explainQuery = tool({
  name: 'explain_query',
  title: 'Explain a query',
  says: 'What PostgreSQL does for a query of the site, or for a document: the SQL, its parameters, the plan with its costs, the indexes that serve it and those that are missing, in words. It is planned, and not run.',
  input: z.object({
    name: z.string().optional().describe('Name of a query: dishes/list'),
    document: z.string().optional().describe('A document in GraphQL, in its place'),
    variables: NAMED.default({}),
    user: z.string().optional().describe('Id of the user who asks'),
  }),
  run: async (site, asked) => shown(await site.process.ask({ do: 'explain', ...asked })),
})
