/** Reads the last requests and jobs whose traces a server in development has kept. */
import * as z from 'zod'
import { readTraces } from '../../operate/observe/kept-traces.ts'
import { treeOf } from './trace.ts'

export const requestsSchema = z.object({ limit: z.int(), path: z.string().optional(), failed: z.boolean() })

export async function readRequests(
  dataFolder: string,
  { limit, path = '', failed }: z.infer<typeof requestsSchema>,
): Promise<object> {
  const all = await readTraces(dataFolder)
  const matching = all.filter(({ spans }) => {
    const first = spans.find(({ kind }) => kind === 'server' || kind === 'job')
    const { name = '', values = {} } = first ?? {}
    const hasPath = [name, values['url.path'], values['http.route']].some((each) => String(each ?? '').includes(path))
    return (
      hasPath &&
      (!failed || Number(values['http.response.status_code'] ?? 0) >= 400 || spans.some(({ error }) => error !== null))
    )
  })
  const requests = matching.slice(-limit).reverse()
  return {
    ...(all.length === 0 && {
      note: 'There are no traces yet: `ingot dev` keeps them for the requests that it answers.',
    }),
    requests: requests.map(({ at, spans }) => ({ at, trace: treeOf(spans) })),
  }
}
