/** Identifies the uploader of a file, so that only the same uploader can claim it. */
import { sessionUploader } from '../../../runtime/data/query/upload-host.ts'

/** The uploader of files. */
export interface Uploader {
  /** Identities of the uploader. One of them is enough to claim a file. */
  readonly names: readonly string[]
  /** Whether the uploader imports data. Then addresses of files are stored without a check. */
  readonly imports: boolean
  /** Returns the identities for a new upload. Starts a session if needed. */
  begin(): readonly string[]
}

/** An uploader who cannot claim any files. */
export const NOBODY: Uploader = { names: [], imports: false, begin: () => [] }

/** The properties of a request, a job or an API client that identify the uploader. */
export interface UploaderSource {
  readonly session: {
    readonly user: { readonly id: string } | null
    readonly knownId: string | null
    id(): string
  } | null
  readonly job: {
    /** Absent for a migration. */
    readonly id?: string
    readonly origin: { readonly user: string | null; readonly uploader?: string | null }
  } | null
  /** The token of an API client. */
  readonly bearer?: { readonly id: string | null; readonly scope: string; readonly user: string | null } | null
}

/**
 * Identifies the uploader. Migrations of a site and API clients with the scope admin import data; all others upload
 * files.
 */
export function identifyUploader({ session, job, bearer }: UploaderSource): Uploader {
  if (bearer !== undefined && bearer !== null) {
    const names = [`token ${bearer.id ?? ''}`, ...namesOfUser(bearer.user)]
    return { names, imports: bearer.scope === 'admin', begin: () => names }
  }
  if (job !== null) {
    const { user, uploader = null } = job.origin
    const names = [...(uploader === null ? [] : [uploader]), ...namesOfUser(user)]
    return { names, imports: job.id === undefined, begin: () => names }
  }
  if (session === null) return NOBODY
  return {
    get names() {
      const id = session.knownId
      return [...(id === null ? [] : [sessionUploader(id)]), ...namesOfUser(session.user?.id ?? null)]
    },
    imports: false,
    begin: () => [sessionUploader(session.id()), ...namesOfUser(session.user?.id ?? null)],
  }
}

function namesOfUser(id: string | null): readonly string[] {
  return id === null ? [] : [`user ${id}`]
}
