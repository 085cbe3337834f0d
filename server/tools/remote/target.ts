/**
 * The server that a command works with: given by its URL, by the name of an environment in the file `.pos`, or by the
 * variables `MPKIT_URL`, `MPKIT_TOKEN` and `MPKIT_EMAIL`. The platform's command-line client reads the same.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { RemoteSettings } from '../../core/settings.ts'
import { StartError } from '../../core/start-error.ts'
import { readJsonFile } from './json-file.ts'

/** A server, and who calls it. */
export interface RemoteServer {
  /** Without a slash at its end. */
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
const FILE = '.pos'

const environments = z.record(
  z.string(),
  z.looseObject({ url: z.string(), token: z.string(), email: z.string().nullish() }),
)

interface EnvironmentFile {
  /** As messages name it. */
  readonly shown: string
  readonly environments: z.infer<typeof environments>
}

/** Whether a word of the command line is the URL of a server. */
export function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word)
}

/**
 * Whether the word that a command takes as a folder means a server: a URL, or the name of an environment that no folder
 * has.
 * @throws StartError where the file of environments is wrong
 */
export async function meansServer(word: string, options: RemoteOptions): Promise<boolean> {
  if (isUrl(word)) return true
  if (statSync(word, { throwIfNoEntry: false }) !== undefined) return false
  const file = await readEnvironments(options)
  return file !== null && Object.hasOwn(file.environments, word)
}

/**
 * The server that a command works with.
 * @param named a URL, the name of an environment, or null for that of the variables
 * @throws StartError where it is not known, or no token for it is
 */
export async function findServer(named: string | null, options: RemoteOptions): Promise<RemoteServer> {
  const { remote } = options
  if (named !== null && isUrl(named)) return serverAt(addressOf(named, 'The URL'), options)
  const { url, token, email } = remote
  if (url !== null && token !== null && email !== null)
    return server(addressOf(url, 'The variable MPKIT_URL'), token, email, 'The variable MPKIT_TOKEN')
  const file = await readEnvironments(options)
  const names = file === null ? [] : Object.keys(file.environments)
  if (named === null) {
    const known = file === null || names.length === 0 ? '' : `; '${file.shown}' has ${names.join(', ')}`
    throw new StartError(
      `The command needs to know the server: give a URL, or the name of an environment in the file .pos${known}.`,
    )
  }
  const found = file !== null && Object.hasOwn(file.environments, named) ? file.environments[named] : undefined
  if (file === null)
    throw new StartError(
      `There is no file .pos that would say what '${named}' is: give a URL, or set MPKIT_URL, MPKIT_TOKEN and MPKIT_EMAIL.`,
    )
  if (found === undefined) {
    const others = names.length === 0 ? 'it is empty' : `it has ${names.join(', ')}`
    throw new StartError(`'${file.shown}' has no environment '${named}': ${others}.`)
  }
  const place = `'${file.shown}', ${named}`
  return server(addressOf(found.url, `${place}.url`), found.token, found.email ?? null, `${place}.token`)
}

/** The server at a URL, with the token that is known for it. A token is sent to no other server than its own. */
async function serverAt(url: string, options: RemoteOptions): Promise<RemoteServer> {
  const { remote } = options
  const { token, email } = remote
  if (token !== null && (remote.url === null || addressOf(remote.url, 'The variable MPKIT_URL') === url))
    return server(url, token, email, 'The variable MPKIT_TOKEN')
  const file = await readEnvironments(options)
  for (const [name, each] of Object.entries(file?.environments ?? {})) {
    if (file === null || addressOf(each.url, `'${file.shown}', ${name}.url`) !== url) continue
    return server(url, each.token, each.email ?? null, `'${file.shown}', ${name}.token`)
  }
  throw new StartError(
    `No token for ${url} is known: set MPKIT_TOKEN, or add the server to the file .pos: {"staging": {"url": "${url}", "token": "…", "email": "…"}}.`,
  )
}

function server(url: string, token: string, email: string | null, place: string): RemoteServer {
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) throw new StartError(`${place} cannot be a token.`)
  // It becomes a header.
  if (email !== null && !/^[\x20-\x7e]{0,320}$/.test(email))
    throw new StartError(`'${email}' cannot be an address of mail.`)
  return { url, token, email: email === '' ? null : email }
}

/** A URL as it is called, without slashes at its end. @throws StartError where it is none */
function addressOf(text: string, place: string): string {
  const url = isUrl(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new StartError(`${place} cannot be '${text}': give the address of a server, such as https://shop.example.`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** The file of environments: the one that is set, that in the site's folder, or that in the folder of the call. */
async function readEnvironments({ dir, remote }: RemoteOptions): Promise<EnvironmentFile | null> {
  const { file } = remote
  if (file !== null) {
    const read = await readJsonFile(resolve(file), file, environments)
    if (read === null) throw new StartError(`There is no file '${file}', which CONFIG_FILE_PATH names.`)
    return { shown: file, environments: read }
  }
  const path = [join(dir, FILE), FILE].find((each) => existsSync(each))
  if (path === undefined) return null
  const read = await readJsonFile(path, path, environments)
  return read === null ? null : { shown: path, environments: read }
}
