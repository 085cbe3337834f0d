/** The last requests and jobs that a server in development has kept the traces of. */
import * as z from 'zod'
import { readTraces } from '../../operate/observe/kept-traces.ts'
import { treeOf } from './trace.ts'

export const requestsSchema = z.object({ limit: z.int(), path: z.string().optional(), failed: z.boolean() })

export async function keptRequests(
  dataFolder: string,
  { limit, path = '', failed }: z.infer<typeof requestsSchema>,
): Promise<object> {
  const all = await readTraces(dataFolder)
  const fits = all.filter(({ spans }) => {
    const first = spans.find(({ kind }) => kind === 'server' || kind === 'job')
    const { name = '', values = {} } = first ?? {}
    const isThere = [name, values['url.path'], values['http.route']].some((each) => String(each ?? '').includes(path))
    return (
      isThere &&
      (!failed || Number(values['http.response.status_code'] ?? 0) >= 400 || spans.some(({ error }) => error !== null))
    )
  })
  const requests = fits.slice(-limit).reverse()
  return {
    ...(all.length === 0 && {
      note: 'Nothing is kept yet: `ingot dev` keeps the traces of the requests that it answers.',
    }),
    requests: requests.map(({ at, spans }) => ({ at, trace: treeOf(spans) })),
  }
}
