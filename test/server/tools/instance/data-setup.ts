/** Requests about data of a deployed site, like those of the platform's command-line client. */
import { setTimeout as sleep } from 'node:timers/promises'
import { execFileSync } from 'node:child_process'
import type { Instance } from './instance-setup.ts'
import { siteZip } from './instance-setup.ts'

/** The state of a requested task. The tests check its texts. */
export interface State {
  readonly id: number
  readonly status: string
  readonly error?: string
  readonly warnings?: readonly string[]
  readonly counts?: Readonly<Record<string, number>>
  readonly zip_file_url?: string
  readonly data?: Readonly<Record<'users' | 'models' | 'transactables', { readonly results: readonly Row[] }>>
}

export type Row = Readonly<Record<string, unknown>>

export const HOUSES = siteZip({
  'app/schema/house.yml': [
    'name: house',
    'properties:',
    '  - name: street',
    '    type: string',
    '  - name: plan',
    '    type: upload',
    '    options:',
    '      acl: private',
    '',
  ].join('\n'),
  'app/schema/car.yml': [
    'name: car',
    'properties:',
    '  - name: color',
    '    type: string',
    '  - name: house_id',
    '    type: string',
    '    belongs_to: house',
    '',
  ].join('\n'),
  'app/views/pages/index.liquid':
    '{% graphql g %}query { records(per_page: 1) { total_entries } }{% endgraphql %}{{ g.records.total_entries }} rows',
})

/** Starts a task. Returns its id. */
export async function begun(
  { ask }: Instance,
  path: string,
  body: FormData | object | null = null,
  token?: string,
): Promise<number> {
  const { status, body: answer } = await ask('POST', path, body, token)
  if (status !== 200) throw new Error(`${path} was not taken: ${status} ${JSON.stringify(answer)}`)
  return Number(answer.id)
}

/** Waits for the end of a task. Returns its final state. */
export async function ended({ ask }: Instance, path: string): Promise<State> {
  for (;;) {
    const { body } = await ask('GET', path)
    const state = body as unknown as Omit<State, 'status'> & { status: string | { name: string } }
    const status = typeof state.status === 'string' ? state.status : state.status.name
    if (status === 'done' || status === 'failed') return { ...state, status }
    await sleep(50)
  }
}

/** Returns the request body of an import with these lists. */
export function importOf(data: object, rawIds = false): object {
  return { import: { data }, raw_ids: rawIds }
}

export async function imported(instance: Instance, data: object): Promise<State> {
  return ended(instance, `imports/${await begun(instance, 'imports', importOf(data))}`)
}

export function exportForm(rawIds = false): FormData {
  const form = new FormData()
  form.append('export_internal', String(rawIds))
  return form
}

export async function exported(instance: Instance, rawIds = false): Promise<State> {
  return ended(instance, `exports/${await begun(instance, 'exports', exportForm(rawIds))}`)
}

/** Sends a file to an upload URL of the server. @returns the address that an import uses for the file */
export async function sentFile({ url, token }: Instance, name: string, bytes: Buffer): Promise<string> {
  const query = new URLSearchParams({ fileName: name, contentLength: String(bytes.length), contentType: 'null' })
  const headers = { token, marketplace_domain: '127.0.0.1' }
  const given = await fetch(`${url}/api/private/urls/presign-url?${query}`, { headers })
  if (given.status !== 200) throw new Error(`no address for ${name}: ${given.status} ${await given.text()}`)
  const { url: to, accessUrl } = (await given.json()) as { url: string; accessUrl: string }
  const put = await fetch(to, { method: 'PUT', body: new Uint8Array(bytes) })
  if (put.status !== 200) throw new Error(`${name} was not taken: ${put.status}`)
  return accessUrl
}

/** Imports an archive as the client does. Returns the final state. */
export async function archiveImported(instance: Instance, bytes: Buffer): Promise<State> {
  const { body } = await instance.ask('GET', 'instance')
  const name = `instances/${body.id}/data_imports/${'ab'.repeat(32)}`
  const zip_file_url = await sentFile(instance, name, bytes)
  const id = await begun(instance, 'imports', { zip_file_url, raw_ids: false })
  return ended(instance, `imports/${id}?csv_import=true`)
}

/** Kills the processes of a server that run a program. Returns their number. */
export function killWorkers({ server }: Instance, program: string): number {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const own = all.filter((line) => line.includes(program) && line.includes(` ${server.child.pid} `))
  for (const line of own) process.kill(Number(line.trim().split(/\s+/)[0]), 'SIGKILL')
  return own.length
}
