/**
 * Finds the server for a command: by its URL, by the name of an environment in the file `.pos`, or by the variables `MPKIT_URL`,
 * `MPKIT_TOKEN` and `MPKIT_EMAIL`. The platform's command-line client reads the same file and variables.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { RemoteSettings } from '../../core/settings.ts'
import { StartError } from '../../core/start-error.ts'
import { readJsonFile } from './json-file.ts'

/** A server, and the credentials for it. */
export interface RemoteServer {
  /** Without a slash at the end. */
  readonly url: string
  readonly token: string
  readonly email: string | null
}

export interface RemoteOptions {
  /** Folder of the site, which may hold a file `.pos`. */
  readonly dir: string
  readonly remote: RemoteSettings
}

/** Name of the file of environments. */
const FILE_NAME = '.pos'

const environments = z.record(
  z.string(),
  z.looseObject({ url: z.string(), token: z.string(), email: z.string().nullish() }),
)

interface EnvironmentFile {
  /** Name of the file for messages. */
  readonly displayName: string
  readonly environments: z.infer<typeof environments>
}

/** Returns whether a word is an HTTP URL. */
export function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word)
}

/**
 * Returns whether a word of the command line names a server instead of a folder: a URL, or the name of an environment when there is no such
 * folder.
 * @throws StartError when the file of environments is invalid
 */
export async function meansServer(word: string, options: RemoteOptions): Promise<boolean> {
  if (isUrl(word)) return true
  if (statSync(word, { throwIfNoEntry: false }) !== undefined) return false
  const file = await readEnvironments(options)
  return file !== null && Object.hasOwn(file.environments, word)
}

/**
 * Finds the server for a command.
 * @param named a URL, the name of an environment, or null for the server of the variables
 * @throws StartError when it is unknown, or has no token
 */
export async function findServer(named: string | null, options: RemoteOptions): Promise<RemoteServer> {
  const { remote } = options
  if (named !== null && isUrl(named)) return serverOfUrl(normalizeUrl(named, 'The URL'), options)
  const { url, token, email } = remote
  if (url !== null && token !== null && email !== null)
    return createServer(normalizeUrl(url, 'The variable MPKIT_URL'), token, email, 'The variable MPKIT_TOKEN')
  const file = await readEnvironments(options)
  const names = file === null ? [] : Object.keys(file.environments)
  if (named === null) {
    const known = file === null || names.length === 0 ? '' : ` ('${file.displayName}' has ${names.join(', ')})`
    throw new StartError(`No server was given: give a URL, or the name of an environment in the file .pos${known}.`)
  }
  const found = file !== null && Object.hasOwn(file.environments, named) ? file.environments[named] : undefined
  if (file === null)
    throw new StartError(
      `There is no file .pos that defines '${named}': give a URL, or set MPKIT_URL, MPKIT_TOKEN and MPKIT_EMAIL.`,
    )
  if (found === undefined) {
    const others = names.length === 0 ? 'it is empty' : `it has ${names.join(', ')}`
    throw new StartError(`'${file.displayName}' has no environment '${named}': ${others}.`)
  }
  const place = `'${file.displayName}', ${named}`
  return createServer(normalizeUrl(found.url, `${place}.url`), found.token, found.email ?? null, `${place}.token`)
}

/** Returns the server of a URL with its known token. A token is never sent to another server than its own. */
async function serverOfUrl(url: string, options: RemoteOptions): Promise<RemoteServer> {
  const { remote } = options
  const { token, email } = remote
  if (token !== null && (remote.url === null || normalizeUrl(remote.url, 'The variable MPKIT_URL') === url))
    return createServer(url, token, email, 'The variable MPKIT_TOKEN')
  const file = await readEnvironments(options)
  for (const [name, each] of Object.entries(file?.environments ?? {})) {
    if (file === null || normalizeUrl(each.url, `'${file.displayName}', ${name}.url`) !== url) continue
    return createServer(url, each.token, each.email ?? null, `'${file.displayName}', ${name}.token`)
  }
  throw new StartError(
    `There is no token for ${url}: set MPKIT_TOKEN, or add the server to the file .pos: {"staging": {"url": "${url}", "token": "…", "email": "…"}}.`,
  )
}

function createServer(url: string, token: string, email: string | null, place: string): RemoteServer {
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) throw new StartError(`${place} is not a valid token.`)
  // The address becomes a header.
  if (email !== null && !/^[\x20-\x7e]{0,320}$/.test(email))
    throw new StartError(`'${email}' is not a valid mail address.`)
  return { url, token, email: email === '' ? null : email }
}

/** Normalizes a server's URL, without slashes at its end. @throws StartError when it is invalid */
function normalizeUrl(text: string, place: string): string {
  const url = isUrl(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new StartError(`${place} cannot be '${text}': give the URL of a server, such as https://shop.example.`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Reads the file of environments: the configured one, or `.pos` in the site's folder or the current folder. */
async function readEnvironments({ dir, remote }: RemoteOptions): Promise<EnvironmentFile | null> {
  const { file } = remote
  if (file !== null) {
    const read = await readJsonFile(resolve(file), file, environments)
    if (read === null) throw new StartError(`There is no file '${file}': correct CONFIG_FILE_PATH.`)
    return { displayName: file, environments: read }
  }
  const path = [join(dir, FILE_NAME), FILE_NAME].find((each) => existsSync(each))
  if (path === undefined) return null
  const read = await readJsonFile(path, path, environments)
  return read === null ? null : { displayName: path, environments: read }
}
