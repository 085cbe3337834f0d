/** The list of the instance's API resources, and the lookup of a request's resource. */
import type { Resource } from './resource.ts'
import { fileAddress, folderAddress } from './resources/addresses.ts'
import { assetManifest } from './resources/assets.ts'
import { startBackup } from './resources/backups.ts'
import { showClone, startClone, startCopy } from './resources/clones.ts'
import { showClean, startClean } from './resources/data-clean.ts'
import { showExport, startExport } from './resources/exports.ts'
import { showImport, showUpdate, startImport, startUpdate } from './resources/imports.ts'
import { installedModuleNames, removeModule } from './resources/installed-modules.ts'
import { instance } from './resources/instance.ts'
import { liquidExec } from './resources/liquid-exec.ts'
import { logs } from './resources/logs.ts'
import { migrationList, migrationRun, newMigration } from './resources/migrations.ts'
import { showRelease, startRelease } from './resources/releases.ts'
import { search } from './resources/search.ts'
import { fetchFile, findFile, sendAsset, sendFile } from './resources/sent-files.ts'
import { removeFile, writeFile } from './resources/sync.ts'

const RESOURCES: readonly Resource[] = [
  instance,
  startRelease,
  showRelease,
  startBackup,
  writeFile,
  removeFile,
  assetManifest,
  fileAddress,
  folderAddress,
  sendFile,
  findFile,
  fetchFile,
  sendAsset,
  installedModuleNames,
  removeModule,
  liquidExec,
  logs,
  migrationList,
  migrationRun,
  newMigration,
  search,
  startExport,
  showExport,
  startImport,
  showImport,
  startUpdate,
  showUpdate,
  startClean,
  showClean,
  startClone,
  showClone,
  startCopy,
]

/** Base paths of the API. */
export const ROOTS: readonly string[] = ['/api/app_builder/', '/api/private/urls/']

/** Path of the log search, with any name of an organization. */
const SEARCH_PATH = /^\/api\/[^/]+\/_search\/?$/

interface Route {
  readonly resource: Resource
  readonly segments: readonly string[]
}

const ROUTES: readonly Route[] = RESOURCES.map((resource) => ({ resource, segments: resource.path.split('/') }))

export interface Found {
  readonly resource: Resource
  /** The values of the path's parameters. */
  readonly path: Readonly<Record<string, string>>
}

/** Returns whether a path belongs to the API, even if there is no such resource. */
export function isInstancePath(path: string): boolean {
  return ROOTS.some((root) => path.startsWith(root)) || SEARCH_PATH.test(path)
}

/**
 * Returns the resource of a request.
 * @param path path of its URL, undecoded
 * @returns the methods of the path when it does not have this method; empty for an unknown path
 */
export function findResource(method: string, path: string): Found | readonly string[] {
  const givenNames = path.slice('/api/'.length).replace(/\/$/, '').split('/')
  const methods: string[] = []
  for (const { resource, segments } of ROUTES) {
    const values = matchPath(segments, givenNames)
    if (values === null) continue
    if (resource.method === method) return { resource, path: values }
    methods.push(resource.method)
  }
  return methods
}

function matchPath(segments: readonly string[], givenNames: readonly string[]): Record<string, string> | null {
  if (segments.length !== givenNames.length) return null
  const values: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const text = givenNames[at] ?? ''
    if (segment.startsWith(':')) {
      const value = decode(text)
      if (value === null || value === '') return null
      values[segment.slice(1)] = value
    } else if (segment !== text) return null
  }
  return values
}

/** Decodes a path segment; returns null when it is invalid. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
