/** Starts servers that accept deployments, and sends requests like the platform's command-line client. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Program, type Programs, programs } from '../../../support/server/program.ts'

export { siteZip, zipOf } from './zip.ts'

/** The fields of responses that tests use further. Tests only compare the other fields. */
export interface AnswerBody {
  readonly id?: number
  readonly status?: string
  readonly error?: { readonly error: string }
  readonly errors?: readonly string[]
  readonly report?: object
  readonly url?: string
  readonly accessUrl?: string
  readonly fields?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
}

export interface Instance {
  readonly server: Program
  readonly url: string
  readonly token: string
  /** Sends a request to the API below `/api/app_builder/`. */
  ask(method: string, path: string, body?: FormData | object | null, token?: string): Promise<Answer>
  /** Sends an archive. Returns the id of the deployment. */
  send(archive: Buffer, options?: { partial?: boolean; dryRun?: boolean }): Promise<string>
  /** Waits for the end of a deployment. Returns its final state. */
  done(id: string): Promise<Answer['body']>
  /** Sends an archive, waits for the end of the deployment, and returns its final state. */
  deploy(archive: Buffer, options?: { partial?: boolean; dryRun?: boolean }): Promise<Answer['body']>
  /** Sends or deletes a single file (`PUT` or `DELETE`). */
  sync(path: string, text: string | null): Promise<Answer>
  text(path: string): Promise<string>
}

export interface InstanceSetup {
  readonly ingot: Programs
  readonly home: string
  /** Starts a server on a folder with a data folder. Another server on the same data continues with the deployed site. */
  open(name: string, variables?: Record<string, string>): Promise<Instance>
  /** Starts such a server again. It uses the token that the first start printed. */
  again(before: Instance, name: string): Promise<Instance>
  clean(): Promise<void>
}

export async function openInstanceSetup(): Promise<InstanceSetup> {
  const ingot = await programs()
  const home = mkdtempSync(join(tmpdir(), 'ingot-instance-'))

  async function open(name: string, variables: Record<string, string> = {}, known?: string): Promise<Instance> {
    const server = ingot.start(['serve', '--instance', home], {
      INGOT_DATA: join(home, `data-${name}`),
      ...variables,
    })
    const url = `http://127.0.0.1:${await server.port()}`
    const token = known ?? /ingot_[\da-f]{64}/.exec(server.output())?.[0] ?? ''
    return instanceAt(server, url, token)
  }

  return {
    ingot,
    home,
    open,
    again: (before, name) => open(name, {}, before.token),
    async clean() {
      await ingot.clean()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function instanceAt(server: Program, url: string, token: string): Instance {
  const ask: Instance['ask'] = async (method, path, body = null, by = token) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}//api/app_builder/${path}`, {
      method,
      headers: {
        authorization: `Token ${by}`,
        ...(body !== null && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== null && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as AnswerBody) }
  }
  const send: Instance['send'] = async (archive, { partial = false, dryRun = false } = {}) => {
    const form = new FormData()
    form.append('marketplace_builder[partial_deploy]', String(partial))
    if (dryRun) form.append('marketplace_builder[dry_run]', 'true')
    form.append('marketplace_builder[zip_file]', new Blob([new Uint8Array(archive)]), 'release.zip')
    const { status, body } = await ask('POST', 'marketplace_releases', form)
    if (status !== 200) throw new Error(`the archive was not taken: ${status} ${JSON.stringify(body)}`)
    return String(body.id)
  }
  const done: Instance['done'] = async (id) => {
    for (;;) {
      const { body } = await ask('GET', `marketplace_releases/${id}`)
      if (body.status !== 'ready_for_import' && body.status !== 'in_progress') return body
      await sleep(50)
    }
  }
  return {
    server,
    url,
    token,
    ask,
    send,
    done,
    deploy: async (archive, options) => done(await send(archive, options)),
    sync(path, text) {
      const form = new FormData()
      form.append('path', path)
      if (text === null) form.append('primary_key', path)
      else form.append('marketplace_builder_file_body', new Blob([text]), 'file')
      return ask(text === null ? 'DELETE' : 'PUT', 'marketplace_releases/sync', form)
    },
    text: async (path) => (await fetch(`${url}${path}`)).text(),
  }
}
