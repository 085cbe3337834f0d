/** Reads the last requests and jobs that a server in development has recorded. */
import * as z from 'zod'
import { createRequestItems } from '../../operate/observe/recorded-items.ts'
import { RequestIndex } from '../../operate/observe/request-index.ts'
import { siteFindings } from '../../operate/observe/site-findings.ts'

export const requestsSchema = z.object({ limit: z.int(), path: z.string().optional(), failed: z.boolean() })

/** What is always listed, also if it is empty. */
const SUMMARY = [
  'id',
  'at',
  'kind',
  'method',
  'path',
  'status',
  'milliseconds',
  'database_milliseconds',
  'statements',
  'template',
]

/** What is shown of each request, in this order. */
const SHOWN = [
  'findings',
  'error',
  'user',
  'job',
  'templates',
  'queries',
  'cache',
  'messages',
  'jobs',
  'logs',
  'outgoing',
]

export async function readRequests(
  dataFolder: string,
  { limit, path = '', failed }: z.infer<typeof requestsSchema>,
): Promise<object> {
  const index = new RequestIndex(dataFolder)
  const all = await createRequestItems(
    index,
    siteFindings(index, () => null),
  )()
  const matching = all.filter((item) => {
    const { path: itemPath, template, status, error, job } = item
    const name = typeof job === 'object' && job !== null && 'name' in job ? job.name : null
    const hasPath = [itemPath, template, name].some((each) => String(each ?? '').includes(path))
    return hasPath && (!failed || Number(status ?? 0) >= 400 || error !== null)
  })
  return {
    ...(all.length === 0 && {
      note: 'Nothing is recorded yet: `ingot dev` records the requests that it answers, unless INGOT_RECORDING is off.',
    }),
    requests: await Promise.all(
      matching.slice(0, limit).map(async (item) => {
        const shown: Record<string, unknown> = {}
        for (const name of SHOWN) {
          const value = item[name]
          const whole: unknown = typeof value === 'function' ? await value() : value
          if (whole !== null && !(Array.isArray(whole) && whole.length === 0)) shown[name] = whole
        }
        return { ...Object.fromEntries(SUMMARY.map((name) => [name, item[name]])), ...shown }
      }),
    ),
  }
}
